import Foundation
import ReqcliText
package import RequestBuilding

/// The steps with which a client gets, renews and revokes tokens.
package struct OAuthFlow: Sendable {
    let client: OAuthClient

    package init(_ client: OAuthClient) { self.client = client }

    /// Gets a token with the client's own secret (RFC 6749, 4.4).
    package func clientCredentials() throws(OAuthProblem) -> OAuthStep {
        try discovering { metadata throws(OAuthProblem) in
            try requestingToken([("grant_type", "client_credentials")] + scope, metadata.endpoints)
        }
    }

    /// Renews a token (RFC 6749, 6).
    package func refresh(_ token: String, _ endpoints: OAuthEndpoints) throws(OAuthProblem) -> OAuthStep {
        try requestingToken([("grant_type", "refresh_token"), ("refresh_token", token)], endpoints)
    }

    /// Revokes a token (RFC 7009).
    package func revoke(_ token: String, isRefresh: Bool, at url: String) throws(OAuthProblem) -> OAuthStep {
        let hint = isRefresh ? "refresh_token" : "access_token"
        return .send(try post(url, [("token", token), ("token_type_hint", hint)])) {
            response throws(OAuthProblem) in
            guard response.status != 200 else { return .ended }
            throw Self.problem(in: try response.object(from: url), response.status, url)
        }
    }

    /// The parameters that the author adds. None of them has the name of a parameter that a step sets.
    var others: [(String, String)] { client.parameters.map { ($0.name, $0.value) } }

    var scope: [(String, String)] { client.scopes.isEmpty ? [] : [("scope", client.scopes.joined(separator: " "))] }

    // MARK: Discovery

    /// Continues with the metadata of the server, which has to be asked for if only its issuer is known.
    func discovering(
        _ then: @escaping @Sendable (IssuerMetadata) throws(OAuthProblem) -> OAuthStep
    ) throws(OAuthProblem) -> OAuthStep {
        switch client.server {
        case .endpoints(let token, let authorization, let device):
            return try then(IssuerMetadata(token: token, authorization: authorization, device: device))
        case .issuer(let issuer):
            let urls = IssuerMetadata.urls(of: issuer)
            return .send(try get(urls[0])) { response throws(OAuthProblem) in
                guard (400...499).contains(response.status) else {
                    return try then(IssuerMetadata(response, of: issuer, from: urls[0]))
                }
                return .send(try get(urls[1])) { response throws(OAuthProblem) in
                    guard response.status == 200 else {
                        throw OAuthProblem(
                            wording: "\(issuer) has no metadata: \(urls[1]) responded with \(response.status)",
                            hint: "check \"issuer\", or write \"tokenURL\" in its place")
                    }
                    return try then(IssuerMetadata(response, of: issuer, from: urls[1]))
                }
            }
        }
    }

    // MARK: The token endpoint

    func requestingToken(
        _ form: [(String, String)], _ endpoints: OAuthEndpoints
    ) throws(OAuthProblem) -> OAuthStep {
        return .send(try post(endpoints.token, form + others)) { response throws(OAuthProblem) in
            .done(try Self.grant(in: response, endpoints))
        }
    }

    static func grant(in response: OAuthResponse, _ endpoints: OAuthEndpoints) throws(OAuthProblem) -> TokenGrant {
        let root = try response.object(from: endpoints.token)
        // Some servers report an error with the status 200.
        guard response.status == 200, root["error"] == nil else {
            throw problem(in: root, response.status, endpoints.token)
        }
        guard let token = root.text("access_token"), token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw OAuthProblem(wording: "\(endpoints.token) responded without a usable access_token")
        }
        if let type = root.text("token_type"), type.lowercased() != "bearer" {
            throw OAuthProblem(
                wording: "\(endpoints.token) gave a token of the type \(type); reqcli can only send the type Bearer")
        }
        // A number, according to RFC 6749. Some servers write it as a string.
        let seconds = root["expires_in"].flatMap { $0.number?.int ?? $0.string.flatMap { Int($0) } }
        return TokenGrant(
            accessToken: token, refreshToken: root.text("refresh_token"),
            lifetime: seconds.flatMap { $0 <= 3_155_760_000 ? max($0, 0) : nil },
            scopes: root.text("scope").map { $0.split(separator: " ").map(String.init) },
            idToken: root.text("id_token"), endpoints: endpoints)
    }

    /// The error that a server reports (RFC 6749, 5.2).
    static func problem(in root: JSONValue, _ status: Int, _ url: String) -> OAuthProblem {
        guard let code = root.text("error") else {
            return OAuthProblem(wording: "\(url) responded with \(status)")
        }
        let description = root.text("error_description").map { ": \($0)" as Wording } ?? ""
        return OAuthProblem(wording: "\(url) refused: \(code)" + description, hint: hints[code], code: code)
    }

    private static let hints: [String: Wording] = [
        "invalid_client": "check \"clientID\", \"clientSecret\" and \"clientAuth\"",
        "unauthorized_client": "the server doesn't allow this client the flow of \"oauth2\"",
        "unsupported_grant_type": "the server doesn't know the flow of \"oauth2\"",
        "invalid_scope": "check \"scopes\"",
    ]

    // MARK: Requests

    func get(_ url: String) throws(OAuthProblem) -> PreparedRequest {
        PreparedRequest(url: try parsed(url), headers: ["Accept": "application/json"])
    }

    /// A form for the server, with what proves who the client is.
    func post(_ url: String, _ form: [(String, String)]) throws(OAuthProblem) -> PreparedRequest {
        var form = form
        var headers: HeaderFields = [
            "Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded",
        ]
        if client.authentication == .basic, let secret = client.secret {
            // Both parts are encoded first (RFC 6749, 2.3.1), so that a colon in the ID is not taken for the end of it.
            let account = [client.id, secret].map(PercentEncoding.queryComponent)
            headers.append(
                "Authorization", Account(user: account[0], password: account[1]).basicAuthorization)
        } else {
            form.append(("client_id", client.id))
            if client.authentication == .post, let secret = client.secret { form.append(("client_secret", secret)) }
        }
        let body = form.map { "\(PercentEncoding.queryComponent($0))=\(PercentEncoding.queryComponent($1))" }
            .joined(separator: "&")
        return PreparedRequest(url: try parsed(url), method: .post, headers: headers, body: .data(Data(body.utf8)))
    }

    private func parsed(_ url: String) throws(OAuthProblem) -> URL {
        if let parsed = URL(string: url) { return parsed }
        throw OAuthProblem(wording: "\(url) is not a URL")
    }
}
