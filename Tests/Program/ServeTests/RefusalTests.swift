import TestSupport
import Testing
import ToolSupport

/// Requests that are refused by their bytes or their head alone.
@Suite struct RefusalTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What follows the fields Host and Origin.
        var start = "POST /v1/user HTTP/1.1"
        let rest: String
        let status: Int
        /// The method and the target in the log.
        var logged = "POST /v1/user"
    }

    static let cases = [
        Case(testDescription: "a length above the limit", rest: "Content-Length: 11\r\n\r\n", status: 413),
        Case(
            testDescription: "chunks above the limit", rest: "Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n6\r\n",
            status: 413),
        Case(testDescription: "a chunk without size", rest: "Transfer-Encoding: chunked\r\n\r\nx\r\n", status: 400),
        Case(
            testDescription: "two lengths", start: "POST /v1/user?a=b HTTP/1.1",
            rest: "Content-Length: 1\r\nContent-Length: 1\r\n\r\n", status: 400, logged: "POST /v1/user?a=b"),
        Case(testDescription: "a line that is no header", rest: "no colon\r\n", status: 400),
        Case(
            testDescription: "too many headers", rest: String(repeating: "A: b\r\n", count: 200), status: 431),
        Case(testDescription: "another expectation", rest: "Expect: x\r\n\r\n", status: 417),
        Case(
            testDescription: "no host", start: "GET /a HTTP/1.1\r\nHost: a:b", rest: "\r\n", status: 400,
            logged: "GET /a"),
    ]

    @Test(
        "a page reads the refusal of a request whose Origin was read, and the log names the request", arguments: cases)
    func sharing(_ example: Case) async throws {
        let server = try await ServeProcess(["--max-body", "10"])
        let client = try RawConnection(server)
        client.send("\(example.start)\r\nOrigin: http://localhost:9\r\nHost: localhost\r\n\(example.rest)")
        client.finishSending()
        let text = client.text()
        #expect(text.hasPrefix("HTTP/1.1 \(example.status) "), "\(text)")
        #expect(text.contains("Access-Control-Allow-Origin: http://localhost:9\r\n"), "\(text)")
        let event = try await server.event("request")
        #expect("\(event["method"] ?? "") \(event["target"] ?? "")" == example.logged)
        #expect(event["status"] as? Int == example.status)
        #expect(try await server.end().status == 0)
    }

    @Test("other pages, and pages that call the control API, read no refusal")
    func noSharing() async throws {
        let server = try await ServeProcess(["--max-body", "10"])
        for head in [
            "POST /v1/user HTTP/1.1\r\nOrigin: https://evil.example",
            "POST /__reqcli/stop HTTP/1.1\r\nOrigin: http://localhost:9",
        ] {
            let client = try RawConnection(server)
            client.send("\(head)\r\nHost: localhost\r\nContent-Length: 11\r\n\r\n")
            client.finishSending()
            let text = client.text()
            #expect(text.hasPrefix("HTTP/1.1 413 ") && !text.contains("Access-Control"), "\(text)")
        }
        #expect(try await server.end().status == 0)
    }

    static let certain: [(name: String, line: String, code: String)] = [
        ("an unknown path", "POST /zzz", "404"), ("another method", "PUT /v1/user", "405"),
        ("a dot segment", "POST /v1/../user", "400"), ("a bad session", "POST /__reqcli/s/a%20b/v1/user", "400"),
        ("a foreign host", "POST http://evil.example/v1/user", "403"),
    ]

    @Test("a client that awaits 100 gets the final response at once where no body changes it", arguments: certain)
    func withoutBody(_ name: String, _ line: String, _ code: String) async throws {
        let server = try await ServeProcess([])
        let client = try RawConnection(server)
        client.send(
            "\(line) HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost:9\r\nExpect: 100-continue\r\n"
                + "Content-Type: application/json\r\nContent-Length: 14\r\n\r\n")
        client.finishSending()
        let text = client.text()
        #expect(text.hasPrefix("HTTP/1.1 \(code) "), "\(text)")
        #expect(text.contains("Access-Control-Allow-Origin: http://localhost:9\r\n"), "\(text)")
        #expect(try await server.event("request")["status"] as? Int == Int(code))
        // The same request with its body.
        let other = try RawConnection(server)
        other.send(
            "\(line) HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nConnection: close\r\n"
                + "Content-Type: application/json\r\nContent-Length: 14\r\n\r\n{\"name\":\"Ada\"}")
        #expect(other.text().hasPrefix("HTTP/1.1 \(code) "))
        // Requests of a session that is none are not counted in the usual one.
        let count = name == "a bad session" ? 0 : 2
        #expect(try await server.control("GET", "").body.contains("\"requests\":\(count)"))
        #expect(try await server.end().status == 0)
    }

    @Test("a client that awaits 100 gets it where the body has a say", arguments: [[], ["--rest", "user.feed"]])
    func uncertain(_ options: [String]) async throws {
        let server = try await ServeProcess(options)
        let client = try RawConnection(server)
        let line = options.isEmpty ? "POST /v1/user" : "POST /zzz"
        client.send(
            "\(line) HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nConnection: close\r\n"
                + "Content-Type: application/json\r\nContent-Length: 14\r\n\r\n")
        #expect(client.text(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        client.send("{\"name\":\"Ada\"}")
        #expect(client.text().hasPrefix("HTTP/1.1 20"))
        #expect(try await server.control("GET", "").body.contains(#""requests":1"#))
        #expect(try await server.end().status == 0)
    }
}
