import ReqcliAssembly
package import ReqcliDefinitions
package import ReqcliText
import RequestBuilding

/// The methods that are probed.
package enum Probing: Sendable {
    case safeMethods
    case allMethods
}

/// The probes of an endpoint, and the reason why others are left out.
package struct EndpointProbes: Sendable {
    package private(set) var probes: [Probe] = []
    /// The reason why some or all probes are left out; nil if no probe is left out.
    package private(set) var reason: Unprobed.Reason?

    /// The most probes of one endpoint.
    private static let limit = 40

    /// Makes the probes.
    ///
    /// - Parameter values: The params' values in a call that passes, as far as they are known.
    package init(
        _ endpoint: LocatedEndpoint, in environment: String, values: [String: OrderedJSON], _ probing: Probing,
        _ schemas: SchemaStore
    ) {
        let method = endpoint.method(in: environment)
        if !endpoint.definition.isProbed {
            reason = .switchedOff
        } else if endpoint.expectation(in: environment) == nil {
            reason = .nothingExpected
        } else if probing == .safeMethods, !HTTPMethod.isSafe(method) {
            reason = .unsafe(method)
        } else {
            let all = Self.all(endpoint, environment, values, schemas)
            // Values that must be rejected are first, so that a long enum doesn't displace them.
            probes = Array((all.filter { !$0.isAllowed } + all.filter(\.isAllowed)).prefix(Self.limit))
            if all.isEmpty { reason = .noRules }
            if all.count > Self.limit { reason = .tooMany(all.count) }
        }
    }

    private static func all(
        _ endpoint: LocatedEndpoint, _ environment: String, _ values: [String: OrderedJSON], _ schemas: SchemaStore
    ) -> [Probe] {
        let places = ParameterPlaces(of: endpoint, in: environment)
        var names: Set<String> = []
        return endpoint.parameters.flatMap { parameter -> [Probe] in
            let name = parameter.name
            guard parameter.value.isProbed, places.canChange(name) else { return [] }
            let isInPath = places.inPath.contains(name)
            var changes =
                parameter.value.isSecret ? [] : ParameterChanges(parameter.value, values[name], schemas).all
            if isInPath { changes.removeAll { ["", ".", ".."].contains($0.value.plainText) } }
            if parameter.value.isRequired, places.canLeaveOut(name) {
                changes.insert(ParameterChange(value: nil, isAllowed: false, rule: "is required"), at: 0)
            }
            return changes.map { change in
                Probe(
                    parameter: name, value: change.value, isAllowed: change.isAllowed, rule: "\(name) \(change.rule)",
                    keyword: change.keyword, isInPath: isInPath, place: parameter.namePlace)
            }
        }.filter { names.insert($0.name).inserted }
    }
}

/// An endpoint of a run with fewer probes than it could have.
package struct Unprobed: Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        case switchedOff
        case nothingExpected
        case unsafe(String)
        case noRules
        /// There are this many probes, but only the first ones are sent.
        case tooMany(Int)
    }

    package let id: String
    package let reason: Reason

    package var text: String { "\(id) \(reason.text)" }
}

extension Unprobed.Reason {
    fileprivate var text: String {
        switch self {
        case .switchedOff: "has \"probe\": false"
        case .nothingExpected: "has no \"expect\", so no call is known to pass"
        case .unsafe(let method): "is \(method), which may change something"
        case .noRules: "has no params with rules"
        case .tooMany(let count): "has \(count) probes, but only 40 are sent"
        }
    }

    /// Whether the reason is reported by a run that probes other endpoints.
    var isNoteworthy: Bool { self != .switchedOff && self != .noRules }

    var advice: String? {
        switch self {
        case .switchedOff: nil
        case .nothingExpected: "add the expected response to the endpoint, such as \"expect\": {\"status\": 200}"
        case .unsafe: "to allow it, set \"policy\": {\"probe\": true} in the environment"
        case .noRules: "give params \"minimum\", \"maximum\", \"enum\", \"pattern\" or a type other than string"
        case .tooMany: nil
        }
    }
}

extension OrderedJSON? {
    fileprivate var plainText: String? { if case .string(let text)? = self { text } else { nil } }
}
