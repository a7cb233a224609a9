import Definitions
import Importing
import Redaction
import SourceText

extension ExistingEnvironment {
    /// The facts of an environment with all that it extends.
    init(_ chain: EnvironmentChain) {
        self.init()
        var server = ServerParts()
        for layer in chain.layers.map(\.layer) {
            server.take(layer)
            if let auth = layer.auth {
                hasAuth = auth.value.value != nil
                authKind = auth.value.value?.kindWithHeader
            }
            let known = Set(credentialHeaders)
            credentialHeaders += layer.headers.filter { header in
                (LikelySecret.isHeader(header.name) || header.value.hasSecret) && !known.contains(header.name)
            }.map(\.name)
            let knownItems = Set(secretQueryItems)
            secretQueryItems += (layer.query?.value.value?.items ?? []).filter { item in
                item.value.hasSecret && !knownItems.contains(item.name)
            }.map(\.name)
        }
        baseURL = server.url
        refusesServer = baseURL == nil && (hasAuth || !credentialHeaders.isEmpty || !secretQueryItems.isEmpty)
        variables = Set(chain.variables.map(\.name))
        for secret in chain.secrets {
            guard case .processVariable(let variable)? = secret.value.value.value else {
                // A command or a file: no variable has this secret.
                secrets[secret.name] = ""
                continue
            }
            secrets[secret.name] = variable.value
        }
    }
}

extension Setting<[ValueTemplate]> {
    /// Whether a secret is in one of the values.
    fileprivate var hasSecret: Bool {
        (value.value ?? []).flatMap(\.placeholders).contains { if case .secret = $0.value { true } else { false } }
    }
}

extension Auth {
    /// The key of a kind that sets the header Authorization; nil for others.
    fileprivate var kindWithHeader: String? {
        switch self {
        case .bearer: "bearer"
        case .basic: "basic"
        case .digest: "digest"
        case .any, .apiKey: nil
        }
    }
}

/// The server of an environment, which its layers give whole or in parts.
private struct ServerParts {
    private var whole: String?
    private var scheme = "https"
    private var host: String?
    private var port = ""
    private var path = ""

    mutating func take(_ layer: RequestLayer) {
        if let setting = layer.baseURL { whole = setting.value.value?.source }
        if let setting = layer.scheme { scheme = setting.value.value?.rawValue ?? scheme }
        if let setting = layer.host {
            host = setting.value.value?.source
            whole = nil
        }
        if let setting = layer.port { port = setting.value.value.map { ":" + Self.text($0.source) } ?? "" }
        if let setting = layer.basePath { path = setting.value.value?.source ?? "" }
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
