import ReqcliAssembly
import ReqcliDefinitions
import ReqcliJSONPath
import ReqcliText

/// The responses that an endpoint's stub variants describe, as examples.
struct StubReader {
    private let endpoint: LocatedEndpoint
    private let workspace: Workspace?

    init(_ endpoint: LocatedEndpoint, _ environment: EnvironmentChain, _ workspace: Workspace? = nil) {
        self.endpoint = endpoint
        self.workspace = workspace
    }

    struct Response {
        let name: String
        let summary: String?
        let status: Int
        let headers: [(name: String, value: String)]
        let body: Body
        /// The type in the headers, or the type that follows from the kind of body.
        let contentType: String?
        let place: Place
    }

    enum Body {
        case none
        case json(OrderedJSON)
        case text(String)

        var text: String {
            switch self {
            case .none: ""
            case .json(let value): value.compact
            case .text(let text): text
            }
        }
    }

    /// The variants with a single response and a text body. For each other variant, the place, and the reason why the variant is
    /// left out.
    func responses() -> (all: [Response], others: [(reason: String, place: Place)]) {
        var all: [Response] = []
        var others: [(String, Place)] = []
        for variant in endpoint.definition.stubs?.variants ?? [] {
            let merged = merged(variant.value)
            if merged.fault != nil {
                others.append(("a stub variant that is a fault of the connection", variant.namePlace))
            } else if merged.sequence != nil {
                others.append(("a stub variant that is a sequence", variant.namePlace))
            } else if let body = body(merged) {
                if awaitsRequest(merged, body) {
                    others.append(("a stub variant that uses values of the request", variant.namePlace))
                    continue
                }
                let headers = merged.headers.flatMap { header in
                    (header.value.set ?? []).compactMap { value in
                        value.literal.map { (name: header.name, value: TextTemplate.unescaped($0.plainText)) }
                    }
                }
                let type = headers.first { $0.name.lowercased() == "content-type" }?.value
                all.append(
                    Response(
                        name: variant.name, summary: variant.value.summary, status: merged.status ?? 200,
                        headers: headers, body: body, contentType: type ?? merged.impliedType,
                        place: variant.namePlace))
            } else {
                others.append(("a stub variant whose body is not text", variant.namePlace))
            }
        }
        return (all, others)
    }

    /// A variant merged with the variants that it is based on. If these variants have an error, the variant alone.
    private func merged(_ variant: VariantDefinition) -> VariantDefinition {
        let stubs = endpoint.definition.stubs
        return (try? variant.merged(standard: stubs?.standard) { stubs?.variants[named: $0] }) ?? variant
    }

    /// Whether the headers or the body have placeholders whose values are only known when a request is received.
    private func awaitsRequest(_ variant: VariantDefinition, _ body: Body) -> Bool {
        guard variant.isFilled == true else { return false }
        let values = variant.headers.flatMap { $0.value.set ?? [] }.map { ValueText.text(of: $0.source) }
        return ([body.text] + values).contains { $0.contains("{{") }
    }

    private func body(_ variant: VariantDefinition) -> Body? {
        switch variant.body {
        case nil: return Body.none
        case .json(let value): return .json(OrderedJSON(value))
        case .text(let text): return .text(text)
        case .bytes(let bytes): return String(validating: bytes, as: UTF8.self).map { .text($0) }
        case .file(let name):
            guard let workspace,
                let bytes = try? workspace.files.read(workspace.path("stubs/\(name.value)"), Workspace.largestFile),
                let text = String(validating: bytes, as: UTF8.self)
            else { return nil }
            let isJSON = name.value.lowercased().hasSuffix(".json")
            return isJSON ? OrderedJSON(parsing: text).map { .json($0) } ?? .text(text) : .text(text)
        }
    }

    /// The node that a JSONPath selects in the default variant; nil if the variant is filled with values of a request.
    func jsonNode(at path: String) -> JSONValue? {
        guard let variant = endpoint.definition.stubs?.standard else { return nil }
        let merged = merged(variant)
        guard merged.isFilled != true, merged.fault == nil, case .json(let value)? = merged.body,
            let parsed = try? JSONPath(path), let nodes = try? parsed.nodes(in: value)
        else { return nil }
        return nodes.first
    }
}
