import Foundation
import ReqcliAssembly
package import ReqcliDefinitions
import ReqcliText
@_spi(Generated) import RequestBuilding

/// The pattern of an endpoint's requests: the request that `send` would send, with gaps in place of the values that are not
/// known.
package final class RequestPattern: Sendable {
    package let endpoint: LocatedEndpoint
    package let method: String
    /// The host and port, if the endpoint or its group has a server of its own.
    let host: String?
    let segments: [Segment]
    private let knownDetails = LazyReference<Details>()
    private let knownVariants = LazyReference<EndpointVariants>()
    let maker: Maker

    /// The parts that are compared with a request once its path and its method fit. These parts are computed when needed, because
    /// most endpoints of a server are never called.
    private final class Details: Sendable {
        let query: [Item]
        let headers: [Item]
        let body: Content
        let choices: [String: Choice]
        let parameters: Set<String>
        let contentTypes: [TextPattern]
        let secretFields: SecretFields?

        init(_ endpoint: LocatedEndpoint, _ segments: [Segment], _ assembled: Maker.Assembled, by maker: Maker) {
            let environment = maker.environment
            let lists = ListTexts(endpoint)
            let request = assembled.request
            choices = assembled.choices
            query =
                RequestPattern.items(IncomingRequest.fields(request.url.query(percentEncoded: true) ?? ""), lists)
                + endpoint.signatureItems(.query, in: maker.calls.environment)
            let all = RequestPattern.items(request.headers.map { IncomingRequest.Field($0.name, $0.value) }, lists)
            let own = endpoint.headerNames(in: environment)
            headers =
                all.filter { item in
                    let name = item.name.lowercased()
                    if name == "authorization" { return true }
                    return own.contains(name) && name != "content-type" || item.values.contains(where: \.hasParameter)
                } + endpoint.signatureItems(.header, in: maker.calls.environment)
            body = RequestPattern.content(request, endpoint.body(in: environment), lists)
            contentTypes = all.first { $0.name.isSameHeader(as: "Content-Type") }?.values ?? []
            // Credentials are not read, so that no message contains a part of the credentials.
            let shown = all.filter { !$0.name.isSameHeader(as: "Authorization") }
            let texts = segments.map(\.text) + (query + shown).flatMap(\.texts) + body.fields.map(\.text)
            parameters = Set(texts.flatMap(\.gaps).compactMap(RequestPattern.parameter))
                .union(choices.values.compactMap(\.parameter))
            secretFields = SecretFields(
                of: endpoint, segments.map(\.text), query: query, headers: all, body, choices, by: maker)
        }

        /// Empty details, for a request that could not be assembled.
        init() {
            (query, headers, body, choices, parameters, contentTypes) = ([], [], .none, [:], [], [])
            secretFields = nil
        }
    }

    var query: [Item] { details.query }
    /// The headers that are compared with the headers of a request.
    var headers: [Item] { details.headers }
    var body: Content { details.body }
    /// The cases of each `$switch`, by its key.
    var choices: [String: Choice] { details.choices }
    /// The params whose values can be read from a request.
    var parameters: Set<String> { details.parameters }
    /// The values of `Content-Type`: at most one, unless the endpoint has a list.
    var contentTypes: [TextPattern] { details.contentTypes }
    /// The fields of requests that hold secrets; nil if there are none.
    var secretFields: SecretFields? { details.secretFields }

    /// The stub variants of the endpoint.
    var variants: EndpointVariants {
        knownVariants.value ?? knownVariants.keep(EndpointVariants(endpoint, maker.schemas))
    }

    private var details: Details { knownDetails.value ?? knownDetails.keep(madeDetails) }

    private var madeDetails: Details {
        do throws(Failure) {
            return Details(endpoint, segments, try maker.assembled(endpoint), by: maker)
        } catch {
            assertionFailure("a certain request of \(endpoint.id) fails: \(error)")
            return Details()
        }
    }

    struct Segment: Sendable {
        let text: TextPattern
        /// Whether a request may lack the segment.
        let isOptional: Bool
    }

    /// Query items, header fields or form fields of one name.
    struct Item: Sendable {
        let name: String
        /// The pattern of the name, if the name has gaps. For example, a whole query can be one string with placeholders.
        let openName: TextPattern?
        let values: [TextPattern]

        init(name: String, values: [TextPattern]) {
            self.name = name
            self.values = values
            let pattern = TextPattern(name)
            openName = pattern.literal == nil ? pattern : nil
        }

        /// Every text in which there may be gaps.
        var texts: [TextPattern] { [openName].compactMap(\.self) + values }
    }

    enum Content: Sendable {
        case none
        case json(OrderedJSON)
        case graphQL(OrderedJSON)
        case form([Item])
        case multipart([Item])
        case text(TextPattern)
        /// A body of this media type whose content is not compared.
        case other(String?)
    }

    /// The values that a `$switch` may give.
    struct Choice: Sendable {
        /// The param whose value selects the case; nil if the case is not selected by the value of a single param.
        let parameter: String?
        let cases: [(name: String, value: OrderedJSON)]
        let otherwise: OrderedJSON?
    }

    /// The pattern of a request that was assembled.
    init(_ endpoint: LocatedEndpoint, _ assembled: Maker.Assembled, by maker: Maker) {
        self.endpoint = endpoint
        self.maker = maker
        let environment = maker.environment
        let request = assembled.request
        method = request.method.token
        host = endpoint.hasServer(in: environment) ? Self.authority(of: request.url) : nil
        let isSegmented = endpoint.pathIsSegmented(in: environment)
        let lists = ListTexts(endpoint)
        segments = IncomingRequest.segments(request.url.path(percentEncoded: true)).map { text in
            let pattern = TextPattern(lists.joined(text))
            return Segment(
                text: pattern, isOptional: isSegmented && endpoint.mayLack(pattern.onlyGap, assembled.choices))
        }
        _ = knownDetails.keep(Details(endpoint, segments, assembled, by: maker))
    }

    /// The pattern of a request that is certain to be assembled; see ``CertainRequests``.
    ///
    /// - Parameter path: The path of the request, percent-encoded and with stand-ins.
    init(_ endpoint: LocatedEndpoint, path: String, by maker: Maker) {
        self.endpoint = endpoint
        self.maker = maker
        method = endpoint.method(in: maker.environment)
        host = nil
        segments = IncomingRequest.segments(path).map { Segment(text: TextPattern($0), isOptional: false) }
    }

    /// The params whose values may be read from a body.
    var bodyParameters: Set<String> {
        Set(body.fields.flatMap(\.text.gaps).compactMap(Self.parameter)).union(choices.values.compactMap(\.parameter))
    }
}

