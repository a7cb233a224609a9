import Foundation
import TestSupport
import Testing
import ToolSupport

/// Requests with large bodies, which take long to match.
@Suite struct LargeBodyTests {
    private static let files = [
        "endpoints/big.json": #"""
        { "endpoints": { "post": { "method": "POST", "path": "big", "body": { "json": { "a": "{{a}}" } },
          "params": { "a": { "type": "string" } },
          "stubs": { "default": "turns", "variants": {
            "one": { "text": "one" }, "two": { "text": "two" },
            "turns": { "sequence": ["one", "two"], "then": "loop" } } } } } }
        """#
    ]

    /// A request with many numbers in its body, without its last byte.
    private static func request(numbers: Int) -> [UInt8] {
        let body = #"{"a": "x", "b": [\#(String(repeating: "1,", count: numbers))1]}"#
        let head =
            "POST /v1/big HTTP/1.1\r\nHost: x.localhost\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n"
        return Array((head + body.dropLast()).utf8)
    }

    @Test("other clients don't wait for a body that takes long to match")
    func others() async throws {
        let server = try await ServeProcess([], Self.files)
        let large = try RawConnection(server)
        let small = try RawConnection(server)
        large.send(Self.request(numbers: 500_000))
        small.send("GET /v1/user/1/feed HTTP/1.1\r\nHost: x.localhost\r\n\r\n")
        #expect(small.text(until: "[1]").hasPrefix("HTTP/1.1 200 "))
        // Now nothing is left to read but this.
        large.send("}")
        small.send("GET /v1/user/1/feed HTTP/1.1\r\nHost: x.localhost\r\n\r\n")
        #expect(small.text(until: "[1]").hasPrefix("HTTP/1.1 200 "))
        #expect(!large.hasInput)
        #expect(large.text().hasSuffix("one"))
        #expect(try await server.end().status == 0)
    }

    @Test("large requests take their turns in the order in which they are complete")
    func turns() async throws {
        let server = try await ServeProcess([], Self.files)
        let clients = try (0..<2).map { _ in try RawConnection(server) }
        clients[0].send(Self.request(numbers: 500_000))
        clients[1].send(Self.request(numbers: 50_000))
        // Nothing is left but the last bytes, so that their order is that in which the requests become complete.
        for client in clients { #expect(await client.isRead()) }
        let marker = try RawConnection(server)
        for client in clients {
            client.send("}")
            marker.send("GET /v1/user/1/feed HTTP/1.1\r\nHost: x.localhost\r\n\r\n")
            #expect(marker.text(until: "[1]").hasPrefix("HTTP/1.1 200 "))
        }
        #expect(clients.map { String($0.text().suffix(3)) } == ["one", "two"])
        #expect(try await server.end().status == 0)
    }
}
