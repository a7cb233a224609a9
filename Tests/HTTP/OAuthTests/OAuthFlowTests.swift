import Foundation
import ReqcliText
import RequestBuilding
import Testing

@testable import OAuth

/// Steps of flows, without any server.
@Suite("OAuth flows")
struct OAuthFlowTests {
    static func client(
        _ server: OAuthClient.Server = .issuer("https://i.example/realm"), secret: String? = "s:1 ä",
        _ authentication: OAuthClient.Authentication? = nil
    ) -> OAuthClient {
        OAuthClient(
            flow: .clientCredentials, server: server, id: "c:1", secret: secret, authentication: authentication,
            scopes: ["a", "b"], parameters: [("audience", "https://api.example")], standIn: "-")
    }

    static let metadata = #"{"issuer": "https://i.example/realm", "token_endpoint": "https://i.example/t"}"#

    /// The steps after these responses, or the problem with the last of them.
    static func run(_ first: () throws(OAuthProblem) -> OAuthStep, _ responses: [(Int, String)]) -> Outcome {
        var sent: [PreparedRequest] = []
        do throws(OAuthProblem) {
            var step = try first()
            for (status, body) in responses {
                step = try after(step)
                guard case .send(let request, let next) = step else { break }
                sent.append(request)
                step = try next(OAuthResponse(status: status, body: Array(body.utf8)))
            }
            step = try after(step)
            if case .send(let request, _) = step { sent.append(request) }
            if case .done(let grant) = step { return Outcome(sent: sent, grant: grant) }
            return Outcome(sent: sent)
        } catch {
            return Outcome(sent: sent, problem: error)
        }
    }

    /// The step after a person has seen a code, and after a wait.
    private static func after(_ step: OAuthStep) throws(OAuthProblem) -> OAuthStep {
        switch step {
        case .show(_, let next): try after(next())
        case .wait(_, let next): try next()
        default: step
        }
    }

    struct Outcome {
        let sent: [PreparedRequest]
        var grant: TokenGrant?
        var problem: OAuthProblem?

        var urls: [String] { sent.map(\.url.absoluteString) }
        var body: String { sent.last?.body?.data.map { String(decoding: $0, as: UTF8.self) } ?? "" }
    }

    @Test("A token is asked for at the endpoint that the metadata names, with the client's encoded account")
    func clientCredentials() {
        let outcome = Self.run(
            OAuthFlow(Self.client()).clientCredentials,
            [
                (200, Self.metadata),
                (200, #"{"access_token": "at", "token_type": "bearer", "expires_in": 3600, "scope": "a"}"#),
            ])
        #expect(outcome.urls == ["https://i.example/realm/.well-known/openid-configuration", "https://i.example/t"])
        #expect(
            outcome.body
                == "grant_type=client_credentials&scope=a%20b&audience=https%3A%2F%2Fapi.example")
        let account = Data("c%3A1:s%3A1%20%C3%A4".utf8).base64EncodedString()
        #expect(outcome.sent.last?.headers["Authorization"] == "Basic \(account)")
        #expect(outcome.grant?.accessToken == "at" && outcome.grant?.lifetime == 3600)
        #expect(outcome.grant?.scopes == ["a"] && outcome.grant?.refreshToken == nil)
    }

    @Test("The secret can be in the form, or the client can have none")
    func authentication() {
        let server = OAuthClient.Server.endpoints(token: "https://i.example/t")
        let post = Self.run(OAuthFlow(Self.client(server, .post)).clientCredentials, [])
        #expect(post.body.hasSuffix("&client_id=c%3A1&client_secret=s%3A1%20%C3%A4"))
        #expect(post.sent.last?.headers["Authorization"] == nil)
        let none = Self.run(OAuthFlow(Self.client(server, secret: nil)).clientCredentials, [])
        #expect(none.body.hasSuffix("&client_id=c%3A1") && none.sent.last?.headers["Authorization"] == nil)
    }

