import ReqcliNetworking
import RequestBuilding
import TestSupport
import Testing

/// A plain URLSession sends the builder's URLRequest with its headers and body.
@Suite struct AnySessionTests {
    private func send(_ builder: RequestBuilder) async throws -> RecordedRequest {
        let server = try RecordingServer(
            answer: Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8))
        let request = try builder.baseURL("http://127.0.0.1:\(server.port)/base").makeRequest()
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        _ = try await session.data(for: request)
        return try #require(server.requests.first)
    }

    @Test("a plain session sends all headers, with repeated ones joined")
    func headers() async throws {
        let sent = try await send(
            RequestBuilder.get("a").addingHeader("X-B", "1").addingHeader("X-A", "2").addingHeader("X-B", "3")
                .addingQueryItem("q", "a b"))
        #expect(sent.target == "/base/a?q=a%20b")
        #expect(sent.values("X-B") == ["1, 3"])
        #expect(sent.values("X-A") == ["2"])
    }

    @Test("a plain session streams a file, and a form with a file")
    func streamedBodies() async throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let path = try folder.write("body", bytes)
        #expect(try await send(RequestBuilder.post("a").fileBody(path: path)).body == bytes)
        let form = MultipartBody(boundary: "B", parts: [.text("a", "1"), .file("f", path: path)])
        let expected = form.pieces.flatMap { piece -> [UInt8] in
            switch piece {
            case .data(let data): Array(data)
            case .file: bytes
            }
        }
        #expect(try await send(RequestBuilder.post("a").multipartBody(form)).body == expected)
    }
}
