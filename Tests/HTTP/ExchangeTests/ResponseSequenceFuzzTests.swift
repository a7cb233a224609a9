import HostileServing
import ReqcliNetworking
import RequestBuilding
import TestSupport
import Testing

@testable import Exchange

/// Responses that follow each other on a connection, each of which may be wrong in its own way. What one of them leaves
/// behind in libcurl must not meet the next. The address sanitizer sees libcurl's memory too: `make sanitize`.
@Suite(.timeLimit(.minutes(120))) struct ResponseSequenceFuzzTests {
    /// Answers `/SEED/INDEX` with that response of that sequence.
    private func server(_ sequence: @escaping @Sendable (UInt64) -> [ResponseSample]) throws -> HostileServer {
        try HostileServer { connection in
            while let request = connection.readRequest() {
                let words = request.line.split(separator: " ")[1].split(separator: "/")
                guard words.count == 2, let seed = UInt64(words[0]), let index = Int(words[1]) else { return }
                let sample = sequence(seed)[index]
                connection.send(sample.bytes)
                if !sample.isWhole { return }
            }
        }
    }

    /// Sends the requests of one sequence in order; errors are as good as responses.
    private func run(_ seed: UInt64, count: Int, _ server: HostileServer, _ transport: SettledTransport) async {
        for index in 0..<count {
            let response = try? await transport.send(PreparedRequest(url: server.url("/\(seed)/\(index)")))
            _ = try? await response?.body.data()
        }
    }

    private func transport(_ name: String) -> SettledTransport {
        let limits = Timeouts(idle: .seconds(1), total: .seconds(20))
        return SettledTransport(
            TransferSettings(timeouts: limits, decodesContent: true),
            over: URLSessionTransport(engine: Engine(name: name)))
    }

    @Test("a header line that begins with whitespace goes on with no line of the response before")
    func foldedFirstLine() async throws {
        let samples = [
            ResponseSample("HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n"),
            ResponseSample("HTTP/1.1 200 OK\r\n folded: x\r\nContent-Length: 2\r\n\r\nok"),
        ]
        let server = try server { seed in seed % 2 == 0 ? samples : samples.reversed() }
        let transport = transport("folded")
        for seed in 0..<20 { await run(UInt64(seed), count: 2, server, transport) }
        #expect(server.requests.count == 40)
    }

    @Test("no sequence of responses breaks the process, and the next good response arrives whole")
    func sequences() async throws {
        let count = UInt64(RandomInputs.count(400))
        let server = try server(ResponseSample.sequence)
        let transport = transport("sequences")
        let whole = await withTaskGroup(of: Bool.self) { group in
            var whole = 0
            for seed in 0..<count {
                if seed >= 16, await group.next() == true { whole += 1 }
                group.addTask {
                    await run(seed, count: ResponseSample.sequenceLength, server, transport)
                    let last = PreparedRequest(url: server.url("/\(seed)/\(ResponseSample.sequenceLength)"))
                    // A connection may still hold bytes of what came before, or be closed while it is used.
                    for _ in 0..<5 {
                        let body = try? await transport.send(last).body.data()
                        if body == Data("end".utf8) { return true }
                    }
                    return false
                }
            }
            for await isWhole in group where isWhole { whole += 1 }
            return whole
        }
        #expect(whole == Int(count))
    }
}

/// A response as bytes.
private struct ResponseSample {
    let bytes: [UInt8]
    /// True if the next response may follow on the same connection; otherwise the connection ends with this one.
    let isWhole: Bool

    init(_ text: String, isWhole: Bool = true) {
        bytes = Array(text.utf8)
        self.isWhole = isWhole
    }

    private init(bytes: [UInt8], isWhole: Bool) {
        self.bytes = bytes
        self.isWhole = isWhole
    }

    static let sequenceLength = 4

    /// Responses that may be wrong, and a good one.
    static func sequence(_ seed: UInt64) -> [ResponseSample] {
        var generator = SeededGenerator(seed: seed)
        return (0..<sequenceLength).map { _ in random(&generator) }
            + [ResponseSample("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nend")]
    }

    private static let statusLines = [
        "HTTP/1.1 200 OK", "HTTP/1.1 200 OK", "HTTP/1.1 302 Found", "HTTP/1.1 401 Unauthorized", "HTTP/1.1 503 Busy",
        "HTTP/1.0 200 OK", "HTTP/1.1 204 No Content", "HTTP/1.1 304 Not Modified", "HTTP/1.1 200", "HTTP/2 200",
    ]
    private static let lines = [
        " folded: x", "\tfolded", " ", "X-A: b", "X-A: b", "x-a:", ": nameless", "no colon", "X-\u{e9}: \u{e9}",
        "Location: /b", "Set-Cookie: a=b; Path=/", "WWW-Authenticate: Digest realm=\"a\", nonce=\"b\"",
        "Connection: keep-alive", "Trailer: X-Sum", "Retry-After: 0", "Date: x", "X-A: \0", "X-Long: \(longValue)",
    ]
    private static let longValue = String(repeating: "v", count: 3000)
    private static let interim = [
        "", "", "", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", "HTTP/1.1 100 C\r\n folded\r\n\r\n",
    ]

    private static func random(_ generator: inout SeededGenerator) -> ResponseSample {
        func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &generator)] }
        let end = pick(["\r\n", "\r\n", "\r\n", "\n"])
        var head = (0..<Int.random(in: 0...5, using: &generator)).map { _ in pick(lines) }
        var body = pick(["", "ok", "a longer body\r\nof two lines"])
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
            head.append("Transfer-Encoding: chunked")
            let trailer = pick(["", "X-Sum: 1\r\n", " folded: x\r\n", "\tfolded\r\nX-Sum: 1\r\n"])
            body = (body.isEmpty ? "" : "\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n") + "0\r\n\(trailer)\r\n"
        case 1: head.insert("Content-Length: \(body.utf8.count)", at: 0)
        default: head.append("Content-Length: \(body.utf8.count)")
        }
        var bytes = Array((pick(interim) + pick(statusLines) + end + head.map { $0 + end }.joined() + end + body).utf8)
        // One in three is damaged: a byte changed, doubled or cut off with all that follows.
        guard Int.random(in: 0..<3, using: &generator) == 0 else {
            return ResponseSample(bytes: bytes, isWhole: Bool.random(using: &generator))
        }
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.insert(bytes[place], at: place)
        case 2: bytes.removeSubrange(place...)
        default: bytes[place] = 0x20
        }
        return ResponseSample(bytes: bytes, isWhole: false)
    }
}
