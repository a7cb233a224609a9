import Foundation
import ReqcliBasics
import ReqcliText
import RequestBuilding

/// A login in a browser: the address to open there, and how to recognise the address that the browser ends at (RFC 6749, 4.1).
package struct AuthorizationRequest: Sendable {
    /// The address to open.
    package let url: String
    let redirect: String
    let state: String
    /// The issuer, if it is known.
    let issuer: String?
    /// Whether the server promises to name itself in its response (RFC 9207).
    let namesIssuer: Bool

    /// The two random values of a login. Only the hash of the verifier leaves the program before the code is redeemed (RFC 7636).
    package struct Secrets: Sendable {
        package let state: String
        package let verifier: String

        /// - Parameter random: Returns 32 random bytes.
        package init(random: () -> [UInt8]) {
            state = Self.text(random())
            verifier = Self.text(random())
        }

        var challenge: String { Self.text(SHA256.hash(Array(verifier.utf8))) }

        private static func text(_ bytes: [UInt8]) -> String {
            Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
                "=", with: "")
        }
    }

    /// Whether a request is the browser's, at the end of this login: its path, and the state that only the two know.
    ///
    /// - Parameter target: The path and the query of a request, or a whole URL.
    package func isAnswered(by target: String) -> Bool {
        guard let answer = URLComponents(string: target), let expected = URLComponents(string: redirect) else {
            return false
        }
        let path = expected.path.isEmpty ? "/" : expected.path
        return (answer.path.isEmpty ? "/" : answer.path) == path
            && Self.values("state", answer).elementsEqual([state])
    }

    /// The code in the answer.
    func code(in target: String) throws(OAuthProblem) -> String {
        guard isAnswered(by: target), let answer = URLComponents(string: target) else {
            throw OAuthProblem(
                wording: "this address is not the end of this login",
                hint: "paste the whole address that the browser shows at the end, or log in again")
        }
        let issuers = Self.values("iss", answer)
        if let issuer, namesIssuer || !issuers.isEmpty, issuers != [issuer] {
            throw OAuthProblem(
                wording: "the login ended at another issuer than \(issuer): \(issuers.first ?? "none")",
                hint: "the answer was not used; check \"issuer\"")
        }
        if let error = Self.values("error", answer).first {
            let description = Self.values("error_description", answer).first.map { ": \($0)" as Wording }
            throw OAuthProblem(wording: "the login was refused: \(error)" + (description ?? ""))
        }
        let codes = Self.values("code", answer)
        guard let code = codes.first, codes.count == 1, !code.isEmpty else {
            throw OAuthProblem(wording: "the login ended without a code")
        }
        return code
    }

    static func values(_ name: String, _ answer: URLComponents) -> [String] {
        (answer.percentEncodedQuery ?? "").split(separator: "&").compactMap { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard PercentEncoding.decoded(parts[0]) == name else { return nil }
            return PercentEncoding.decoded(parts.count > 1 ? parts[1].replacing("+", with: " ") : "")
        }
    }
}

extension OAuthFlow {
    /// Gets a token through a login in a browser, always with PKCE.
    ///
    /// - Parameters:
    ///   - redirect: The address that the browser ends at.
    ///   - isSecret: Whether a text contains a secret. Parameters with a secret only go to the token endpoint, because other users
    ///     of the machine may see the address that is opened.
    package func authorizationCode(
        redirect: String, _ secrets: AuthorizationRequest.Secrets,
        isSecret: @escaping @Sendable (String) -> Bool = { _ in false }
    ) throws(OAuthProblem) -> OAuthStep {
        try discovering { metadata throws(OAuthProblem) in
            guard let address = metadata.authorization else {
                throw OAuthProblem(wording: "\(client.serverName) names no authorization_endpoint")
            }
            let own = URLComponents(string: address)?.queryItems?.map(\.name) ?? []
            if let name = own.first(where: OAuthClient.reservedParameters.contains) {
                throw OAuthProblem(
                    wording: "the authorization endpoint, \(address), already has \(own: name), which reqcli sets")
            }
            guard metadata.challengeMethods?.contains("S256") ?? true else {
                throw OAuthProblem(
                    wording: "\(client.serverName) does not support PKCE with S256, without which a code can be stolen")
            }
            let items =
                [
                    ("response_type", "code"), ("client_id", client.id), ("redirect_uri", redirect),
                    ("state", secrets.state), ("code_challenge", secrets.challenge), ("code_challenge_method", "S256"),
                ] + scope
                + client.parameters.filter { !isSecret($0.value) }.map { ($0.name, $0.value) }
            let query = items.map { "\(PercentEncoding.queryComponent($0))=\(PercentEncoding.queryComponent($1))" }
                .joined(separator: "&")
            let issuer: String? = if case .issuer(let issuer) = client.server { issuer } else { nil }
            let request = AuthorizationRequest(
                url: "\(address)\(address.contains("?") ? "&" : "?")\(query)", redirect: redirect,
                state: secrets.state, issuer: issuer, namesIssuer: metadata.namesIssuer)
            return .authorize(request) { target throws(OAuthProblem) in
                try requestingToken(
                    [
                        ("grant_type", "authorization_code"), ("code", try request.code(in: target)),
                        ("redirect_uri", redirect), ("code_verifier", secrets.verifier),
                    ], metadata.endpoints)
            }
        }
    }
}
