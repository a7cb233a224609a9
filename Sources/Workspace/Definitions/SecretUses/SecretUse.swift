package import ReqcliText

/// A secret in one part of a request, as the files write it.
package struct SecretUse: Sendable {
    package enum Part: Hashable, Sendable {
        /// The scheme, host, port or path of the URL.
        case url
        case header(String)
        /// A query item; nil for a query that is written as a whole.
        case query(String?)
        case body
        /// The key of a signature, which is not sent itself.
        case signature
        /// The client of `oauth2`, which only the OAuth server gets.
        case oauth2
        /// The account of a proxy, which only the proxy gets.
        case proxy

        /// Whether the server of the request receives the part.
        package var goesToServer: Bool { self != .oauth2 && self != .proxy }

        /// The part for a person: `header Authorization`.
        package var phrase: String {
            switch self {
            case .url: "URL"
            case .header(let name): "header \(name)"
            case .query(let name): name.map { "query \($0)" } ?? "query"
            case .body: "body"
            case .signature: "signature"
            case .oauth2: "oauth2 client"
            case .proxy: "proxy account"
            }
        }
    }

    package let secret: String
    package let part: Part
    /// The place of the placeholder.
    package let place: Place
}

extension LocatedEndpoint {
    /// The secrets in the requests of this endpoint in an environment. Conditions such as `$switch` are not evaluated, so a secret of
    /// any case is one of them.
    ///
    /// - Parameter passed: The secrets that callers pass, by the name of the param.
    package func secretUses(in environment: EnvironmentChain, passed: [String: Set<String>] = [:]) -> [SecretUse] {
        var parts = StandingParts()
        for definition in environment.layers { parts.add(definition.layer) }
        for layer in layers(in: environment.name) { parts.add(layer) }
        let overlay = definition.environments[named: environment.name]
        for layer in [definition.request, overlay].compactMap(\.self) {
            if let path = layer.path { parts.set("path", .url, path.set) }
            if let body = layer.body { parts.set("body", .body, body.set) }
        }
        var uses: [SecretUse] = []
        for (part, placeholders) in parts.all {
            for placeholder in placeholders {
                let secrets = environment.secrets(in: [placeholder], passed)
                uses += secrets.sorted().map { SecretUse(secret: $0, part: part, place: placeholder.place) }
            }
        }
        return uses
    }
}

/// The placeholders in the parts of a request. A later layer replaces a part of an earlier one.
private struct StandingParts {
    private var slots: [(key: String, part: SecretUse.Part, placeholders: [Located<Placeholder>])] = []

    var all: [(SecretUse.Part, [Located<Placeholder>])] { slots.map { ($0.part, $0.placeholders) } }

    mutating func set(_ key: String, _ part: SecretUse.Part, _ value: (any Walkable)?) {
        set(key, part, value?.placeholders ?? [])
    }

    private mutating func set(_ key: String, _ part: SecretUse.Part, _ placeholders: [Located<Placeholder>]) {
        slots.removeAll { $0.key == key }
        if !placeholders.isEmpty { slots.append((key, part, placeholders)) }
    }

    mutating func add(_ layer: RequestLayer) {
        if let setting = layer.baseURL { set("baseURL", .url, setting.set) }
        if let setting = layer.host { set("host", .url, setting.set) }
        if let setting = layer.port { set("port", .url, setting.set) }
        if let setting = layer.basePath { set("basePath", .url, setting.set) }
        for header in layer.headers {
            let placeholders = (header.value.set ?? []).flatMap(\.placeholders)
            set("header \(header.name.lowercased())", .header(header.name), placeholders)
        }
        switch layer.query?.set {
        case .text(let template):
            slots.removeAll { $0.key.hasPrefix("query ") }
            set("query ", .query(nil), template)
        case .items(let items):
            for item in items {
                let placeholders = (item.value.set ?? []).flatMap(\.placeholders)
                set("query \(item.name)", .query(item.name), placeholders)
            }
        case nil: if layer.query != nil { slots.removeAll { $0.key.hasPrefix("query ") } }
        }
        if let auth = layer.auth {
            let credentials = auth.set?.credentials
            set("auth", credentials?.secretPart ?? .body, credentials?.values.flatMap(\.placeholders) ?? [])
        }
        if let proxy = layer.proxy {
            let account = [proxy.set?.user, proxy.set?.password].compactMap { $0?.placeholders }.flatMap(\.self)
            set("proxy", .proxy, (proxy.set?.url.placeholders ?? []) + account)
        }
    }
}

extension Credentials {
    /// The part of the request that carries the credentials.
    fileprivate var secretPart: SecretUse.Part {
        switch self {
        case .bearer, .basic, .digest, .any: .header("Authorization")
        case .apiKey(.header, let name, _): .header(name.value)
        case .apiKey(.query, let name, _): .query(name.value)
        case .signature: .signature
        case .oauth2: .oauth2
        }
    }
}

extension EnvironmentChain {
    /// The secrets that the values of placeholders contain, also through variables.
    ///
    /// - Parameter passed: The secrets in the values of params.
    package func secrets(
        in placeholders: [Located<Placeholder>], _ passed: [String: Set<String>] = [:]
    ) -> Set<String> {
        var found: Set<String> = []
        var visited: Set<String> = []
        var open = placeholders.map(\.value)
        while let placeholder = open.popLast() {
            switch placeholder {
            case .secret(let name): found.insert(name)
            case .name(let name):
                found.formUnion(passed[name] ?? [])
                guard visited.insert(name).inserted, let value = variable(name)?.set else { continue }
                open += value.placeholders.map(\.value)
            case .computed(let computed): open += computed.inner.map(\.value)
            case .capture, .generated, .processVariable: break
            }
        }
        return found
    }
}
