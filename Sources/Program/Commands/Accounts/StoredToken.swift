import Foundation
import OAuth
import ReqcliText
import RequestBuilding

/// A token as it is kept in a file, with what is needed to use, renew and revoke it.
struct StoredToken: Sendable {
    /// The workspace, the environment and the client that the token belongs to, for a person.
    let workspace: String
    let environment: String
    let client: String
    let server: String
    /// The servers that a person has agreed to, and the ways there; none for a token that needs no login.
    let places: [TokenPlace]
    /// The times in seconds since 1970.
    let obtained: Int
    let expires: Int?
    let scopes: [String]
    let endpoints: OAuthEndpoints
    let accessToken: String
    let refreshToken: String?
    /// The user's name, as the ID token says it.
    let user: String?
    /// The user's identifier at the server, as the ID token says it.
    let subject: String?

    /// Whether the token can be used. A token that can be renewed is renewed early, and also if the clock was set back, because
    /// its end is then unknown. Any other token is used until its end.
    func isUsable(at now: Double, isRenewable: Bool) -> Bool {
        guard isRenewable else { return expires.map { now < Double($0) } ?? true }
        guard now >= Double(obtained) else { return false }
        guard let expires else { return true }
        return now < Double(expires) - min(60, Double(expires - obtained) / 10)
    }

    /// The servers that get the token, for a person.
    var origins: [String] { places.filter { $0.origin != nil }.map(\.phrase) }

    var secrets: [OAuthSecret] {
        [OAuthSecret(name: "token", value: accessToken)]
            + (refreshToken.map { [OAuthSecret(name: "refresh_token", value: $0)] } ?? [])
    }
}

extension StoredToken {
    /// A new token. Parts that the server leaves out stay as before.
    init(_ grant: TokenGrant, for need: TokenNeed, places: [TokenPlace], at now: Double, replacing old: StoredToken?) {
        workspace = need.workspace
        environment = need.environment
        client = need.client.id
        server = need.client.serverName
        self.places = places
        obtained = Int(now)
        expires = grant.lifetime.map { Int(now) + $0 }
        scopes = grant.scopes ?? old?.scopes ?? need.client.scopes
        endpoints = grant.endpoints
        accessToken = grant.accessToken
        refreshToken = grant.refreshToken ?? old?.refreshToken
        // The ID token isn't verified: the name is only shown.
        let claims = grant.idToken.flatMap(Self.claims)
        user =
            claims.flatMap { claims in
                ["email", "preferred_username", "name", "sub"].lazy.compactMap { claims[$0]?.string }.first
            } ?? old?.user
        subject = claims?["sub"]?.string ?? old?.subject
    }

    /// The claims of a JSON Web Token; nil for any other token.
    static func claims(of token: String) -> JSONValue? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let text = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
        let padded = text + String(repeating: "=", count: (4 - text.count % 4) % 4)
        guard let data = Data(base64Encoded: padded) else { return nil }
        let root = JSONDocument.read(SourceFile(name: "claims", bytes: Array(data), isSecret: true)).validRoot
        return root?.kind == .object ? root : nil
    }
}

// MARK: - The file

extension StoredToken {
    init?(_ bytes: [UInt8]) {
        guard let root = JSONDocument.read(SourceFile(name: "token", bytes: bytes, isSecret: true)).validRoot,
            let access = root["accessToken"]?.string, let obtained = root["obtained"]?.number?.int,
            let tokenURL = root["tokenURL"]?.string
        else { return nil }
        func texts(_ key: String) -> [String] { root[key]?.elements.compactMap(\.string) ?? [] }
        workspace = root["workspace"]?.string ?? ""
        environment = root["environment"]?.string ?? ""
        client = root["client"]?.string ?? ""
        server = root["server"]?.string ?? ""
        places = root["places"]?.elements.map(TokenPlace.init) ?? []
        self.obtained = obtained
        expires = root["expires"]?.number?.int
        scopes = texts("scopes")
        endpoints = OAuthEndpoints(
            token: tokenURL, revocation: root["revocationURL"]?.string, userInfo: root["userInfoURL"]?.string)
        accessToken = access
        refreshToken = root["refreshToken"]?.string
        user = root["user"]?.string
        subject = root["subject"]?.string
    }

    var bytes: [UInt8] {
        let json = OrderedJSON.object([
            "workspace": .string(workspace), "environment": .string(environment), "client": .string(client),
            "server": .string(server), "places": .array(places.map(\.json)), "obtained": .int(obtained),
            "expires": expires.map { .int($0) }, "scopes": .array(scopes.map { .string($0) }),
            "tokenURL": .string(endpoints.token), "revocationURL": endpoints.revocation.map { .string($0) },
            "userInfoURL": endpoints.userInfo.map { .string($0) }, "user": user.map { .string($0) },
            "subject": subject.map { .string($0) },
            "accessToken": .string(accessToken), "refreshToken": refreshToken.map { .string($0) },
        ])
        return Array((json.pretty + "\n").utf8)
    }
}
