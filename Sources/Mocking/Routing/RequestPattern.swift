package import Assembly
package import CommandLineKit
package import Definitions
import Foundation
import RequestBuilding
package import SourceText

/// What requests of an endpoint look like: the request that `send` would send, read backwards, with gaps for what isn't known.
package final class RequestPattern: Sendable {
    package let endpoint: LocatedEndpoint
    package let method: String
    /// The host and port, if the endpoint or its group has a server of its own.
    let host: String?
    let segments: [Segment]
    let query: [Item]
    /// The headers that are compared with those of a request.
    let headers: [Item]
    let body: Content
    /// The cases of each `$switch`, by its key.
    let choices: [String: Choice]
    /// The name of the environment.
    let environment: String
    /// The params whose values the request shows.
    let parameters: Set<String>

    struct Segment: Sendable {
        let text: TextPattern
        /// Whether a request may lack it.
        let isOptional: Bool
    }

    /// Query items, header fields or form fields of one name.
    struct Item: Sendable {
        let name: String
        let values: [TextPattern]
    }

    enum Content: Sendable {
        case none
        case json(OrderedJSON)
        case graphQL(OrderedJSON)
        case form([Item])
        case text(TextPattern)
        /// A body of this media type that isn't looked into.
        case other(String?)
    }

    /// The values that a `$switch` may give.
    struct Choice: Sendable {
        /// The param whose value picks the case, if it does so alone.
        let parameter: String?
        let cases: [(name: String, value: OrderedJSON)]
        let otherwise: OrderedJSON?
    }

    fileprivate init(
        _ endpoint: LocatedEndpoint, _ request: PreparedRequest, _ call: Call, _ choices: [String: Choice]
    ) {
        self.endpoint = endpoint
        self.choices = choices
        method = request.method.token
        let environment = call.environment.name
        self.environment = environment
        host = endpoint.hasServer(in: environment) ? Self.authority(of: request.url) : nil
        let isSegmented = endpoint.pathIsSegmented(in: environment)
        let lists = ListTexts(endpoint)
        segments = IncomingRequest.segments(request.url.path(percentEncoded: true)).map { text in
            let pattern = TextPattern(lists.joined(text))
            return Segment(
                text: pattern, isOptional: isSegmented && endpoint.mayLack(pattern.onlyGap, choices))
        }
        query = Self.items(IncomingRequest.fields(request.url.query(percentEncoded: true) ?? ""), lists)
        let all = Self.items(request.headers.map { IncomingRequest.Field($0.name, $0.value) }, lists)
        let own = endpoint.headerNames(in: environment)
        headers = all.filter { item in
            let name = item.name.lowercased()
            if name == "authorization" || name == "content-type" { return name == "authorization" }
            return own.contains(name) || item.values.contains(where: \.hasParameter)
        }
        body = Self.content(request, endpoint.body(in: environment), lists)
        let texts = segments.map(\.text) + (query + all).flatMap(\.values) + body.texts
        parameters = Set(texts.flatMap(\.gaps).compactMap(Self.parameter)).union(choices.values.compactMap(\.parameter))
    }

    /// The params whose values a body may show.
    var bodyParameters: Set<String> {
        Set(body.texts.flatMap(\.gaps).compactMap(Self.parameter)).union(choices.values.compactMap(\.parameter))
    }
}

extension RequestPattern {
    /// Makes the patterns of endpoints in one environment.
    package struct Maker: Sendable {
        private let calls: OpenCalls
        private let assembler: Assembler

        package init(_ workspace: Workspace, in environment: EnvironmentChain, world: World, version: String) {
            calls = OpenCalls(workspace, in: environment, .whole, opensSwitches: true, version: version)
            assembler = calls.assembler(world)
        }

        package func pattern(of endpoint: LocatedEndpoint) throws(Failure) -> RequestPattern {
            let call = calls.call(endpoint, [:]).call
            let request = try assembler.assemble(call).request
            let choices = try choices(of: endpoint, call)
            return RequestPattern(endpoint, request, call, choices)
        }

        /// The port of the environment's server, if that is this machine.
        package var localPort: Int? {
            let call = calls.call(LocatedEndpoint(typed: "base"), [:]).call
            guard let url = try? assembler.assemble(call).request.url, let host = url.host?.lowercased(),
                host == "localhost" || host.hasSuffix(".localhost") || host == "127.0.0.1" || host == "::1"
            else { return nil }
            return url.port ?? 80
        }

        /// The values of the variables, without those that params or secrets are needed for.
        package func variables(of endpoint: LocatedEndpoint) -> [String: OrderedJSON] {
            let call = calls.call(endpoint, [:]).call
            var values: [String: OrderedJSON] = [:]
            for variable in calls.environment.variables {
                guard let template = variable.value.value.value else { continue }
                let filled = try? assembler.fill([template], for: call, needsAll: true).values.first ?? nil
                if let value = filled, !value.hasOpenValues { values[variable.name] = value }
            }
            return values
        }

        private func choices(of endpoint: LocatedEndpoint, _ call: Call) throws(Failure) -> [String: Choice] {
            var found: [String: Choice] = [:]
            for choice in endpoint.switches(in: calls.environment) {
                let templates = choice.cases.map(\.value) + [choice.otherwise].compactMap(\.self)
                let values = try assembler.fill(templates, for: call, needsAll: false).values
                var subject: String?
                if case .name(let name)? = choice.subject.onlyPlaceholder?.value { subject = name }
                found[choice.key] = Choice(
                    parameter: endpoint.parameters[named: subject ?? ""] == nil ? nil : subject,
                    cases: zip(choice.cases, values).compactMap { one, value in value.map { (one.name, $0) } },
                    otherwise: choice.otherwise == nil ? nil : values.last ?? nil)
            }
            return found
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
            if values[field.name] == nil { names.append(field.name) }
            values[field.name, default: []].append(TextPattern(lists.joined(field.value)))
        }
        return names.map { Item(name: $0, values: values[$0] ?? []) }
    }

