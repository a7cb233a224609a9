import ReqcliNetworking

/// A client of an OAuth 2 server, as a request names it: how it gets access tokens, from where, and for what.
///
/// A request of the client has a stand-in in place of the token. Whoever sends the request gets the token and puts it there.
package final class OAuthClient: Sendable {
    package enum Flow: String, CaseIterable, Sendable { case clientCredentials, authorizationCode, deviceCode }

    /// How the client proves who it is.
    package enum Authentication: String, CaseIterable, Sendable { case basic, post, none }

    package enum Server: Hashable, Sendable {
        /// The server's metadata, below this URL, names its endpoints.
        case issuer(String)
        case endpoints(token: String, authorization: String? = nil, device: String? = nil)
    }

    package let flow: Flow
    package let server: Server
    package let id: String
    package let secret: String?
    package let authentication: Authentication
    package let scopes: [String]
    /// Parameters that the token endpoint gets unchanged, such as `audience`.
    package let parameters: [(name: String, value: String)]
    /// The address on this machine at which a browser ends a login.
    package let redirect: String
    /// The text in place of the token.
    package let standIn: String

    package static let usualRedirect = "http://127.0.0.1/callback"

    /// The names of parameters that the flows set. A second value could replace the first, such as that of `code_challenge_method`.
    package static let reservedParameters: Set = [
        "client_id", "client_secret", "client_assertion", "client_assertion_type", "grant_type", "scope", "state",
        "code",
        "code_verifier", "code_challenge", "code_challenge_method", "redirect_uri", "response_type", "response_mode",
        "refresh_token", "device_code", "token", "token_type_hint",
    ]

    package init(
        flow: Flow, server: Server, id: String, secret: String?, authentication: Authentication?, scopes: [String],
        parameters: [(name: String, value: String)], redirect: String? = nil, standIn: String
    ) {
        self.flow = flow
        self.server = server
        self.id = id
        self.secret = secret
        self.authentication = authentication ?? (secret == nil ? .none : .basic)
        self.scopes = scopes
        self.parameters = parameters
        self.redirect = redirect ?? Self.usualRedirect
        self.standIn = standIn
    }

    /// The URL by which people know the server.
    package var serverName: String {
        switch server {
        case .issuer(let url), .endpoints(let url, _, _): url
        }
    }

    /// The client with changed strings, for exports.
    package func mappingTexts(_ change: (String) -> String) -> OAuthClient {
        let server: Server =
            switch server {
            case .issuer(let url): .issuer(change(url))
            case .endpoints(let token, let authorization, let device):
                .endpoints(token: change(token), authorization: authorization.map(change), device: device.map(change))
            }
        return OAuthClient(
            flow: flow, server: server, id: change(id), secret: secret.map(change), authentication: authentication,
            scopes: scopes.map(change), parameters: parameters.map { ($0.name, change($0.value)) },
            redirect: change(redirect), standIn: standIn)
    }

    /// All texts that tell this client from another one. Tokens are kept for these texts.
    package var identity: [String] {
        let server =
            switch server {
            case .issuer(let url): ["issuer", url]
            case .endpoints(let token, let authorization, let device):
                ["endpoints", token, authorization ?? "", device ?? ""]
            }
        return [flow.rawValue] + server + [id, scopes.joined(separator: " ")]
            + parameters.sorted { ($0.name, $0.value) < ($1.name, $1.value) }.flatMap { [$0.name, $0.value] }
    }
}

extension OAuthClient: Hashable {
    /// Whether both are the same object.
    package static func == (one: OAuthClient, other: OAuthClient) -> Bool { one === other }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension OAuthClient {
    /// The problem with the URL of an OAuth server, as the rest of a sentence that begins with the URL; nil if it is valid. Tokens
    /// and secrets travel only encrypted, except to servers on the same machine.
    package static func complaint(aboutServer text: String) -> String? {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host, !host.isEmpty
        else { return "is not a whole URL, such as https://login.example.com" }
        if url.user != nil || url.password != nil { return "can't have a user or password in it" }
        if text.contains("#") { return "can't have a fragment" }
        return scheme == "https" || Self.isOnThisMachine(host) ? nil : "is not https"
    }

    private static func isOnThisMachine(_ host: String) -> Bool {
        ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host.lowercased())
    }

    /// The problem with the address at which a browser ends a login, as the rest of a sentence that begins with the address; nil if
    /// it is valid. Only this machine may get the code of a login.
    package static func complaint(aboutRedirect text: String) -> String? {
        guard let url = URL(string: text), url.scheme?.lowercased() == "http", let host = url.host,
            isOnThisMachine(host), url.user == nil, !text.contains("#"), !text.contains("?")
        else { return "is not an address on this machine, such as \(usualRedirect)" }
        // Without the colon before a port, any free port is used.
        let hasPort = text.dropFirst("http://".count).prefix { $0 != "/" }.last { $0 == ":" || $0 == "]" } == ":"
        return hasPort && !(1...65535).contains(url.port ?? 0) ? "has no port between 1 and 65535" : nil
    }
}

extension RequestBuilder {
    /// Sets `Authorization` to the stand-in of a client's token.
    package func authorization(of client: OAuthClient) -> RequestBuilder {
        let value = "Bearer \(client.standIn)"
        return appending(
            "authorization", .header("Authorization"), value: value,
            .request { draft in
                draft.setHeader("Authorization", [value])
                draft.request.oauth = client
            })
    }
}

extension PreparedRequest {
    /// The client whose token the request needs; nil if none does, or if another `Authorization` has replaced it.
    package var tokenClient: OAuthClient? {
        oauth.flatMap { headers["Authorization"] == "Bearer \($0.standIn)" ? $0 : nil }
    }
}
