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
    /// - Parameter passed: The secrets that callers pass, by the name of the param, and the captured ones, by `alias.name`.
    package func secretUses(in environment: EnvironmentChain, passed: [String: Set<String>] = [:]) -> [SecretUse] {
        var parts = StandingParts { name in
            if let parameter = self.parameters[named: name] {
                return !parameter.isRequired && parameter.defaultValue == nil
            }
            return environment.variable(name)?.set?.isMissing(without: { _ in false }) ?? false
        }
        for definition in environment.layers { parts.add(definition.layer) }
        for layer in layers(in: environment.name) { parts.add(layer) }
        let overlay = definition.environments[named: environment.name]
        for layer in [definition.request, overlay].compactMap(\.self) {
            if let path = layer.path { parts.set("path", .url, path.set?.placeholders) }
            if let body = layer.body { parts.set("body", .body, body.set?.placeholders) }
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

/// The placeholders in the parts of a request. A later layer replaces a part of an earlier one, unless its value can be missing.
private struct StandingParts {
    /// Whether a param or variable can have no value.
    let isOptional: (String) -> Bool
    private var slots: [(key: String, part: SecretUse.Part, placeholders: [Located<Placeholder>])] = []

    init(isOptional: @escaping (String) -> Bool) { self.isOptional = isOptional }

    var all: [(SecretUse.Part, [Located<Placeholder>])] { slots.map { ($0.part, $0.placeholders) } }

    mutating func set(
        _ key: String, _ part: SecretUse.Part, _ placeholders: [Located<Placeholder>]?, mayBeMissing: Bool = false
    ) {
        if !mayBeMissing { slots.removeAll { $0.key == key } }
        if let placeholders, !placeholders.isEmpty { slots.append((key, part, placeholders)) }
    }

    private mutating func set(_ key: String, _ part: SecretUse.Part, _ values: [ValueTemplate]) {
        set(
            key, part, values.flatMap(\.placeholders),
            mayBeMissing: !values.isEmpty && values.allSatisfy { $0.isMissing(without: isOptional) })
    }

    mutating func add(_ layer: RequestLayer) {
        if let setting = layer.baseURL { set("baseURL", .url, setting.set.map { [.text($0)] } ?? []) }
        if let setting = layer.host { set("host", .url, setting.set.map { [.text($0)] } ?? []) }
        if let setting = layer.port { set("port", .url, setting.set.map { [$0] } ?? []) }
        if let setting = layer.basePath { set("basePath", .url, setting.set.map { [.text($0)] } ?? []) }
        for header in layer.headers {
            set("header \(header.name.lowercased())", .header(header.name), header.value.set ?? [])
        }
        switch layer.query?.set {
        case .text(let template):
            slots.removeAll { $0.key.hasPrefix("query ") }
            set("query ", .query(nil), template.placeholders)
        case .items(let items):
            for item in items { set("query \(item.name)", .query(item.name), item.value.set ?? []) }
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

extension ValueTemplate {
    /// Whether there is no value if the params and variables with no value are among those for which the closure is true. A text with
    /// more than a placeholder needs its value.
    fileprivate func isMissing(without isOptional: (String) -> Bool) -> Bool {
        switch self {
        case .text(let template):
            guard template.pieces.count == 1, case .placeholder(let placeholder) = template.pieces[0] else {
                return false
            }
            switch placeholder.value {
            case .name(let name): return isOptional(name)
            case .computed(let computed):
                return computed.inner.contains {
                    if case .name(let name) = $0.value { isOptional(name) } else { false }
                }
            case .secret, .capture, .generated, .processVariable: return false
            }
        case .choice(let choice):
            return choice.otherwise?.isMissing(without: isOptional) ?? true
                || choice.cases.contains { $0.value.isMissing(without: isOptional) }
        case .plain, .scalar, .list, .object: return false
        }
    }

    /// Whether a `$switch` chooses the value or a part of it.
    package var hasSwitch: Bool {
        switch self {
        case .choice: true
        case .list(let elements, _): elements.contains(where: \.hasSwitch)
        case .object(let members, _): members.contains(where: \.value.hasSwitch)
        case .plain, .text, .scalar: false
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
    /// Whether a `$switch` chooses the value of a variable that placeholders name, also through other variables.
    package func hasSwitch(in placeholders: [Located<Placeholder>]) -> Bool {
        var visited: Set<String> = []
        var open = placeholders.map(\.value)
        while let placeholder = open.popLast() {
            if case .computed(let computed) = placeholder { open += computed.inner.map(\.value) }
            guard case .name(let name) = placeholder, visited.insert(name).inserted, let value = variable(name)?.set
            else { continue }
            if value.hasSwitch { return true }
            open += value.placeholders.map(\.value)
        }
        return false
    }

    /// The secrets that the values of placeholders contain, also through variables.
    ///
    /// - Parameter passed: The secrets in the values of params, and of captures as `alias.name`.
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
            case .capture(let alias, let name): found.formUnion(passed["\(alias).\(name)"] ?? [])
            case .generated, .processVariable: break
            }
        }
        return found
    }
}