extension RequestPattern {
    /// A pattern in the form that files use, with `{{name}}` for each gap.
    func shown(_ text: TextPattern) -> String {
        text.pieces.map { piece in
            switch piece {
            case .literal(let text): text
            case .open(let gap): "{{\(name(of: gap))}}"
            }
        }.joined()
    }

    private func name(of gap: OpenValue) -> String {
        switch gap {
        // The choices take long to read, and only a name that no param has can be that of a choice.
        case .parameter(let name):
            endpoint.parameters[named: name] == nil ? choices[name].map { $0.parameter ?? "…" } ?? name : name
        case .variable(let name): name
        case .secret(let name): "secret.\(name)"
        case .capture(let alias, let name): "\(alias).\(name)"
        case .generated(let generated): generated.rawValue
        case .processVariable(let name): "$env.\(name)"
        case .computed(let text, _): text
        }
    }

    private static func parameter(_ gap: OpenValue) -> String? {
        if case .parameter(let name) = gap { name } else { nil }
    }

    private static func authority(of url: URL) -> String? {
        url.host.map { host in url.port.map { "\(host.lowercased()):\($0)" } ?? host.lowercased() }
    }

    private static func items(_ fields: [IncomingRequest.Field], _ lists: ListTexts) -> [Item] {
        var names: [String] = []
        var values: [String: [TextPattern]] = [:]
        for field in fields {
            let name = lists.joined(field.name)
            if values[name] == nil { names.append(name) }
            values[name, default: []].append(TextPattern(lists.joined(field.value)))
        }
        return names.map { Item(name: $0, values: values[$0] ?? []) }
    }

    private static func content(_ request: PreparedRequest, _ body: Body?, _ lists: ListTexts) -> Content {
        guard let body else { return .none }
        let text = request.body?.data.map { String(decoding: $0, as: UTF8.self) } ?? ""
        switch body.content {
        case .json: return OrderedJSON(parsing: text).map { .json(lists.joined($0)) } ?? .other("application/json")
        case .graphQL:
            return OrderedJSON(parsing: text).map { .graphQL(lists.joined($0)) } ?? .other("application/json")
        case .form: return .form(items(IncomingRequest.fields(text), lists))
        case .text: return .text(TextPattern(lists.joined(text)))
        case .multipart: return .multipart(items(request.formParts, lists))
        case .file, .base64: return .other(nil)
        }
    }
}

extension RequestPattern.Content {
    /// Every text in which there may be gaps, with the name of the field or of the JSON member that has it.
    var fields: [(name: String, text: TextPattern)] {
        switch self {
        case .json(let value), .graphQL(let value):
            value.namedValues.map { name, value in
                if case .string(let text) = value { (name, TextPattern(text)) } else { (name, TextPattern("")) }
            }
        case .form(let items), .multipart(let items): items.flatMap { item in item.texts.map { (item.name, $0) } }
        case .text(let text): [("", text)]
        case .none, .other: []
        }
    }

    var isMultipart: Bool { if case .multipart = self { true } else { false } }

    var isJSON: Bool {
        switch self {
        case .json, .graphQL: true
        case .none, .form, .multipart, .text, .other: false
        }
    }
}

extension PreparedRequest {
    /// The parts of a multipart body. A file counts as a gap, so that any content fits.
    fileprivate var formParts: [IncomingRequest.Field] {
        let file = Data(StandIn.text(for: .generated(.uuid)).utf8)
        let bytes = (body?.pieces ?? []).flatMap { piece in if case .data(let data) = piece { data } else { file } }
        return MultipartText(bytes)?.fields ?? []
    }
}