    @Test("Metadata is looked for at both places, also of an issuer with a path or a slash at its end")
    func metadataPlaces() {
        let outcome = Self.run(OAuthFlow(Self.client()).clientCredentials, [(404, ""), (404, "")])
        #expect(outcome.urls.last == "https://i.example/.well-known/oauth-authorization-server/realm")
        #expect(
            outcome.problem?.wording.text
                == "https://i.example/realm has no metadata: https://i.example/.well-known/oauth-authorization-server/realm responded with 404"
        )
        #expect(
            IssuerMetadata.urls(of: "https://i.example/") == [
                "https://i.example/.well-known/openid-configuration",
                "https://i.example/.well-known/oauth-authorization-server",
            ])
    }

    struct Wrong: Sendable, CustomTestStringConvertible {
        let name: String
        var metadata = (200, OAuthFlowTests.metadata)
        var token = (200, #"{"access_token": "at"}"#)
        let message: String
        var testDescription: String { name }
    }

    static let wrongResponses: [Wrong] = [
        Wrong(
            name: "another issuer",
            metadata: (200, #"{"issuer": "https://evil.example", "token_endpoint": "https://i.example/t"}"#),
            message:
                "the metadata at https://i.example/realm/.well-known/openid-configuration is of another issuer: https://evil.example"
        ),
        Wrong(
            name: "no issuer", metadata: (200, #"{"token_endpoint": "https://i.example/t"}"#),
            message: "the metadata at https://i.example/realm/.well-known/openid-configuration names no issuer"),
        Wrong(
            name: "no token endpoint", metadata: (200, #"{"issuer": "https://i.example/realm"}"#),
            message: "the metadata of https://i.example/realm names no token_endpoint"),
        Wrong(
            name: "an unencrypted endpoint",
            metadata: (200, #"{"issuer": "https://i.example/realm", "token_endpoint": "http://i.example/t"}"#),
            message: "the token_endpoint of https://i.example/realm, http://i.example/t, is not https"),
        Wrong(
            name: "metadata behind a redirect", metadata: (302, ""),
            message:
                "https://i.example/realm/.well-known/openid-configuration responded with a redirect (302), which is not followed"
        ),
        Wrong(
            name: "metadata of a server that failed",
            metadata: (500, #"{"issuer": "https://i.example/realm", "token_endpoint": "https://i.example/t"}"#),
            message: "the metadata at https://i.example/realm/.well-known/openid-configuration has the status 500"),
        Wrong(
            name: "metadata in HTML", metadata: (200, "<html>"),
            message:
                "https://i.example/realm/.well-known/openid-configuration responded with 200 and a body that is not a JSON object"
        ),
        Wrong(
            name: "a token behind a redirect", token: (307, "{}"),
            message: "https://i.example/t responded with a redirect (307), which is not followed"),
        Wrong(
            name: "a token in HTML", token: (200, "<html>secret</html>"),
            message: "https://i.example/t responded with 200 and a body that is not a JSON object"),
        Wrong(
            name: "a list", token: (200, "[]"),
            message: "https://i.example/t responded with 200 and a body that is not a JSON object"),
        Wrong(
            name: "no token", token: (200, "{}"), message: "https://i.example/t responded without a usable access_token"
        ),
        Wrong(
            name: "an empty token", token: (200, #"{"access_token": ""}"#),
            message: "https://i.example/t responded without a usable access_token"),
        Wrong(
            name: "a token with a line break", token: (200, #"{"access_token": "a\r\nX: y"}"#),
            message: "https://i.example/t responded without a usable access_token"),
        Wrong(
            name: "a token that is a number", token: (200, #"{"access_token": 1}"#),
            message: "https://i.example/t responded without a usable access_token"),
        Wrong(
            name: "a token of another type", token: (200, #"{"access_token": "a", "token_type": "DPoP"}"#),
            message: "https://i.example/t gave a token of the type DPoP; reqcli can only send the type Bearer"),
        Wrong(
            name: "an error", token: (400, #"{"error": "invalid_scope", "error_description": "no a here"}"#),
            message: "https://i.example/t refused: invalid_scope: no a here"),
        Wrong(
            name: "an error with 200", token: (200, #"{"error": "bad_verification_code"}"#),
            message: "https://i.example/t refused: bad_verification_code"),
        Wrong(
            name: "a status without an error", token: (503, "{}"), message: "https://i.example/t responded with 503"),
        Wrong(
            name: "an error that is no text", token: (400, #"{"error": {"a": 1}}"#),
            message: "https://i.example/t responded with 400"),
    ]

    @Test("A wrong response is explained, and gives no token", arguments: wrongResponses)
    func wrong(_ row: Wrong) {
        let outcome = Self.run(OAuthFlow(Self.client()).clientCredentials, [row.metadata, row.token])
        #expect(outcome.problem?.wording.text == row.message)
        #expect(outcome.grant == nil)
    }

    @Test(
        "A lifetime may be a number or a text, and a negative one has ended; anything else is as if the server didn't say it",
        arguments: [
            (#"3600"#, 3600), (#""3600""#, 3600), (#""soon""#, nil), ("-1", 0), (#""-1""#, 0), ("1e99", nil),
            ("null", nil),
            ("true", nil), ("0", 0),
        ])
    func lifetime(_ written: String, _ seconds: Int?) {
        let body = #"{"access_token": "at", "expires_in": \#(written)}"#
        let server = OAuthClient.Server.endpoints(token: "https://i.example/t")
        let outcome = Self.run(OAuthFlow(Self.client(server)).clientCredentials, [(200, body)])
        #expect(outcome.grant != nil && outcome.grant?.lifetime == seconds)
    }

    @Test("The client's secret is known in the form in which it is sent")
    func secretForms() {
        let server = OAuthClient.Server.endpoints(token: "https://i.example/t")
        let sent = Self.run(OAuthFlow(Self.client(server)).clientCredentials, []).sent
        let account = Data("c%3A1:s%3A1%20%C3%A4".utf8).base64EncodedString()
        #expect(sent.last.map { Set($0.oauthSecrets.map(\.value)) } == [account, "s%3A1%20%C3%A4"])
    }

    @Test("Parameters with other names or values are of another client")
    func identity() {
        func identity(_ parameters: [(String, String)]) -> [String] {
            OAuthClient(
                flow: .clientCredentials, server: .issuer("https://i"), id: "c", secret: "s", authentication: nil,
                scopes: [], parameters: parameters, standIn: "-"
            ).identity
        }
        #expect(identity([("a=b", "c")]) != identity([("a", "b=c")]))
        #expect(identity([("a", "1"), ("b", "2")]) == identity([("b", "2"), ("a", "1")]))
    }

    @Test("The form of a renewal has the refresh token, and its error code is known")
    func refresh() {
        let flow = OAuthFlow(Self.client())
        let endpoints = OAuthEndpoints(token: "https://i.example/t")
        let outcome = Self.run(
            { () throws(OAuthProblem) in try flow.refresh("rt+1", endpoints) },
            [(400, #"{"error": "invalid_grant"}"#)])
        #expect(outcome.body.hasPrefix("grant_type=refresh_token&refresh_token=rt%2B1"))
        #expect(outcome.problem?.code == "invalid_grant")
    }

    @Test(
        "A server is https, or on this machine",
        arguments: [
            ("https://i.example", nil), ("http://localhost:1", nil), ("http://127.0.0.1", nil), ("http://[::1]:2", nil),
            ("http://i.example", "is not https"), ("http://localhost.evil.example", "is not https"),
            ("https://u:p@i.example", "can't have a user or password in it"),
            ("https://i.example/#a", "can't have a fragment"),
            ("i.example", "is not a whole URL, such as https://login.example.com"),
            ("file:///etc/passwd", "is not a whole URL, such as https://login.example.com"),
            ("", "is not a whole URL, such as https://login.example.com"),
        ])
    func address(_ text: String, _ complaint: String?) {
        #expect(OAuthClient.complaint(aboutServer: text) == complaint)
    }
}
