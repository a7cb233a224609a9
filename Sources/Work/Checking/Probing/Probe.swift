import Calling
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliMatching
package import ReqcliText

/// One change to a call that passes. The server has to accept or to reject the changed call.
package struct Probe: Sendable, Equatable {
    /// The start of a probe's name. It distinguishes probes from checks in selectors and reports.
    package static let prefix = "probe:"

    package let parameter: String
    /// The new value; nil leaves the param out.
    package let value: OrderedJSON?
    /// Whether the param's rules allow the change. If so, the call must pass. Otherwise, the server must reject it with 4xx.
    package let isAllowed: Bool
    /// The rule as a clause: `limit must be at most 100`.
    package let rule: String
    /// The path to the keyword of the param's JSON Schema that forbids the value.
    var keyword: String?
    /// Whether the param is part of the path. There, a server may respond with 404 even to an allowed value.
    let isInPath: Bool
    /// The place of the param in its file.
    let place: Place

    /// The change in short form, such as `limit=101`, `limit left out` or `filter against properties.id.minimum`.
    package var label: String {
        guard let value else { return "\(parameter) left out" }
        if let keyword { return "\(parameter) against \(keyword)" }
        let text = ValueText.text(of: value)
        let count = text.unicodeScalars.count
        return count <= 40 ? "\(parameter)=\(text)" : "\(parameter)=\(text.prefix(10))… (\(count) characters)"
    }

    package var name: String { Self.prefix + label }

    var unchecked: UncheckedValue { UncheckedValue(name: parameter, value: value) }

    /// What the server has to do, for lists of cases: `must be rejected: limit must be at most 100`.
    package var demand: String { "must \(isAllowed ? "pass" : "be rejected"): \(rule)" }

    package static func == (one: Probe, other: Probe) -> Bool {
        one.parameter == other.parameter && one.value == other.value && one.isAllowed == other.isAllowed
    }
}

// MARK: - Judgement

extension Probe {
    enum Finding {
        case asPromised
        case provesNothing(Wording)
        case failed(ExpectationFailure)
    }

    /// Statuses that are about who may call, or how often. They say nothing about the param.
    private static let silentStatuses = [401, 403, 429]

    /// The conclusion from a response to the changed call.
    ///
    /// - Parameter patterns: The statuses that the endpoint itself expects; nil for 2xx.
    func finding(on response: ReceivedResponse, expecting patterns: [StatusPattern]?, _ excerpts: Excerpts) -> Finding {
        let status = response.status
        let line = response.statusLine(excerpts)
        if Self.silentStatuses.contains(status) { return .provesNothing("the server responded with \(line)") }
        if isAllowed, isInPath, status == 404 {
            return .provesNothing(
                "the server responded with \(line), which may only mean that there is no such resource")
        }
        let isRight =
            if status >= 500 {
                false
            } else if isAllowed {
                patterns.map { $0.contains { $0.accepts(status) } } ?? (200...299).contains(status)
            } else {
                (400...499).contains(status)
            }
        if isRight { return .asPromised }
        let wanted = isAllowed ? patterns.map { $0.map(\.text).joined(separator: " or ") } ?? "2xx" : "4xx"
        return .failed(
            ExpectationFailure(
                "status", title: Wording(own: label), expected: "\(own: "\(wanted), because \(rule)")", actual: line,
                at: place))
    }
}
