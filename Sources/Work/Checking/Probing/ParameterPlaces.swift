import ReqcliDefinitions
import ReqcliText

/// The places where an endpoint's request uses its params. They decide how the params can be probed.
struct ParameterPlaces {
    /// The params in the path, in the query, in headers or in the body.
    private var used: Set<String> = []
    private(set) var inPath: Set<String> = []
    /// The params that are the whole value of a query item, a header, a form field or a member of a JSON body.
    private var whole: Set<String> = []
    /// The params that are part of a longer string or of a list. Leaving out such a param would also change other parts of the
    /// request.
    private var partial: Set<String> = []
    /// The params in the server's address, in the credentials or in a required call. Changing such a param says nothing about the
    /// endpoint.
    private var elsewhere: Set<String> = []

    init(of endpoint: LocatedEndpoint, in environment: String) {
        let overlay = endpoint.definition.environments[named: environment]
        let layers = [endpoint.defaults?.layer, endpoint.definition.request.layer, overlay?.layer].compactMap(\.self)
        var headers: [String: [ValueTemplate]] = [:]
        var items: [String: [ValueTemplate]] = [:]
        var queryText: TextTemplate?
        for layer in layers {
            for header in layer.headers { headers[header.name.lowercased()] = header.value.set ?? [] }
            switch layer.query?.set {
            case .items(let all)?: for item in all { items[item.name] = item.value.set ?? [] }
            case .text(let text)?: (items, queryText) = ([:], text)
            case nil: if layer.query != nil { (items, queryText) = ([:], nil) }
            }
            var rest = layer
            (rest.headers, rest.query) = ([], nil)
            elsewhere.formUnion(rest.placeholders.names)
        }
        elsewhere.formUnion(endpoint.needs.flatMap(\.value.parameters).flatMap(\.value.placeholders).names)
        for values in Array(headers.values) + Array(items.values) { add(values) }
        if let queryText { addPartial(queryText.placeholders.names) }
        let path = overlay?.path ?? endpoint.definition.request.path
        inPath = Set((path?.set?.placeholders ?? []).names)
        addPartial(Array(inPath))
        if let body = endpoint.body(in: environment) { add(body) }
    }

    /// Whether a change of the param changes only this request.
    func canChange(_ name: String) -> Bool { used.contains(name) && !elsewhere.contains(name) }

    /// Whether leaving out the param changes nothing else in the request.
    func canLeaveOut(_ name: String) -> Bool { whole.contains(name) && !partial.contains(name) }

    private mutating func add(_ body: Body) {
        switch body.content {
        case .json(.object(let members, _)): for member in members { add(member.value) }
        case .json(let value): addPartial(value.placeholders.names)
        case .form(let fields): for field in fields { add(field.value.set ?? []) }
        case .text, .multipart, .file, .base64: addPartial(body.placeholders.names)
        // A server responds with 200 even to a GraphQL operation that it rejects.
        case .graphQL: elsewhere.formUnion(body.placeholders.names)
        }
    }

    private mutating func add(_ values: [ValueTemplate]) {
        if values.count == 1 { add(values[0]) } else { addPartial(values.flatMap(\.placeholders).names) }
    }

    private mutating func add(_ value: ValueTemplate) {
        switch value {
        case .text(let text):
            if case .name(let name)? = text.onlyPlaceholder?.value {
                used.insert(name)
                whole.insert(name)
            } else {
                addPartial(text.placeholders.names)
            }
        case .object(let members, _): for member in members { add(member.value) }
        case .plain, .scalar, .list, .choice: addPartial(value.placeholders.names)
        }
    }

    private mutating func addPartial(_ names: [String]) {
        used.formUnion(names)
        partial.formUnion(names)
    }
}

extension [Located<Placeholder>] {
    /// The names of the params among the placeholders.
    fileprivate var names: [String] { compactMap { if case .name(let name) = $0.value { name } else { nil } } }
}
