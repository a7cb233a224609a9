import Foundation
import ReqcliBasics
import ReqcliText
import RequestBuilding
import Testing

@testable import OAuth

/// The steps of logins, without a browser and without waiting.
@Suite("OAuth logins")
struct LoginTests {
    private static let redirect = "http://127.0.0.1:4000/callback"
    private static let secrets = AuthorizationRequest.Secrets(random: { [UInt8](repeating: 0xFB, count: 32) })

    private static func metadata(_ more: String) -> OAuthResponse {
        let text =
            #"{"issuer": "https://i.example", "token_endpoint": "https://i.example/t", "authorization_endpoint": "https://i.example/a?x=1""#
            + #", "device_authorization_endpoint": "https://i.example/d"\#(more)}"#
        return OAuthResponse(status: 200, body: Array(text.utf8))
    }

    private static func client(
        _ flow: OAuthClient.Flow, _ parameters: [(String, String)] = [("audience", "x")],
        server: OAuthClient.Server = .issuer("https://i.example")
    ) -> OAuthClient {
        OAuthClient(
            flow: flow, server: server, id: "me", secret: nil, authentication: nil,
            scopes: ["openid", "a b"], parameters: parameters, standIn: "-")
    }

    private struct Unexpected: Error {}

    /// The request to a person, and how it goes on.
    private static func authorization(
        _ more: String = ""
    ) throws -> (AuthorizationRequest, (String) throws -> OAuthStep) {
        let first = try OAuthFlow(client(.authorizationCode)).authorizationCode(redirect: redirect, secrets)
        guard case .send(_, let next) = first, case .authorize(let request, let then) = try next(metadata(more)) else {
            throw Unexpected()
        }
        return (request, then)
    }

