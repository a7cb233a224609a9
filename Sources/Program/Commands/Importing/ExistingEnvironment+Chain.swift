import Importing
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText
@_spi(Generated) import RequestBuilding

extension ExistingEnvironment {
    /// Collects the facts about an environment that an import needs, including the environments that it extends.
    init(_ chain: EnvironmentChain) {
        self.init()
        secretVariables = Self.secretVariables(of: chain)
        var server = ServerParts()
        for layer in chain.layers.map(\.layer) {
            server.take(layer)
            if let redirects = layer.redirects {
                let follow = redirects.set?[TransferSetting.followsRedirects.name]
                if follow != nil || redirects.set == nil { followsRedirects = follow?.value == "true" }
            }
            if let auth = layer.auth {
                hasAuth = auth.set != nil
                authKind = auth.set?.credentials.kindWithHeader
            }
            let known = Set(credentialHeaders)
            credentialHeaders += layer.headers.filter { header in
                (LikelySecret.isHeader(header.name) || hasSecret(header.value.placeholders)
                    || header.value.set?.contains { isSecret(header.name, $0) } == true)
                    && !known.contains(header.name)
            }.map(\.name)
            let knownItems = Set(secretQueryItems)
            switch layer.query?.set {
            case nil: if layer.query != nil { hasSecretQueryText = false }
            case .text(let text):
                hasSecretQueryText = hasSecret(text.placeholders) || LikelySecret.isIn(query: text.source)
            case .items(let items):
                secretQueryItems += items.filter { item in
                    (LikelySecret.isName(item.name) || hasSecret(item.value.placeholders))
                        && !knownItems.contains(item.name)
                }.map(\.name)
            }
        }
        baseURL = server.url
        refusesServer = baseURL == nil && (hasAuth || !credentialHeaders.isEmpty || !secretQueryItems.isEmpty)
        variables = Set(chain.variables.map(\.name))
        for variable in chain.variables {
            if case .string(let text)? = variable.value.set?.source { variableTexts[variable.name] = text }
        }
        for secret in chain.secrets {
            guard case .processVariable(let variable)? = secret.value.set else {
                // The secret comes from a command or a file, so it has no variable.
                secrets[secret.name] = ""
                continue
            }
            secrets[secret.name] = variable.value
        }
    }

    /// Whether one of the placeholders stands for a secret, or for a variable whose value contains a secret.
    private func hasSecret(_ placeholders: [Located<Placeholder>]) -> Bool {
        Self.haveSecret(placeholders, secretVariables)
    }

    private static func haveSecret(_ placeholders: [Located<Placeholder>], _ variables: Set<String>) -> Bool {
        placeholders.contains { placeholder in
            switch placeholder.value {
            case .secret, .capture, .processVariable: true
            case .name(let name): variables.contains(name)
            case .generated, .computed: false
            }
        }
    }

    /// The variables whose values contain a secret, directly or through other variables. A value in a file is a secret if its name
    /// or its form shows it.
    private static func secretVariables(of chain: EnvironmentChain) -> Set<String> {
        let literals = chain.variables.filter { variable in
            variable.value.set.map { isSecret(variable.name, $0) } ?? false
        }
        var found = Set(literals.map(\.name))
        var rest = chain.variables.map { (name: $0.name, placeholders: $0.value.set?.placeholders ?? []) }
        while case let new = rest.filter({ haveSecret($0.placeholders, found) }), !new.isEmpty {
            found.formUnion(new.map(\.name))
            rest.removeAll { found.contains($0.name) }
        }
        return found
    }
}

/// Whether a value in a file looks like a secret by its name or by its form.
private func isSecret(_ name: String, _ value: ValueTemplate) -> Bool {
    LikelySecret.isIn(.object([OrderedJSON.Member(name, value.source)]))
}

extension Setting<[ValueTemplate]> {
    fileprivate var placeholders: [Located<Placeholder>] { (self.set ?? []).flatMap(\.placeholders) }
}

extension Credentials {
    /// The key of this kind of authentication if it sets the header Authorization; nil for other kinds.
    fileprivate var kindWithHeader: String? {
        switch self {
        case .bearer: "bearer"
        case .basic: "basic"
        case .digest: "digest"
        case .any, .apiKey, .signature, .oauth2: nil
        }
    }
}

/// The server of an environment. Each layer can give the whole URL, or some parts of it.
private struct ServerParts {
    private var whole: String?
    private var scheme = "https"
    private var host: String?
    private var port = ""
    private var path = ""

    mutating func take(_ layer: RequestLayer) {
        if let setting = layer.baseURL { whole = setting.set?.source }
        if let setting = layer.scheme { scheme = setting.set?.rawValue ?? scheme }
        if let setting = layer.host {
            host = setting.set?.source
            whole = nil
        }
        if let setting = layer.port { port = setting.set.map { ":" + Self.text($0.source) } ?? "" }
        if let setting = layer.basePath { path = setting.set?.source ?? "" }
    }

    var url: String? {
        if let whole { return whole.hasSuffix("/") ? String(whole.dropLast()) : whole }
        guard let host else { return nil }
        return "\(scheme)://\(host)\(port)\(path.isEmpty || path.hasPrefix("/") ? path : "/" + path)"
    }

    private static func text(_ value: OrderedJSON) -> String {
        if case .string(let text) = value { text } else { value.compact }
    }
}
