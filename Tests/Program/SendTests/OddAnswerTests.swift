import Foundation
import HostileServing
import Testing
import ToolSupport

/// Unusual but valid responses: the exit code follows the status, and the body is unchanged.
@Suite(.serialized) struct OddAnswerTests {
    struct Answer: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let status: Int32
        let body: [UInt8]

        init(_ name: String, _ bytes: [UInt8], exits status: Int32 = 0, body: [UInt8]) {
            testDescription = name
            self.bytes = bytes
            self.status = status
            self.body = body
        }

        init(_ name: String, _ text: String, exits status: Int32 = 0, body: String) {
            self.init(name, Array(text.utf8), exits: status, body: Array(body.utf8))
        }
    }

    private static let answers: [Answer] = [
        Answer(
            "trailers",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-Sum: 42\r\n\r\n", body: "hello"),
        Answer(
            "heads with a 1xx status first",
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", body: "ok"),
        Answer("204 with a body", "HTTP/1.1 204 X\r\nContent-Length: 4\r\n\r\nbody", body: ""),
        Answer("304 with a body", "HTTP/1.1 304 X\r\nContent-Length: 4\r\n\r\nbody", body: ""),
        Answer("no reason phrase", "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", body: "ok"),
        Answer("lines that end with a bare LF", "HTTP/1.1 200 OK\nContent-Length: 2\n\nok", body: "ok"),
        Answer(
            "Latin-1 in a header",
            Array("HTTP/1.1 200 OK\r\nX-City: K".utf8) + [0xF6] + Array("ln\r\nContent-Length: 2\r\n\r\nok".utf8),
            body: Array("ok".utf8)),
        Answer("more than its Content-Length", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more", body: "ok"),
        Answer("no length", "HTTP/1.0 200 OK\r\n\r\nall of this", body: "all of this"),
        Answer("a status above 599", "HTTP/1.1 799 Odd\r\nContent-Length: 0\r\n\r\n", exits: 5, body: ""),
        Answer("404", "HTTP/1.1 404 No\r\nContent-Length: 4\r\n\r\ngone", exits: 4, body: "gone"),
        Answer("500", "HTTP/1.1 500 No\r\nContent-Length: 4\r\n\r\noops", exits: 5, body: "oops"),
        Answer(
            "a redirect that is not to be followed",
            "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 4\r\n\r\nmove", body: "move"),
    ]

    @Test("an unusual response is accepted", arguments: answers)
    func odd(_ answer: Answer) async throws {
        let run = try await send(answer.bytes, [])
        #expect(run.status == answer.status, "\(run.errors)")
        #expect(run.output == answer.body)
        let isRefused = answer.status != 0
        #expect(
            answer.body == []
                ? run.errors.hasSuffix(", no body\n")
                : isRefused ? run.errors.hasPrefix("note: the server responded ") : run.errors == "", "\(run.errors)")
        #expect(run.time < .seconds(20))
    }

    @Test("a header in Latin-1 is shown as text")
    func latin1() async throws {
        let bytes = Array("HTTP/1.1 200 OK\r\nX-City: K".utf8) + [0xF6] + Array("ln\r\nContent-Length: 0\r\n\r\n".utf8)
        #expect(try await send(bytes, ["--headers"]).outputText.contains("X-City: Köln\n"))
    }

    @Test(
        "an authentication challenge is exit 4 with its body, at once",
        arguments: [
            "Basic realm=\"x\"", "Basic", "Digest realm=\"x\", nonce=\"y\"", "Digest", "Bearer", "NTLM", "Negotiate",
            "", "Basic realm=\"x\", Digest realm=\"y\", nonce=\"z\"",
        ], [401, 407])
    func challenge(header: String, status: Int) async throws {
        let name = status == 401 ? "WWW-Authenticate" : "Proxy-Authenticate"
        let answer = "HTTP/1.1 \(status) No\r\n\(name): \(header)\r\nContent-Length: 6\r\n\r\nlocked"
        let run = try await send(Array(answer.utf8), [])
        #expect(run.status == 4 && run.outputText == "locked", "\(run.errors)")
        #expect(run.errors == "note: the server responded \(status) No\n")
        #expect(run.time < .seconds(20))
    }

    @Test("Set-Cookie headers stay separate, even if they contain commas")
    func joinedCookies() async throws {
        let cookies = ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/", "b=x,y", "c=2; HttpOnly"]
        let fields = cookies.map { "Set-Cookie: \($0)\r\n" }.joined()
        let answer = Array("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 0\r\n\r\n".utf8)
        let shown = cookies.map { "Set-Cookie: \($0)\n" }.joined()
        let run = try await send(answer, ["--headers"])
        #expect(run.status == 0 && run.outputText.contains(shown), "\(run.outputText)")
    }

    @Test(
        "a secret that a server echoes in its head is masked everywhere",
        arguments: [
            "HTTP/1.1 404 no hunter2secret here\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nhunter2secret: 1\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Encoding: hunter2secret\r\nContent-Length: 2\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nContent-Disposition: attachment; filename=hunter2secret\r\nContent-Length: 1\r\n\r\na",
        ])
    func echoed(answer: String) async throws {
        let flags = [
            ["-i"], ["--headers"], ["-v"], ["--json"], ["--select", "$.a"], ["--download"], ["--save-stub", "z"],
        ]
        for flags in flags {
            let server = try HostileServer { connection in
                _ = connection.readRequest()
                connection.send(Array(answer.utf8))
            }
            defer { server.stop() }
            let workspace = try ToolWorkspace(
                server: "http://127.0.0.1:\(server.port)",
                endpoint: #"{ "path": "/", "headers": { "X-P": "{{secret.p}}" } }"#)
            try workspace.write(
                "environments/development.json",
                #"{ "baseURL": "http://127.0.0.1:\#(server.port)", "secrets": { "p": { "env": "PW" } } }"#)
            let run = try await Tool.run(["send", "it"] + flags, in: workspace, environment: ["PW": "hunter2secret"])
            #expect(server.requests.count == 1, "\(run.errors)")
            let said = flags == ["--download"] ? run.errors : run.errors + run.outputText
            #expect(!said.contains("hunter2secret"), "\(flags): \(said)")
            #expect(
                try !String(contentsOfFile: workspace.path("endpoints/it.json"), encoding: .utf8).contains(
                    "hunter2secret"), "\(flags)")
        }
    }

    private func send(_ answer: [UInt8], _ flags: [String]) async throws -> ToolRun {
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.send(answer)
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        return try await Tool.run(["send", "it"] + flags, in: workspace)
    }
}
