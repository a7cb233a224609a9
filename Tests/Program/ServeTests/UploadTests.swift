import Foundation
import HostileServing
import TestSupport
import Testing
import ToolSupport

/// `serve --proxy-to`: large bodies of requests go on while they come.
@Suite struct UploadTests {
    private static let end = "GET /v1/next HTTP/1.1\r\nHost: x.localhost\r\nConnection: close\r\n\r\n"

    private static func head(_ fields: String, path: String = "/v1/up") -> String {
        "POST \(path) HTTP/1.1\r\nHost: x.localhost\r\n\(fields)\r\n\r\n"
    }

    /// Bytes that differ at each place.
    private static func bytes(_ count: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: UInt64(count))
        var bytes = [UInt8](repeating: 0, count: count)
        for index in stride(from: 0, to: count, by: 7) { bytes[index] = UInt8(truncatingIfNeeded: generator.next()) }
        return bytes
    }

    /// The bytes in chunks of different sizes, with extensions and a trailer.
    private static func chunked(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes[...]
        var size = 1
        while !rest.isEmpty {
            let chunk = rest.prefix(size)
            result += "\(String(chunk.count, radix: 16));a=\"b\"\r\n".utf8 + chunk + "\r\n".utf8
            rest = rest[chunk.endIndex...]
            size = size * 3 % 100_003
        }
        return result + "0\r\nX-Trailer: 1\r\n\r\n".utf8
    }

    private static let framings = ["Content-Length", "Transfer-Encoding"]

    /// The fields that frame a body, and the body as it is sent.
    private static func framed(_ framing: String, _ body: [UInt8]) -> (fields: String, bytes: [UInt8]) {
        framing == "Content-Length"
            ? ("Content-Length: \(body.count)", body) : ("Transfer-Encoding: chunked", chunked(body))
    }

    @Test("the other server sees the first part of a body before the client has sent the last one", arguments: framings)
    func streams(_ framing: String) async throws {
        let first = Counter()
        let upstream = try HostileServer { connection in
            guard let head = connection.readHead() else { return }
            let start = 65_000
            guard connection.read(start) != nil else { return }
            first.add()
            let isChunked = head.contains("Transfer-Encoding: chunked")
            guard connection.read(isChunked ? 5000 : 70_001 - start) != nil else { return }
            connection.respond(body: "real")
        }
        let server = try await ServeProcess(["--proxy-to", "real"], ProxyTests.environment(upstream))
        let client = try RawConnection(server)
        let body = Self.bytes(70_000)
        if framing == "Content-Length" {
            client.send(Self.head("Content-Length: 70001"))
            client.send(body)
        } else {
            client.send(Self.head("Transfer-Encoding: chunked"))
            client.send("\(String(body.count, radix: 16))\r\n".utf8 + body + "\r\n".utf8)
        }
        #expect(await eventually { first.count == 1 })
        client.send(framing == "Content-Length" ? "x" : "1\r\nx\r\n0\r\n\r\n")
        #expect(client.text(until: "real").hasPrefix("HTTP/1.1 200 "))
        #expect(try await server.end().status == 0)
    }

    @Test("8 MiB arrive as they were sent, and a request behind them is one of its own", arguments: framings)
    func whole(_ framing: String) async throws {
        let upstream = try ProxyTests.serving { $1.respond(body: "real") }
        let server = try await ServeProcess(["--proxy-to", "real"], ProxyTests.environment(upstream))
        let client = try RawConnection(server)
        let body = Self.bytes(8 << 20)
        let (fields, bytes) = Self.framed(framing, body)
        client.send(Self.head(fields))
        client.send(bytes + Self.end.utf8)
        let text = client.text()
        #expect(text.components(separatedBy: "HTTP/1.1 200 ").count == 3)
        let requests = upstream.requests
        #expect(requests.map(\.line) == ["POST /api/v1/up HTTP/1.1", "GET /api/v1/next HTTP/1.1"])
        #expect(requests.first?.body == Data(body))
        #expect(requests.first?.values("Content-Length") == (framing == "Content-Length" ? ["8388608"] : []))
        #expect(requests.first?.values("Transfer-Encoding") == (framing == "Content-Length" ? [] : ["chunked"]))
        #expect(requests.first?.values("X-Trailer") == [])
        #expect(requests.last?.body.isEmpty == true)
        #expect(try await server.end().status == 0)
    }

    @Test("a client that waits for 100 gets it, and its body goes on")
    func expectation() async throws {
        let upstream = try ProxyTests.serving { $1.respond(body: "real") }
        let server = try await ServeProcess(["--proxy-to", "real"], ProxyTests.environment(upstream))
        let client = try RawConnection(server)
        let body = Self.bytes(200_000)
        client.send(Self.head("Content-Length: \(body.count)\r\nExpect: 100-continue\r\nConnection: close"))
        #expect(client.text(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        client.send(body)
        #expect(client.text().hasPrefix("HTTP/1.1 200 "))
        #expect(upstream.requests.first?.body == Data(body))
        #expect(upstream.requests.first?.values("Expect") == [])
        #expect(try await server.end().status == 0)
    }

    @Test("of a client that leaves in the middle, the other server gets no complete request", arguments: framings)
    func leaving(_ framing: String) async throws {
        let began = Counter()
        let ended = Counter()
        let upstream = try HostileServer { connection in
            while connection.readRequest(whenHead: { began.add() }) != nil { connection.respond(body: "real") }
            ended.add()
        }
        let server = try await ServeProcess(["--proxy-to", "real"], ProxyTests.environment(upstream))
        do {
            let client = try RawConnection(server)
            let (fields, bytes) = Self.framed(framing, Self.bytes(300_000))
            client.send(Self.head(fields))
            client.send(Array(bytes.dropLast(20)))
            #expect(await eventually { began.count == 1 })
        }
        #expect(await eventually { ended.count == 1 })
        #expect(upstream.requests.isEmpty)
        #expect(try await server.end().status == 0)
    }

    @Test("a response that comes before the end of the body reaches the client at once", arguments: framings)
    func early(_ framing: String) async throws {
        let upstream = try HostileServer { connection in
            guard connection.readHead() != nil, connection.read(299_900) != nil else { return }
            connection.send("HTTP/1.1 413 No\r\nTransfer-Encoding: chunked\r\n\r\n9\r\ntoo large\r\n0\r\n\r\n")
            connection.waitForClose()
        }
        let server = try await ServeProcess(["--proxy-to", "real"], ProxyTests.environment(upstream))
        let client = try RawConnection(server)
        let (fields, bytes) = Self.framed(framing, Self.bytes(300_000))
        client.send(Self.head(fields))
        client.send(Array(bytes.dropLast(20)))
        let text = client.text(until: "\r\ntoo large\r\n0\r\n\r\n")
        #expect(text.hasPrefix("HTTP/1.1 413 ") && text.contains("Connection: close\r\n"))
        client.send(bytes.suffix(20) + Self.end.utf8)
        #expect(client.text().isEmpty)
        #expect(try await server.end().status == 0)
    }

    @Test("a response that comes before anything of the body is read ends the upload")
    func unread() async throws {
        let upstream = try HostileServer { connection in
            guard connection.readHead() != nil else { return }
            connection.respond(413, body: "too large")
            connection.waitForClose()
        }
        let server = try await ServeProcess(["--proxy-to", "real"], ProxyTests.environment(upstream))
        let run = try await server.curl(
            "-X", "POST", "--data-binary", "@\(server.workspace.path("stubs/large.txt"))", "/v1/up")
        #expect(run.code == "413")
        #expect(run.body == "too large")
        #expect(try await server.end().status == 0)
    }

    @Test("another server that closes in the middle is 502")
    func closed() async throws {
        let upstream = try HostileServer { connection in
            guard connection.readHead() != nil else { return }
            _ = connection.read(1000)
        }
        let server = try await ServeProcess(["--proxy-to", "real"], ProxyTests.environment(upstream))
        let client = try RawConnection(server)
        client.send(Self.head("Content-Length: 4000000"))
        client.send(Self.bytes(4_000_000))
        #expect(client.text(until: "}\n").hasPrefix("HTTP/1.1 502 "))
        #expect(try await server.end().status == 0)
    }

    @Test("a slow other server holds the client back, and the body takes little memory")
    func backpressure() async throws {
        let size = 192 << 20
        let isOpen = Counter()
        let upstream = try HostileServer { connection in
            guard connection.readHead() != nil else { return }
            while isOpen.count == 0 { connection.pause(0.01) }
            for _ in 0..<(size >> 20) { guard connection.read(1 << 20) != nil else { return } }
            connection.respond(body: "real")
        }
        let server = try await ServeProcess(
            ["--proxy-to", "real", "--max-body", "1G"], ProxyTests.environment(upstream))
        let client = try RawConnection(server)
        client.send(Self.head("Content-Length: \(size)"))
        let piece = [UInt8](repeating: 7, count: 1 << 20)
        var sent = 0
        // The kernel's buffers on the way have some megabytes.
        while sent < size {
            let count = client.sendUntilBlocked(piece)
            sent += count
            if count < piece.count { break }
        }
        #expect(sent < 64 << 20, "\(sent) bytes")
        isOpen.add()
        while sent < size {
            let rest = piece.prefix(size - sent)
            guard client.send(Array(rest)) else { break }
            sent += rest.count
        }
        #expect(client.text(until: "real").hasPrefix("HTTP/1.1 200 "))
        let status = try String(contentsOfFile: "/proc/\(server.tool.id)/status", encoding: .utf8)
        let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }?.split(separator: " ")
        let kilobytes = try #require(peak.flatMap { $0.count > 1 ? Int($0[$0.count - 2]) : nil })
        #expect(kilobytes < 80 << 10, "\(kilobytes) KiB")
        #expect(try await server.end().status == 0)
    }

    @Test("a body beyond --max-body is 413, and the other server gets no complete request", arguments: framings)
    func tooLarge(_ framing: String) async throws {
        let upstream = try ProxyTests.serving { $1.respond(body: "real") }
        let server = try await ServeProcess(
            ["--proxy-to", "real", "--max-body", "200K"], ProxyTests.environment(upstream))
        let client = try RawConnection(server)
        let (fields, bytes) = Self.framed(framing, Self.bytes(300_000))
        client.send(Self.head(fields))
        client.send(bytes)
        #expect(client.text().hasPrefix("HTTP/1.1 413 "))
        let (allowed, rest) = Self.framed(framing, Self.bytes(200 << 10))
        let second = try RawConnection(server)
        second.send(Self.head(allowed))
        second.send(rest)
        #expect(second.text(until: "real").hasPrefix("HTTP/1.1 200 "))
        #expect(upstream.requests.map(\.body.count) == [200 << 10])
        #expect(try await server.end().status == 0)
    }

    @Test("many bodies at once don't mix")
    func many() async throws {
        let upstream = try ProxyTests.serving { request, connection in
            connection.respond(body: "\(request.values("X-Number").first ?? "") \(request.body.hashOfBytes)")
        }
        let server = try await ServeProcess(["--proxy-to", "real"], ProxyTests.environment(upstream))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<24 {
                group.addTask {
                    let body = Self.bytes(300_000 + number)
                    let (fields, bytes) = Self.framed(Self.framings[number % 2], body)
                    let client = try RawConnection(server)
                    client.send(Self.head(fields + "\r\nX-Number: \(number)\r\nConnection: close"))
                    client.send(bytes)
                    #expect(client.text().hasSuffix("\r\n\r\n\(number) \(Data(body).hashOfBytes)"))
                }
            }
            try await group.waitForAll()
        }
        #expect(try await server.end().status == 0)
    }

    @Test("the journal has the start of the body, and says nothing of what it lacks")
    func journal() async throws {
        let upstream = try ProxyTests.serving { $1.respond(body: "real") }
        let server = try await ServeProcess(["--proxy-to", "real"], ProxyTests.environment(upstream))
        let client = try RawConnection(server)
        let body = Array(#"{"name": "\#(String(repeating: "a", count: 100_000))"}"#.utf8)
        client.send(
            Self.head("Content-Length: \(body.count)\r\nContent-Type: application/json", path: "/v1/user"))
        client.send(body)
        #expect(client.text(until: "real").hasPrefix("HTTP/1.1 200 "))
        #expect(upstream.requests.first?.body == Data(body))
        let entries = try await server.control("GET", "requests").body
        #expect(entries.contains(#""endpoint":"user.create""#) || entries.contains(#""endpoint": "user.create""#))
        #expect(entries.contains("bodyIsCut"))
        #expect(!entries.contains("problems"), "\(entries.suffix(300))")
        #expect(try await server.end().status == 0)
    }

    @Test(
        "where the body may have a say, it is read whole first",
        arguments: [
            (["--only-missing"], ["x"]), (["--strict"], ["x"]), (["--record"], ["x"]),
            (["--stub", "user.create=created"], []),
        ] as [([String], [String])])
    func wholeFirst(_ options: [String], _ passed: [String]) async throws {
        let upstream = try ProxyTests.serving { $1.respond(body: "real") }
        let server = try await ServeProcess(["--proxy-to", "real"] + options, ProxyTests.environment(upstream))
        // Of two requests at once, the one that is read whole is complete later.
        let client = try RawConnection(server)
        let path = passed.isEmpty ? "/v1/user" : "/v1/other"
        let body = Self.bytes(100_000)
        client.send(Self.head("Content-Length: \(body.count)", path: path))
        client.send(Array(body.dropLast()))
        #expect(try await server.curl("/v1/marker").body == "real")
        #expect(upstream.connections == 1)
        client.send(Array(body.suffix(1)))
        let text = client.text(until: passed.isEmpty ? "\r\n\r\n" : "real")
        #expect(text.hasPrefix(passed.isEmpty ? "HTTP/1.1 201 " : "HTTP/1.1 200 "))
        #expect(upstream.requests.count == 1 + passed.count)
        #expect(try await server.end().status == 0)
    }
}

extension Data {
    /// A number that differs for nearly all data.
    fileprivate var hashOfBytes: UInt64 {
        reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }
}
