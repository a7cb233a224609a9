import Assembly
import Definitions
import JSONPath
import SourceText

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
        let place: Place

        var contentType: String? {
            headers.first { $0.name.lowercased() == "content-type" }?.value ?? body.contentType
        }
    }

    enum Body {
        case none
        case json(OrderedJSON)
        case text(String)

        var contentType: String? {
            switch self {
            case .none: nil
            case .json: "application/json"
            case .text: "text/plain"
            }
        }
    }

    /// The variants that are a response as text, and the places of those that aren't.
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
                all.append(
                    Response(
                        name: variant.name, summary: merged.summary, status: merged.status ?? 200,
                        headers: merged.headers.flatMap { header in
                            (header.value.value.value ?? []).compactMap { value in
                                value.literal.map { (header.name, TextTemplate.unescaped($0.plainText)) }
                            }
                        }, body: body, place: variant.namePlace))
            } else {
                others.append(("a stub variant that is no text", variant.namePlace))
            }
        }
        return (all, others)
    }

    /// A variant with what it is like below it.
    private func merged(_ variant: StubVariant) -> StubVariant {
        var result = variant
        var seen: Set<String> = []
        while let like = result.like?.value, seen.insert(like).inserted,
            let base = endpoint.definition.stubs?.variants[named: like]
        {
            result.body = result.body ?? base.body
            result.status = result.status ?? base.status
            let own = Set(result.headers.map { $0.name.lowercased() })
            result.headers += base.headers.filter { !own.contains($0.name.lowercased()) }
            result.fault = result.fault ?? base.fault
            result.like = base.like
        }
        return result
    }

    private func body(_ variant: StubVariant) -> Body? {
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
            return isJSON ? OrderedJSON.read(text).map { .json($0) } ?? .text(text) : .text(text)
        }
    }

    /// The node that a JSONPath selects in the default variant.
    func jsonNode(at path: String) -> JSONValue? {
        let stubs = endpoint.definition.stubs
        let name = stubs?.defaultVariant?.value ?? stubs?.variants.first?.name
        guard let variant = name.flatMap({ stubs?.variants[named: $0] }),
            case .json(let value)? = merged(variant).body, let parsed = try? JSONPath(path),
            let nodes = try? parsed.nodes(in: value)
        else { return nil }
        return nodes.first
    }
}
