import Checking
import CommandLineKit
import ReqcliDefinitions
import ReqcliJSONPath
import ReqcliMocking
import ReqcliText
import Shapes

/// The JSON body of a stub variant, and the file that it is in.
struct StubBody {
    enum Content {
        case json(JSONValue, file: StubFile)
        /// The variant is a response that can't be compared.
        case unfit(reason: String)
        /// The variant is a response without JSON.
        case other(reason: String)
    }

    /// The file that a stub's body is read from.
    struct StubFile: Hashable {
        let path: String
        let syntax: JSONSyntax
    }

    let variant: String
    /// Whether the variant has `when`, so that it responds only to some requests.
    let isConditional: Bool
    let status: Int
    let rules: ShapeRules
    let content: Content
    /// Whether the variant has `"drift": false` and is not compared.
    let isLeftOut: Bool
}

extension Workspace {
    /// The stub bodies of the endpoints that are called, by endpoint id.
    func stubBodies(of plan: CheckPlan) throws(Failure) -> [String: [StubBody]] {
        var bodies: [String: [StubBody]] = [:]
        for endpoint in plan.cases.map(\.endpoint) where bodies[endpoint.id] == nil {
            bodies[endpoint.id] = try stubBodies(of: endpoint)
        }
        return bodies
    }

    /// The variants of an endpoint, in the order of the file.
    func stubBodies(of endpoint: LocatedEndpoint) throws(Failure) -> [StubBody] {
        try (endpoint.definition.stubs?.variants ?? []).map { named throws(Failure) in
            try stubBody(of: endpoint, named)
        }
    }

    /// One variant of an endpoint; nil if the endpoint has no variant of this name.
    func stubBody(of endpoint: LocatedEndpoint, _ name: String) throws(Failure) -> StubBody? {
        guard let variant = endpoint.definition.stubs?.variants.first(where: { $0.name == name }) else { return nil }
        return try stubBody(of: endpoint, variant)
    }

    private func stubBody(of endpoint: LocatedEndpoint, _ named: Named<VariantDefinition>) throws(Failure) -> StubBody {
        let merged = try mergedVariant(named, of: endpoint)
        let drift = named.value.drift
        func paths(_ all: [Located<String>]) throws(Failure) -> [JSONPath] {
            try all.map { path throws(Failure) in
                let read = PathReading.read(path.value, at: path.place)
                guard let value = read.value else { throw Failure(.broken, read.diagnostics) }
                return value
            }
        }
        return StubBody(
            variant: named.name, isConditional: named.value.condition != nil, status: merged.status ?? 200,
            rules: ShapeRules(
                ignored: try paths(drift?.ignored ?? []), maps: try paths(drift?.maps ?? []),
                isFilled: merged.isFilled ?? false),
            content: try content(of: named.value, merged, endpoint), isLeftOut: drift?.isCompared == false)
    }

    private func content(
        of variant: VariantDefinition, _ merged: VariantDefinition, _ endpoint: LocatedEndpoint
    ) throws(Failure) -> StubBody.Content {
        if variant.sequence != nil { return .unfit(reason: "the variant is a sequence") }
        if merged.fault != nil { return .unfit(reason: "the variant is an error") }
        if variant.verdict == .fail { return .unfit(reason: #"the variant has "expect": "fail""#) }
        switch merged.body {
        case nil: return .other(reason: "the variant has no body")
        case .text, .bytes: return .other(reason: "the variant's body is not JSON")
        case .json(let value): return .json(value, file: try file(of: endpoint))
        case .file(let name):
            let path = "stubs/\(name.value)"
            let bytes = Array(try stubFile(name))
            guard let root = JSONDocument.read(SourceFile(name: shown(path), bytes: bytes)).validRoot else {
                return .other(reason: "the variant's body is not JSON")
            }
            return .json(root, file: StubBody.StubFile(path: self.path(path), syntax: .strict))
        }
    }

    private func file(of endpoint: LocatedEndpoint) throws(Failure) -> StubBody.StubFile {
        guard
            let entry = entries(thatMayDefine: endpoint.id).value.first(where: { shown($0.path) == endpoint.file.name })
        else { throw Failure(.broken, code: .fileUnreadable, "\(endpoint.file.name) no longer exists") }
        return StubBody.StubFile(path: path(entry.path), syntax: entry.syntax)
    }
}
