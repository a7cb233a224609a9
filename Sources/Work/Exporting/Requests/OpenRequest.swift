import Foundation
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

extension String {
    /// Scheme, host and port of a URL.
    var origin: Substring {
        let mark = firstRange(of: "://")?.upperBound ?? startIndex
        return self[..<(self[mark...].firstIndex { "/?#".contains($0) } ?? endIndex)]
    }
}

/// A request of an endpoint in which some values are left open, because they are only known when the request is sent.
struct OpenRequest: Sendable {
    let endpoint: LocatedEndpoint
    let environment: EnvironmentChain
    /// The environment's variables with their values. The request may still contain stand-ins for these values.
    let variables: [Named<Setting<ValueTemplate>>]
    let assembled: AssembledRequest
    /// What takes the place of open values in the base URL of the request.
    let servers: ServerStandIns
    /// The call that made the request. The values of the call fill the placeholders in expectations.
    let call: Call
    /// The requests that are sent first, in the order of `needs`.
    let needs: [Need]
    /// The values of params: the values in the file, or the values that another request passes to this needed request.
    let values: [String: OrderedJSON]

    struct Need: Sendable {
        let alias: String
        let request: OpenRequest
        let refreshOn: [Int]
        let place: Place
    }

    var request: PreparedRequest { assembled.request }
    var method: String { assembled.method }
    var url: String { servers.restored(request.url.absoluteString) }
    var summary: String? { endpoint.definition.summary }

    /// The summary for a comment of one line; nil if the comment would be empty.
    var commentSummary: String? {
        // Tools read `@` and the like at the beginning of a comment as an instruction.
        let text = summary.map { ScriptText.comment($0).drop { "@#/ ".contains($0) } } ?? ""
        let end = text.lastIndex { $0 != " " }.map { text.index(after: $0) } ?? text.startIndex
        return end == text.startIndex ? nil : String(text[..<end])
    }

    /// A note about the request, or about a part of it.
    ///
    /// - Parameter place: The place of the part; nil for the place of the endpoint.
    func note(
        _ kind: ConversionNote.Kind, _ message: String, part: String? = nil, at place: Place? = nil
    ) -> ConversionNote {
        ConversionNote(
            kind, message, part.map { "\($0) of \(endpoint.id)" } ?? endpoint.id, at: place ?? endpoint.definition.place
        )
    }

    /// The note about a placeholder with functions, which no other tool has.
    func noteOnFunctions(_ text: String) -> ConversionNote {
        note(.lost, "{{\(text)}} has functions, so a variable without a value takes its place")
    }

    /// A key that distinguishes this request from other requests of the same endpoint.
    var key: String {
        let open = values.filter { endpoint.parameters[named: $0.key] != nil }.sorted { $0.key < $1.key }
        return endpoint.id + "?" + open.map { "\($0.key)=\($0.value.compact)" }.joined(separator: "&")
    }

    var expectation: Expectation? { endpoint.expectation(in: environment.name) }

    /// The headers that the request's files set, in order.
    var headers: [(name: String, value: String)] { request.headers.map { ($0.name, $0.value) } }

    var contentType: String? { request.headers["Content-Type"] }

    /// The body as text; nil if the body isn't in memory or isn't text.
    var bodyText: String? { request.body?.data.flatMap { String(validating: $0, as: UTF8.self) } }

    /// The body as JSON; nil if the body isn't JSON.
    var bodyJSON: OrderedJSON? {
        guard let body = endpoint.body(in: environment.name), case .json = body.content, let text = bodyText else {
            return isGraphQL ? bodyText.flatMap { OrderedJSON(parsing: $0) } : nil
        }
        return OrderedJSON(parsing: text)
    }

    private var isGraphQL: Bool { endpoint.graphQLPlace(in: environment.name) != nil }

    /// Whether a JSON string that consists only of this value keeps its quotes. Numbers and JSON values lose them.
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
        case .generated, .computed: !value.isNumber
        case .secret, .processVariable: true
        }
    }

    /// Whether the value of a capture is a string, according to the endpoint's default stub. Without a stub, the value is assumed
    /// to be a string.
    private func capturesText(_ name: String) -> Bool {
        switch endpoint.definition.captures[named: name]?.source {
        case .status: false
        case .json(let path):
            endpoint.definition.stubs?.standardNode(at: path.value).map { $0.kind == .string } ?? true
        default: true
        }
    }

    /// The value in the files; nil for a value that is only known when the request is sent.
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
