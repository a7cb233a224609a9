package import ReqcliText
package import RequestBuilding

/// The next step of a login or of a request for a token. A step sends nothing itself; the caller decides how it is sent.
package indirect enum OAuthStep: Sendable {
    /// Send this request, and continue with its response.
    case send(PreparedRequest, next: @Sendable (OAuthResponse) throws(OAuthProblem) -> OAuthStep)
    /// Let a person log in at this address, and continue with the address that the browser ends at.
    case authorize(AuthorizationRequest, next: @Sendable (String) throws(OAuthProblem) -> OAuthStep)
    /// Show a person where to enter a code, and go on at once.
    case show(DeviceCode, next: @Sendable () -> OAuthStep)
    case wait(Duration, next: @Sendable () throws(OAuthProblem) -> OAuthStep)
    case done(TokenGrant)
    /// The end of a conversation that gives no token.
    case ended
}

/// The response of an OAuth server, as far as a step needs it.
package struct OAuthResponse: Sendable {
    package let status: Int
    package let body: [UInt8]

    /// The largest body that is read, in bytes.
    package static let largestBody = 1 << 20

    package init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }
}

/// The reason why there is no token.
package struct OAuthProblem: Error {
    package let wording: Wording
    package var hint: Wording?
    /// The `error` of the server's response, such as `invalid_grant`; nil if the response is unusable.
    package var code: String?
}

/// A token, and what its server says about it.
package struct TokenGrant: Sendable {
    package var accessToken: String
    package var refreshToken: String?
    /// The seconds until the token expires; nil if the server doesn't say.
    package var lifetime: Int?
    /// The scopes, if the server grants others than those asked for.
    package var scopes: [String]?
    /// The claims of the ID token, which are not verified; nil without one.
    package var idToken: String?
    package var endpoints: OAuthEndpoints
}

/// The endpoints of a server that are of use after a login.
package struct OAuthEndpoints: Sendable, Equatable {
    package var token: String
    package var revocation: String?
    package var userInfo: String?

    package init(token: String, revocation: String? = nil, userInfo: String? = nil) {
        self.token = token
        self.revocation = revocation
        self.userInfo = userInfo
    }
}

extension OAuthResponse {
    /// The response as a JSON object.
    func object(from url: String) throws(OAuthProblem) -> JSONValue {
        guard !(300...399).contains(status) else {
            throw OAuthProblem(
                wording: "\(url) responded with a redirect (\(status)), which is not followed",
                hint: "check the issuer or the URL in \"oauth2\"")
        }
        let document = JSONDocument.read(SourceFile(name: "response", bytes: body, isSecret: true))
        guard let root = document.validRoot, root.kind == .object else {
            throw OAuthProblem(
                wording: "\(url) responded with \(status) and a body that is not a JSON object",
                hint: "check the issuer or the URL in \"oauth2\"")
        }
        return root
    }
}

extension JSONValue {
    /// A member that is a string and not empty.
    func text(_ key: String) -> String? { self[key]?.string.flatMap { $0.isEmpty ? nil : $0 } }
}
