import Foundation
import HostileServing
import TestSupport
import Testing
import ToolSupport

/// What `serve --proxy-to` passes on is what came, byte for byte.
@Suite struct ProxiedBytesTests {
    @Test(
        "a request that states an empty body has one for the other server, and one that states none has none",
        arguments: [
            ("POST", "Content-Length: 0\r\n", "0"), ("PUT", "Content-Length: 0\r\n", "0"),
            ("PATCH", "Content-Length: 0\r\n", "0"), ("DELETE", "Content-Length: 0\r\n", "0"),
            ("GET", "", nil), ("DELETE", "", nil), ("POST", "Content-Length: 1\r\n", "1"),
        ] as [(String, String, String?)])
    func emptyBody(_ method: String, _ line: String, _ length: String?) async throws {
        let upstream = try ProxyTests.serving { $1.respond(body: "real") }
        let server = try await ServeProcess(["--proxy-to", "real"], ProxyTests.environment(upstream))
        let port = try #require(UInt16(server.url.split(separator: ":").last ?? ""))
        let body = length == "1" ? "x" : ""
        let answer = try RawClient.exchange(
            "\(method) /v1/a HTTP/1.1\r\nHost: x.localhost\r\nConnection: close\r\n\(line)\r\n\(body)", port: port)
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        let request = try #require(upstream.requests.first)
        #expect(request.values("Content-Length") == [length].compactMap(\.self))
        #expect(request.values("Transfer-Encoding") == [])
        #expect(try await server.end().status == 0)
    }

    @Test("bytes of headers stay as they are, whether they are UTF-8 or not, in both directions")
    func headerBytes() async throws {
        let upstream = try ProxyTests.serving { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nX-Latin: caf".utf8 + [0xE9] + "\r\nX-UTF8: café\r\n".utf8)
            connection.send("Location: /api/v1/".utf8 + [0xFC] + "\r\nContent-Length: 0\r\n\r\n".utf8)
        }
        let server = try await ServeProcess(["--proxy-to", "real"], ProxyTests.environment(upstream))
        let connection = try RawConnection(server)
        connection.send(
            "GET /v1/a HTTP/1.1\r\nHost: x.localhost\r\nConnection: close\r\nX-Latin: caf".utf8 + [0xE9]
                + "\r\nX-UTF8: café\r\n\r\n".utf8)
        // A byte that is no UTF-8 is read as U+FFFD; as two bytes it would be the letter.
        let answer = connection.text()
        #expect(answer.contains("X-Latin: caf\u{FFFD}\r\n"), "\(answer)")
        #expect(answer.contains("Location: /v1/\u{FFFD}\r\n"))
        #expect(answer.contains("X-UTF8: café\r\n"))
        let request = try #require(upstream.requests.first)
        #expect(request.values("X-Latin") == ["caf\u{FFFD}"])
        #expect(request.values("X-UTF8") == ["café"])
        #expect(try await server.end().status == 0)
    }

    @Test(
        "a response that ends no request, such as 101, is 502 with an end",
        arguments: ["101 Switching Protocols", "099 X"])
    func noEnd(_ status: String) async throws {
        let upstream = try ProxyTests.serving { _, connection in
            connection.send("HTTP/1.1 \(status)\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
            for _ in 0..<200 {
                guard connection.send("x") else { return }
                connection.pause(0.05)
            }
        }
        let server = try await ServeProcess(["--proxy-to", "real"], ProxyTests.environment(upstream))
        let run = try await server.curl("-m", "5", "/v1/a")
        #expect(run.status == 0)
        #expect(run.code == "502")
        #expect(try await server.end().status == 0)
    }
}
