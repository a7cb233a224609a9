import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText

/// The parts of an endpoint's request in an environment. Of each part, only the value of the last layer that sets it counts.
struct EffectiveRequest {
    private(set) var server = ServerTemplates()
    private(set) var proxy: ProxyTemplate?
    private var auth: Auth?
    private var path: PathTemplate?
    private var body: Body?
    /// The headers and query items by their names. The names of headers are in lower case.
    private var headers: [String: [ValueTemplate]] = [:]
    private var items: [String: [ValueTemplate]] = [:]
    private var queryText: TextTemplate?

    init(_ endpoint: LocatedEndpoint, in environment: EnvironmentChain) {
        for layer in environment.layers.map(\.layer) + endpoint.layers(in: environment.name) { take(layer) }
        let layers = [endpoint.definition.request, endpoint.definition.environments[named: environment.name]]
        for layer in layers.compactMap(\.self) {
            if let setting = layer.path { path = setting.set }
            if let setting = layer.body { body = setting.set }
        }
    }

    private mutating func take(_ layer: RequestLayer) {
        server.take(layer)
        if let setting = layer.proxy { proxy = setting.set }
        if let setting = layer.auth { auth = setting.set }
        for header in layer.headers { headers[header.name.lowercased()] = header.value.set }
        switch layer.query?.set {
        case nil:
            if layer.query != nil { (items, queryText) = ([:], nil) }
        case .text(let text): (items, queryText) = ([:], text)
        case .items(let own):
            for item in own { items[item.name] = item.value.set }
        }
    }

    /// The placeholders of what is sent to the server.
    var placeholders: [Placeholder] {
        var all = headers.values.flatMap(\.self).flatMap(\.placeholders)
        all += items.values.flatMap(\.self).flatMap(\.placeholders)
        all += auth?.credentials.values.flatMap(\.placeholders) ?? []
        all += queryText?.placeholders ?? []
        all += path?.placeholders ?? []
        all += body?.placeholders ?? []
        return all.map(\.value)
    }

    /// The credentials that the files contain.
    var literals: [FlowingValue] {
        var found: [FlowingValue] = []
        for (name, values) in headers {
            for case .string(let text)? in values.map(\.literal)
            where !text.isEmpty && (LikelySecret.isHeader(name) || LikelySecret.isSecret(name, text)) {
                found.append(.literal(text, name: name))
            }
        }
        for (name, values) in items {
            for case .string(let text)? in values.map(\.literal) where LikelySecret.isSecret(name, text) {
                found.append(.literal(text, name: name))
            }
        }
        if let query = queryText?.source, LikelySecret.isIn(query: query) {
            found.append(.literal(query, name: "query"))
        }
        for case .string(let text)? in auth?.credentials.values.map(\.literal) ?? [] where !text.isEmpty {
            found.append(.literal(text, name: "auth"))
        }
        return found
    }
}

/// The templates that choose a server.
struct ServerTemplates {
    private(set) var base: TextTemplate?
    private(set) var scheme: String?
    private(set) var host: TextTemplate?
    private(set) var port: ValueTemplate?

    fileprivate mutating func take(_ layer: RequestLayer) {
        if let setting = layer.baseURL { (base, scheme, host, port) = (setting.set, nil, nil, nil) }
        if let setting = layer.scheme { scheme = setting.set?.rawValue }
        if let setting = layer.host { host = setting.set }
        if let setting = layer.port { port = setting.set }
    }
}
