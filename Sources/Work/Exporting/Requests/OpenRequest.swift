import Foundation
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// A request of an endpoint in which some values are left open.
struct OpenRequest: Sendable {
    let endpoint: LocatedEndpoint
    let environment: EnvironmentChain
    /// The environment's variables with their values, which may be open in it.
    let variables: [Named<Setting<ValueTemplate>>]
    let assembled: AssembledRequest
    /// The ports of its URL that are open.
    let ports: PortStandIns
    /// The call that made it, in whose scope expectations are filled.
    let call: Call
    /// The requests that are sent first, in the order of `needs`.
    let needs: [Need]
    /// The values that params have in the file, or that a caller hands on to a need.
    let values: [String: OrderedJSON]

    struct Need: Sendable {
        let alias: String
        let request: OpenRequest
        let refreshOn: [Int]
        let place: Place
    }

    var request: PreparedRequest { assembled.request }
    var method: String { assembled.method }
    var url: String { ports.restored(request.url.absoluteString) }
    var summary: String? { endpoint.definition.summary }

    /// The summary for a comment of one line; nil if nothing is left of it.
    var commentSummary: String? {
        // Behind an `@`, tools read an instruction.
        let text = summary.map { ScriptText.comment($0).drop { "@#/ ".contains($0) } } ?? ""
        let end = text.lastIndex { $0 != " " }.map { text.index(after: $0) } ?? text.startIndex
        return end == text.startIndex ? nil : String(text[..<end])
    }

    /// Distinguishes this request from others of the same endpoint.
    var key: String {
        let open = values.filter { endpoint.parameters[named: $0.key] != nil }.sorted { $0.key < $1.key }
        return endpoint.id + "?" + open.map { "\($0.key)=\($0.value.compact)" }.joined(separator: "&")
    }

    var expectation: Expectation? { endpoint.expectation(in: environment.name) }

    /// The headers that the request sets itself, in order.
    var headers: [(name: String, value: String)] { request.headers.map { ($0.name, $0.value) } }

    var contentType: String? { request.headers["Content-Type"] }

    /// The body's bytes as text, if they are in memory and are text.
    var bodyText: String? { request.body?.data.flatMap { String(validating: $0, as: UTF8.self) } }

    /// The body as JSON, if it is.
    var bodyJSON: OrderedJSON? {
        guard let body = endpoint.body(in: environment.name), case .json = body.content, let text = bodyText else {
            return isGraphQL ? bodyText.flatMap { OrderedJSON(parsing: $0) } : nil
        }
        return OrderedJSON(parsing: text)
    }

    private var isGraphQL: Bool { endpoint.body(in: environment.name)?.isGraphQL == true }

    /// Whether a value stands in quotes where it is the whole of a JSON string: numbers and JSON don't.
    func isText(_ value: OpenValue) -> Bool {
        switch value {
        case .parameter(let name):
            switch endpoint.parameters[named: name]?.kind {
            case .integer, .number, .boolean, .json, .list: false
            default: true
            }
        case .variable(let name):
            if case .string? = variables[named: name]?.set?.literal { true } else { false }
        case .capture(let alias, let name): needs.first { $0.alias == alias }?.request.capturesText(name) ?? true
        case .generated(.timestamp), .generated(.randomInt): false
        case .secret, .processVariable, .generated: true
        }
    }

    /// Whether the value of a capture is text, as far as the endpoint's stub says.
    private func capturesText(_ name: String) -> Bool {
        switch endpoint.definition.captures[named: name]?.source {
        case .status: false
        case .json(let path):
            StubReader(endpoint, environment).jsonNode(at: path.value).map { $0.kind == .string } ?? true
        default: true
        }
    }

    /// The value that the files give; nil for one that is known only when the request is sent.
    func sample(_ value: OpenValue) -> OrderedJSON? {
        switch value {
        case .parameter(let name):
            endpoint.parameters[named: name]?.isSecret == true
                ? nil : values[name].map { $0.filling { _ in nil } }
        case .variable(let name): variables[named: name]?.set?.literal
        default: nil
        }
    }
}