    private static func content(_ request: PreparedRequest, _ body: Body?, _ lists: ListTexts) -> Content {
        guard let body else { return .none }
        let text = request.body?.data.map { String(decoding: $0, as: UTF8.self) } ?? ""
        switch body.content {
        case .json: return OrderedJSON.reading(text).map { .json(lists.joined($0)) } ?? .other("application/json")
        case .graphQL: return OrderedJSON.reading(text).map { .graphQL(lists.joined($0)) } ?? .other("application/json")
        case .form: return .form(items(IncomingRequest.fields(text), lists))
        case .text: return .text(TextPattern(lists.joined(text)))
        case .multipart: return .other("multipart/form-data")
        case .file, .base64: return .other(nil)
        }
    }
}

/// Finds the stand-ins of lists in longer texts, where a list is written as JSON although `send` joins its elements.
private struct ListTexts {
    private let written: [(json: String, standIn: String)]

    init(_ endpoint: LocatedEndpoint) {
        written = endpoint.parameters.filter { $0.value.kind == .list && $0.value.separator == nil }.map { parameter in
            let standIn = StandIn.text(for: .parameter(parameter.name))
            return ("[\"\(standIn)\"]", standIn)
        }
    }

    func joined(_ text: String) -> String {
        written.reduce(text) { $0.replacing($1.json, with: $1.standIn) }
    }

    func joined(_ value: OrderedJSON) -> OrderedJSON {
        if written.isEmpty { return value }
        switch value {
        case .string(let text): return .string(joined(text))
        case .array(let elements): return .array(elements.map(joined))
        case .object(let members): return .object(members.map { OrderedJSON.Member($0.name, joined($0.value)) })
        case .null, .bool, .number: return value
        }
    }
}

extension RequestPattern.Content {
    /// Every text in which there may be gaps.
    fileprivate var texts: [TextPattern] {
        switch self {
        case .json(let value), .graphQL(let value): value.texts.map { TextPattern($0) }
        case .form(let items): items.flatMap(\.values)
        case .text(let text): [text]
        case .none, .other: []
        }
    }
}

extension OrderedJSON {
    fileprivate var texts: [String] {
        switch self {
        case .string(let text): [text]
        case .array(let elements): elements.flatMap(\.texts)
        case .object(let members): members.flatMap(\.value.texts)
        case .null, .bool, .number: []
        }
    }

    /// The value of a JSON text; nil if it isn't one.
    static func reading(_ text: String) -> OrderedJSON? {
        let document = JSONDocument.read(SourceFile(name: "body", text: text))
        return document.problems.isEmpty ? document.root.map { OrderedJSON($0) } : nil
    }
}

extension LocatedEndpoint {
    /// Whether the endpoint or its group says which host it is for.
    fileprivate func hasServer(in environment: String) -> Bool {
        layers(in: environment).contains { $0.baseURL != nil || $0.host != nil }
    }

    /// The names of the headers that the endpoint or its group sets, in lowercase.
    fileprivate func headerNames(in environment: String) -> Set<String> {
        let layers = [definition.environments[named: environment]?.layer, definition.request.layer, defaults?.layer]
        return Set(layers.compactMap(\.self).flatMap { $0.headers.map { $0.name.lowercased() } })
    }

    fileprivate func pathIsSegmented(in environment: String) -> Bool {
        let path = definition.environments[named: environment]?.path ?? definition.request.path
        if case .segments? = path?.value.value { return true }
        return false
    }

    /// Whether a request may lack a part that is this gap alone.
    func mayLack(_ gap: OpenValue?, _ choices: [String: RequestPattern.Choice]) -> Bool {
        guard case .parameter(let name)? = gap else { return false }
        if let choice = choices[name] {
            return choice.otherwise == nil && choice.parameter.map { mayLack(.parameter($0), choices) } ?? false
        }
        guard let parameter = parameters[named: name] else { return false }
        return parameter.defaultValue == nil && !parameter.isRequired
    }
}
