import Exchange
import HostileServing
import ReqcliNetworking
import RequestBuilding
import TestSupport
import Testing

/// Unusual but valid responses.
@Suite(.timeLimit(.minutes(10))) struct OddAnswerTests {
    /// Sends one request to a server that responds with these bytes and closes.
    private func answer(
        _ bytes: String, method: String = "GET", options: TransferSettings = TransferSettings(),
        staysOpen: Bool = false
    ) async throws -> (response: Response, body: String) {
        try await answer(Array(bytes.utf8), method: method, options: options, staysOpen: staysOpen)
    }

    private func answer(
        _ bytes: [UInt8], method: String = "GET", options: TransferSettings = TransferSettings(),
        staysOpen: Bool = false
    ) async throws -> (response: Response, body: String) {
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.send(bytes)
            if staysOpen { connection.waitForClose() }
        }
        defer { server.stop() }
        var request = PreparedRequest(url: server.url())
        request.method = try HTTPMethod(method)
        let response = try await SettledTransport(options).send(request)
        return (response, String(decoding: try await response.body.data(), as: UTF8.self))
    }

    @Test("trailers are kept apart from the headers")
    func trailers() async throws {
        let (response, body) = try await answer(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n5\r\nhello\r\n0\r\nX-Sum: 42\r\n\r\n"
        )
        #expect(body == "hello")
        #expect(response.body.ending?.trailers == ["X-Sum": "42"])
        #expect(response.headers["X-Sum"] == nil)
    }

    @Test("informational responses (1xx) are kept apart from the final response")
    func interimHeads() async throws {
        let (response, body) = try await answer(
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        #expect(response.status == 200)
        #expect(body == "ok")
        #expect(response.head.interim.map(\.status) == [103, 102])
        #expect(response.head.interim.first?.headers == ["Link": "</a>"])
        #expect(response.headers == ["Content-Length": "2"])
    }

    @Test("204 and 304 have no body, whatever follows", arguments: [204, 304])
    func noBody(status: Int) async throws {
        let (response, body) = try await answer(
            "HTTP/1.1 \(status) X\r\nContent-Length: 4\r\n\r\nbody", staysOpen: true)
        #expect(response.status == status)
        #expect(body == "")
    }

    @Test("a status line does not need a reason phrase", arguments: ["HTTP/1.1 200", "HTTP/1.1 200 "])
    func noReason(line: String) async throws {
        let (response, body) = try await answer("\(line)\r\nContent-Length: 2\r\n\r\nok")
        #expect(response.status == 200)
        #expect(response.head.reason == "")
        #expect(body == "ok")
    }

    @Test("two equal Content-Length headers count as one")
    func repeatedLength() async throws {
        let (response, body) = try await answer("HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nok", staysOpen: true)
        #expect(response.status == 200)
        #expect(body == "ok")
    }

    @Test("header lines may end with a bare LF")
    func bareLineFeed() async throws {
        let (response, body) = try await answer("HTTP/1.1 200 OK\nX-A: b\nContent-Length: 2\n\nok")
        #expect(response.headers["X-A"] == "b")
        #expect(body == "ok")
        #expect(response.head.rawLines.map { String(decoding: $0, as: UTF8.self) }.first == "HTTP/1.1 200 OK")
    }

    @Test("header bytes that are not UTF-8 are read as Latin-1, and the raw bytes are kept")
    func latin1() async throws {
        let bytes = Array("HTTP/1.1 200 OK\r\nX-City: K".utf8) + [0xF6] + Array("ln\r\nContent-Length: 0\r\n\r\n".utf8)
        let (response, _) = try await answer(bytes)
        #expect(response.headers["X-City"] == "Köln")
        #expect(response.head.rawBytes == bytes)
    }

    @Test("a folded header line is joined with the line before it")
    func folded() async throws {
        let (response, _) = try await answer("HTTP/1.1 200 OK\r\nX-A: one\r\n two\r\nContent-Length: 0\r\n\r\n")
        #expect(response.headers["X-A"] == "one two")
    }

    @Test("bytes beyond the Content-Length are not part of the body")
    func tooLong() async throws {
        let (_, body) = try await answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more", staysOpen: true)
        #expect(body == "ok")
    }

    @Test("without a Content-Length the body ends when the connection closes")
    func untilClose() async throws {
        let (response, body) = try await answer("HTTP/1.0 200 OK\r\n\r\nall of this")
        #expect(response.head.version == "HTTP/1.0")
        #expect(body == "all of this")
    }

    @Test("a response to HEAD has no body, even with a Content-Length")
    func head() async throws {
        let (response, body) = try await answer(
            "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n", method: "HEAD", staysOpen: true)
        #expect(response.headers["Content-Length"] == "100")
        #expect(body == "")
    }

    @Test(
        "an authentication challenge is a normal response with all its headers",
        arguments: [
            "Basic realm=\"x\"", "Basic", "Digest realm=\"x\", nonce=\"y\"", "Digest", "Bearer", "NTLM", "Negotiate",
            "", "Basic realm=\"x\", Digest realm=\"y\", nonce=\"z\"",
        ], [401, 407])
    func challenge(header: String, status: Int) async throws {
        let name = status == 401 ? "WWW-Authenticate" : "Proxy-Authenticate"
        let (response, body) = try await answer(
            "HTTP/1.1 \(status) No\r\n\(name): \(header)\r\nContent-Length: 6\r\n\r\nlocked")
        #expect(response.status == status)
        #expect(response.headers[name] == header)
        #expect(body == "locked")
    }

    @Test("the transport returns a redirect as a response and does not follow it")
    func redirect() async throws {
        let (response, _) = try await answer(
            "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")
        #expect(response.status == 302)
    }

    @Test("compressed bodies are decompressed on request")
    func gzip() async throws {
        let packed: [UInt8] = [
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0,
        ]
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n"
        let (response, body) = try await answer(
            Array(head.utf8) + packed, options: TransferSettings(decodesContent: true))
        #expect(body == "hello")
        #expect(response.headers["Content-Encoding"] == "gzip")
    }

    @Test("a decompression bomb is decompressed no faster than it is read")
    func gzipBomb() async throws {
        let packed = try ShellCommand.run("head -c 268435456 /dev/zero | gzip -9")
        let server = try HostileServer { connection in
            while connection.readRequest() != nil {
                connection.send(
                    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n")
                connection.send(packed)
            }
        }
        let transport = SettledTransport(TransferSettings(decodesContent: true))
        let response = try await transport.send(PreparedRequest(url: server.url()))
        await #expect(throws: ResponseBody.TooLarge.self) { try await response.body.data(upTo: 1 << 20) }

        var count = 0
        for try await chunk in try await transport.send(PreparedRequest(url: server.url())).body {
            count += chunk.count
        }
        #expect(count == 268_435_456)
    }
}