    @Test("The address has the client, the state, and the hash of the verifier, but not the verifier")
    func address() throws {
        let (request, _) = try Self.authorization()
        let items = URLComponents(string: request.url)?.queryItems ?? []
        let values = Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
        #expect(
            values == [
                "x": "1", "response_type": "code", "client_id": "me", "redirect_uri": Self.redirect,
                "state": Self.secrets.state, "code_challenge_method": "S256", "scope": "openid a b", "audience": "x",
                "code_challenge": Self.secrets.challenge,
            ])
        #expect(Self.secrets.verifier.count == 43 && !Self.secrets.verifier.contains { "+/=".contains($0) })
        // RFC 7636, appendix B.
        let hash = SHA256.hash(Array("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk".utf8))
        #expect(
            Data(hash).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
                "=", with: "")
                == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test("The code is redeemed with the verifier")
    func redeemed() throws {
        let (_, then) = try Self.authorization()
        guard case .send(let request, _) = try then("/callback?code=c%2B1&state=\(Self.secrets.state)") else {
            throw Unexpected()
        }
        let body = request.body?.data.map { String(decoding: $0, as: UTF8.self) } ?? ""
        #expect(
            body == "grant_type=authorization_code&code=c%2B1&redirect_uri=http%3A%2F%2F127.0.0.1%3A4000%2Fcallback"
                + "&code_verifier=\(Self.secrets.verifier)&audience=x&client_id=me")
    }

    @Test(
        "Only the browser's own request ends the login",
        arguments: [
            ("/callback?state=STATE&code=1", true), ("http://127.0.0.1:4000/callback?code=1&state=STATE", true),
            ("/callback?state=other&code=1", false), ("/callback?code=1", false), ("/other?state=STATE", false),
            ("/callback/?state=STATE", false), ("/callback?state=STATE&state=STATE", false), ("", false), ("/", false),
            ("/callback#state=STATE", false),
        ])
    func answered(_ target: String, _ holds: Bool) throws {
        let (request, _) = try Self.authorization()
        #expect(request.isAnswered(by: target.replacing("STATE", with: Self.secrets.state)) == holds)
    }

    struct End: Sendable, CustomTestStringConvertible {
        let query: String
        var metadata = ""
        let message: String?
        var testDescription: String { query + metadata }
    }

    @Test(
        "What the browser brings is checked",
        arguments: [
            End(query: "code=1", message: nil),
            End(query: "code=1&iss=https%3A%2F%2Fi.example", message: nil),
            End(
                query: "code=1&iss=https%3A%2F%2Fevil.example",
                message: "the login ended at another issuer than https://i.example: https://evil.example"),
            End(
                query: "code=1", metadata: #", "authorization_response_iss_parameter_supported": true"#,
                message: "the login ended at another issuer than https://i.example: none"),
            End(
                query: "code=1&iss=https%3A%2F%2Fi.example&iss=https%3A%2F%2Fi.example",
                message: "the login ended at another issuer than https://i.example: https://i.example"),
            End(query: "", message: "the login ended without a code"),
            End(query: "code=", message: "the login ended without a code"),
            End(query: "code=1&code=2", message: "the login ended without a code"),
            End(
                query: "error=access_denied&error_description=not+you",
                message: "the login was refused: access_denied: not you"
            ),
        ])
    func ends(_ row: End) throws {
        let (_, then) = try Self.authorization(row.metadata)
        do {
            _ = try then("/callback?state=\(Self.secrets.state)&\(row.query)")
            #expect(row.message == nil)
        } catch let problem as OAuthProblem {
            #expect(problem.wording.text == row.message)
        }
    }

    @Test("A parameter with a secret is not in the address, but goes to the token endpoint")
    func secretParameter() throws {
        let server = OAuthClient.Server.endpoints(token: "https://i.example/t", authorization: "https://i.example/a")
        let client = Self.client(.authorizationCode, [("audience", "x"), ("key", "hidden-1")], server: server)
        let step = try OAuthFlow(client).authorizationCode(redirect: Self.redirect, Self.secrets) {
            $0.contains("hidden")
        }
        guard case .authorize(let request, let then) = step,
            case .send(let redeeming, _) = try then("/callback?state=\(Self.secrets.state)&code=1")
        else { throw Unexpected() }
        #expect(request.url.contains("audience=x") && !request.url.contains("key"))
        let body = redeeming.body?.data.map { String(decoding: $0, as: UTF8.self) } ?? ""
        #expect(body.contains("&audience=x&key=hidden-1"))
    }

    @Test("An authorization endpoint can't set a parameter of the flow")
    func doubledParameter() {
        let server = OAuthClient.Server.endpoints(
            token: "https://i.example/t", authorization: "https://i.example/a?code_challenge_method=plain")
        let problem = #expect(throws: OAuthProblem.self) {
            try OAuthFlow(Self.client(.authorizationCode, server: server)).authorizationCode(
                redirect: Self.redirect, Self.secrets)
        }
        #expect(problem?.wording.text.hasSuffix("already has code_challenge_method, which reqcli sets") == true)
    }

    @Test("The secrets of a login are known: the state, the code, the verifier, the code of a device")
    func secretValues() throws {
        let (request, then) = try Self.authorization()
        let target = "/callback?code=c%2B1&state=\(Self.secrets.state)"
        #expect(Set(request.secrets(in: target).map(\.value)) == ["c+1", Self.secrets.state])
        guard case .send(let redeeming, _) = try then(target) else { throw Unexpected() }
        #expect(Set(redeeming.oauthSecrets.map(\.value)) == ["c+1", Self.secrets.verifier])
        let response =
            #"{"error": "e", "device_code": "d", "access_token": "a", "refresh_token": "r", "id_token": "i"}"#
        let secrets = OAuthResponse(status: 400, body: Array(response.utf8)).secrets
        #expect(Set(secrets.map(\.value)) == ["d", "a", "r", "i"])
    }

    @Test("Parameters also go to the token endpoint when a device's code is redeemed")
    func deviceParameters() throws {
        let server = OAuthClient.Server.endpoints(token: "https://i.example/t", device: "https://i.example/d")
        let code = #"{"device_code": "d", "user_code": "AB", "verification_uri": "https://i.example/e"}"#
        guard case .send(_, let next) = try OAuthFlow(Self.client(.deviceCode, server: server)).deviceCode(),
            case .show(_, let shown) = try next(OAuthResponse(status: 200, body: Array(code.utf8))),
            case .wait(_, let waited) = shown(), case .send(let request, _) = try waited()
        else { throw Unexpected() }
        let body = request.body?.data.map { String(decoding: $0, as: UTF8.self) } ?? ""
        #expect(body.contains("&audience=x"))
    }

    @Test("A server that fails for a moment is asked again for the token of a device")
    func busy() throws {
        let server = OAuthClient.Server.endpoints(token: "https://i.example/t", device: "https://i.example/d")
        let code =
            #"{"device_code": "d", "user_code": "AB", "verification_uri": "https://i.example/e", "interval": 90}"#
        guard case .send(_, let next) = try OAuthFlow(Self.client(.deviceCode, server: server)).deviceCode(),
            case .show(_, let shown) = try next(OAuthResponse(status: 200, body: Array(code.utf8))),
            case .wait(let first, let waited) = shown(), case .send(_, let answered) = try waited(),
            case .wait(let second, _) = try answered(OAuthResponse(status: 503, body: []))
        else { throw Unexpected() }
        #expect((first, second) == (.seconds(90), .seconds(95)))
    }

    @Test("A code that no person could enter is refused")
    func longCode() throws {
        let server = OAuthClient.Server.endpoints(token: "https://i.example/t", device: "https://i.example/d")
        let code = String(repeating: "A", count: 65)
        let body = #"{"device_code": "d", "user_code": "\#(code)", "verification_uri": "https://i.example/e"}"#
        guard case .send(_, let next) = try OAuthFlow(Self.client(.deviceCode, server: server)).deviceCode() else {
            throw Unexpected()
        }
        #expect(throws: OAuthProblem.self) { try next(OAuthResponse(status: 200, body: Array(body.utf8))) }
    }

    @Test("A server without S256 is refused")
    func plainChallenge() throws {
        _ = try Self.authorization(#", "code_challenge_methods_supported": ["plain", "S256"]"#)
        let problem = #expect(throws: OAuthProblem.self) {
            try Self.authorization(#", "code_challenge_methods_supported": ["plain"]"#)
        }
        #expect(problem?.wording.text.contains("does not support PKCE with S256") == true)
    }

    @Test("A device asks again at the interval, five seconds slower after slow_down, and not after the end of the code")
    func device() throws {
        var step = try OAuthFlow(Self.client(.deviceCode)).deviceCode()
        var waits: [Duration] = []
        var answers = ["authorization_pending", "slow_down", "authorization_pending", "authorization_pending"]
        var message: String?
        do {
            loop: while true {
                switch step {
                case .send(let request, let next):
                    let path = request.url.path
                    if path.hasSuffix("configuration") {
                        step = try next(Self.metadata(""))
                    } else if path == "/d" {
                        let code =
                            #"{"device_code": "d", "user_code": "AB-CD", "verification_uri": "https://i.example/e", "expires_in": 20, "interval": 3}"#
                        step = try next(OAuthResponse(status: 200, body: Array(code.utf8)))
                    } else {
                        let error = #"{"error": "\#(answers.removeFirst())"}"#
                        step = try next(OAuthResponse(status: 400, body: Array(error.utf8)))
                    }
                case .show(let code, let next):
                    #expect(code.userCode == "AB-CD" && code.address == "https://i.example/e")
                    step = next()
                case .wait(let time, let next):
                    waits.append(time)
                    step = try next()
                default: break loop
                }
            }
        } catch {
            message = error.wording.text
        }
        #expect(waits == [.seconds(3), .seconds(3), .seconds(8), .seconds(8)])
        #expect(message == "the code was not entered in time")
    }

    @Test(
        "A redirect is an address on this machine",
        arguments: [
            ("http://127.0.0.1/callback", true), ("http://localhost:8484/", true), ("http://localhost", true),
            ("http://[::1]:1/a", true), ("https://localhost/", false), ("http://example.com/", false),
            ("http://localhost/?a", false), ("http://u@localhost/", false), ("http://localhost:99999/", false),
            ("http://localhost:65536", false), ("http://localhost:65535", true), ("http://localhost:0/", false),
            ("http://[::1]:0/", false), ("http://[::1]/", true), ("http://localhost:/", false),
            ("http://LOCALHOST:8484/", true), ("http://localhost:99999999999999999999/", false),
            ("urn:ietf:wg:oauth:2.0:oob", false),
        ])
    func redirect(_ text: String, _ isValid: Bool) {
        #expect((OAuthClient.complaint(aboutRedirect: text) == nil) == isValid)
    }
}
