import Foundation
import ReqcliText
import RequestBuilding

/// The metadata that an issuer publishes (OpenID Connect Discovery, RFC 8414).
struct IssuerMetadata: Sendable {
    let endpoints: OAuthEndpoints
    var authorization: String?
    var device: String?
    /// The methods of PKCE; nil if the issuer doesn't say them.
    var challengeMethods: [String]?
    /// Whether the issuer names itself when a login ends (RFC 9207).
    var namesIssuer = false

    /// The URLs at which an issuer's metadata can be: for OpenID Connect, then for RFC 8414.
    static func urls(of issuer: String) -> [String] {
        let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        let start = base.firstRange(of: "://").map { base[$0.upperBound...] } ?? base[...]
        let slash = start.firstIndex(of: "/") ?? base.endIndex
        return [
            "\(base)/.well-known/openid-configuration",
            "\(base[..<slash])/.well-known/oauth-authorization-server\(base[slash...])",
        ]
    }

    init(_ response: OAuthResponse, of issuer: String, from url: String) throws(OAuthProblem) {
        let root = try response.object(from: url)
        guard response.status == 200 else {
            throw OAuthProblem(
                wording: "the metadata at \(url) has the status \(response.status)", hint: "check \"issuer\"")
        }
        guard let said = root.text("issuer") else {
            throw OAuthProblem(wording: "the metadata at \(url) names no issuer", hint: "check \"issuer\"")
        }
        // Another issuer could put its own endpoints in the place of the right ones.
        guard said == issuer else {
            throw OAuthProblem(
                wording: "the metadata at \(url) is of another issuer: \(said)",
                hint: "if you mean that one, write it as \"issuer\", exactly like that")
        }
        func endpoint(_ key: String) throws(OAuthProblem) -> String? {
            guard let text = root.text(key) else { return nil }
            guard let complaint = OAuthClient.complaint(aboutServer: text) else { return text }
            throw OAuthProblem(wording: "the \(own: key) of \(issuer), \(text), \(own: complaint)")
        }
        guard let token = try endpoint("token_endpoint") else {
            throw OAuthProblem(wording: "the metadata of \(issuer) names no token_endpoint")
        }
        endpoints = OAuthEndpoints(
            token: token, revocation: try endpoint("revocation_endpoint"),
            userInfo: try endpoint("userinfo_endpoint"))
        authorization = try endpoint("authorization_endpoint")
        device = try endpoint("device_authorization_endpoint")
        challengeMethods = root["code_challenge_methods_supported"].map { $0.elements.compactMap(\.string) }
        namesIssuer = root["authorization_response_iss_parameter_supported"]?.bool ?? false
    }

    init(token: String, authorization: String?, device: String?) {
        endpoints = OAuthEndpoints(token: token)
        self.device = device
        self.authorization = authorization
    }
}
