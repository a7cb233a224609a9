import ReqcliRedaction
import Testing

@testable import ReqcliMocking

/// The secrets of a request that must not be in a recorded response.
@Suite struct AllSecretsTests {
    private static let endpoints = #"""
        "get": { "path": "a", "query": { "p": "id {{id}}" },
          "params": { "id": { "type": "string", "secret": true, "required": false } } },
        "json": { "method": "POST", "path": "a", "body": { "json": { "password": "{{q}}", "n": "{{n}}" } },
          "params": { "q": { "type": "string" }, "n": { "type": "json" } } },
        "form": { "method": "POST", "path": "form", "body": { "form": { "q": "{{q}}" } },
          "params": { "q": { "type": "string" } } }
        """#

    private static func secrets(_ line: String, _ header: String) throws -> [String]? {
        let engine = MockEngine(try EngineFixture().served(endpoints), world: EngineFixture().world)
        let request = IncomingRequest(line, header)
        return engine.answer(request).reading?.allSecrets(of: request)?.map { "\($0.label): \($0.value)" }
    }

    private static let form = "Content-Type: application/x-www-form-urlencoded"

    @Test(
        "Secrets of the endpoint are known, and values that look like secrets",
        arguments: [
            ("GET /v1/a?p=id%207&b=1", "X-A: b", ["id: 7"]),
            ("GET /v1/a?token=abc&b=1", "X-A: b", ["token: abc"]),
            ("GET /v1/a?p=id%207&token=7", "X-A: b", ["id: 7"]),
            (
                "GET /v1/a", "Authorization: Basic dTpzM2NyM3Q=",
                ["Authorization: Basic dTpzM2NyM3Q=", "Authorization: dTpzM2NyM3Q=", "Authorization: s3cr3t"]
            ),
            ("GET /v1/a", "cookie: theme=dark; sid=0123456789", ["cookie: 0123456789"]),
            (
                #"POST /v1/a {"password":"s1","n":{"token":[1],"pin":1234,"code":12}}"#, "X-A: b",
                ["password: s1", "pin: 1234"]
            ),
            (
                #"POST /v1/a {"password":"s1","n":{"token":["s2",["s3"],1,{"a":"s4"}],"tokens":12345}}"#, "X-A: b",
                ["password: s1", "token: s2", "token: s3", "token: s4"]
            ),
            (#"POST /v1/form {"password":"s1","a":"b"}"#, "X-A: b", ["password: s1"]),
            (#"GET /v1/a {"password":"s1"}"#, "Content-Type: text/plain", ["password: s1"]),
            ("POST /v1/form q=1&password=s1", form, ["password: s1"]),
            (
                "POST /v1/form --b\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\ns1\r\n--b--\r\n",
                "Content-Type: multipart/form-data; boundary=b", ["token: s1"]
            ),
        ])
    func secrets(_ line: String, _ header: String, _ secrets: [String]) throws {
        #expect(try Self.secrets(line, header) == secrets)
    }

    @Test("Too many secrets are none that could be looked for")
    func tooMany() throws {
        func line(_ count: Int) -> String {
            "POST /v1/form " + (1...count).map { "token=s\($0)" }.joined(separator: "&")
        }
        #expect(try Self.secrets(line(RequestMask.limit), Self.form)?.count == RequestMask.limit)
        #expect(try Self.secrets(line(RequestMask.limit + 1), Self.form) == nil)
    }
}
