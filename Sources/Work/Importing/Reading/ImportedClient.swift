import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// A client of an OAuth 2 server, as a source states it. Its strings have placeholders as in an endpoint file.
struct ImportedClient {
    /// The grant in the words of the source, such as `authorization_code`.
    var grant: String
    var texts: [OAuthTemplate.Key: String] = [:]
    var isSecretInBody = false
    var scopes: [String] = []
    /// Parameters for the token endpoint, by their names.
    var parameters: [String: String] = [:]
    /// Whether the token is sent at another place than `Authorization: Bearer`.
    var hasOtherPlace = false
    /// A text for a client ID or a secret that the source doesn't have.
    var missing: (_ name: String) -> String = { "{{\($0)}}" }

    /// The client as an endpoint file writes it, or the reason why the requests get a bearer token instead; with what the user has
    /// to do.
    enum Result {
        case client(ImportedAuth, toDo: String?)
        case token(toDo: String)
    }

    static let usualNote = "OAuth 2 becomes a bearer token: get a token and set it"

    private static let flows: [String: OAuthClient.Flow] = [
        "authorizationcode": .authorizationCode, "authorizationcodewithpkce": .authorizationCode,
        "clientcredentials": .clientCredentials, "devicecode": .deviceCode, "deviceauthorization": .deviceCode,
    ]

    var result: Result {
        let word = grant.lowercased().filter(\.isLetter)
        if word.contains("password") {
            return .token(
                toDo:
                    "the password grant is not supported: set a token, or get it in an endpoint that others name in \"needs\""
            )
        }
        if word.contains("implicit") {
            return .token(
                toDo:
                    "the implicit grant is not supported: set a token, or use \"oauth2\" with the flow authorizationCode"
            )
        }
        guard let flow = Self.flows[word], texts[.issuer] != nil || texts[.tokenURL] != nil else {
            return .token(toDo: Self.usualNote)
        }
        let needed: [OAuthTemplate.Key] =
            texts[.issuer] != nil
            ? [.issuer]
            : [.tokenURL] + [.authorizationCode: [.authorizationURL], .deviceCode: [.deviceURL]][flow, default: []]
        for key in needed {
            let text = texts[key] ?? ""
            if text.contains("{{") { continue }
            if let complaint = key.complaint(about: text) {
                return .token(toDo: "\(key.title) \(complaint), so \(Self.usualNote)")
            }
        }
        if hasOtherPlace {
            return .token(toDo: "the token isn't sent as \"Authorization: Bearer\", so \(Self.usualNote)")
        }
        return .client(auth(flow, needed), toDo: flow == .clientCredentials ? nil : loginNote(flow))
    }

    private func auth(_ flow: OAuthClient.Flow, _ needed: [OAuthTemplate.Key]) -> ImportedAuth {
        let parameters = parameters.filter {
            !$0.key.isEmpty && !$0.value.isEmpty && !OAuthClient.reservedParameters.contains($0.key)
        }
        let isConfidential = flow == .clientCredentials || texts[.clientSecret] != nil
        return .other(
            key: "oauth2",
            .object(
                [.init("flow", .string(flow.rawValue))]
                    + needed.map { .init($0.rawValue, .string(texts[$0] ?? "")) }
                    + .present([
                        "clientID": .string(texts[.clientID] ?? missing("clientID")),
                        "clientSecret": isConfidential ? .string(texts[.clientSecret] ?? missing("clientSecret")) : nil,
                        "clientAuth": isConfidential && isSecretInBody ? "post" : nil,
                        "scopes": scopes.isEmpty ? nil : .array(scopes.map { .string($0) }),
                        "parameters": parameters.isEmpty
                            ? nil
                            : .object(
                                parameters.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }),
                        "redirect": flow == .authorizationCode ? redirect.map { .string($0) } : nil,
                    ])))
    }

    /// The address on this machine at which the browser ends a login; nil for another address, such as that of the tool.
    private var redirect: String? {
        texts[.redirect].flatMap { OAuthTemplate.Key.redirect.complaint(about: $0) == nil ? $0 : nil }
    }

    private func loginNote(_ flow: OAuthClient.Flow) -> String {
        flow == .authorizationCode && redirect == nil
            ? "requests need a login: register the redirect \(OAuthClient.usualRedirect), and run \"reqcli login\""
            : "requests need a login: run \"reqcli login\""
    }
}
