import Exchange
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliJSONPath
import ReqcliMocking
import ReqcliText
import RequestBuilding

/// The responses of an endpoint's stub variants, as examples.
struct StubReader {
    private let endpoint: LocatedEndpoint
    private let workspace: Workspace

    init(_ endpoint: LocatedEndpoint, _ workspace: Workspace) {
        (self.endpoint, self.workspace) = (endpoint, workspace)
    }

    struct Response {
        let name: String
        let summary: String?
        let status: Int
        let headers: [(name: String, value: String)]
        let body: Body
        let place: Place

        var contentType: String? { headers.first { $0.name.lowercased() == "content-type" }?.value }
    }

    enum Body {
        case none
        case json(OrderedJSON)
        case text(String)
    }

    /// The reason why a variant is left out.
    private struct Obstacle: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    /// The variants with a single response and a text body. For each other variant, the place, and the reason why the variant is
    /// left out.
    func responses() -> (all: [Response], others: [(reason: String, place: Place)]) {
        var all: [Response] = []
        var others: [(String, Place)] = []
        for variant in endpoint.definition.stubs?.variants ?? [] {
            do throws(Obstacle) { all.append(try response(of: variant)) } catch {
                others.append((error.reason, variant.namePlace))
            }
        }
        return (all, others)
    }

    /// The response that `serve` and `send --stub` give.
    private func response(of variant: Named<VariantDefinition>) throws(Obstacle) -> Response {
        if variant.value.sequence != nil { throw Obstacle("a stub variant that is a sequence") }
        guard
            let script = try? workspace.stubs(
                variant.name, of: endpoint, ifUnknown: .broken, staysOnDisk: { _ in true }),
            let stub = script.stubs.first
        else { throw Obstacle("a stub variant that can't be read") }
        if stub.error != nil { throw Obstacle("a stub variant that is a fault of the connection") }
        guard let text = text(of: stub.body) else { throw Obstacle("a stub variant whose body is not text") }
        let headers = stub.headers.map { (name: $0.name, value: $0.value) }
        // The values of placeholders are only known when a request is received.
        if stub.isFilled, ([text] + headers.map(\.value)).contains(where: { $0.contains("{{") }) {
            throw Obstacle("a stub variant that uses values of the request")
        }
        let merged = endpoint.definition.stubs?.merged(variant.value)
        return Response(
            name: variant.name, summary: variant.value.summary, status: stub.status, headers: headers,
            body: Self.body(text, merged?.body), place: variant.namePlace)
    }

    private func text(of body: Stub.Body) -> String? {
        switch body {
        case .data(let data): String(validating: data, as: UTF8.self)
        case .file(let path):
            (try? workspace.files.read(path, Workspace.largestFile)).flatMap { String(validating: $0, as: UTF8.self) }
        }
    }

    private static func body(_ text: String, _ definition: VariantDefinition.Body?) -> Body {
        guard let definition else { return .none }
        let isJSON =
            switch definition {
            case .json: true
            case .file(let name): name.value.lowercased().hasSuffix(".json")
            case .text, .bytes: false
            }
        return isJSON ? OrderedJSON(parsing: text).map { .json($0) } ?? .text(text) : .text(text)
    }
}

extension Stubs {
    /// A variant merged with the variants that it is based on. If these variants have an error, the variant alone.
    fileprivate func merged(_ variant: VariantDefinition) -> VariantDefinition {
        (try? variant.merged(standard: standard) { variants[named: $0] }) ?? variant
    }

    /// The node that a JSONPath selects in the default variant; nil if the variant is filled with values of a request.
    func standardNode(at path: String) -> JSONValue? {
        guard let merged = standard.map(merged), merged.isFilled != true, merged.fault == nil,
            case .json(let value)? = merged.body, let parsed = try? JSONPath(path),
            let nodes = try? parsed.nodes(in: value)
        else { return nil }
        return nodes.first
    }
}
