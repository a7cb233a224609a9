import Exchange
import Foundation
import HostileServing
import RequestBuilding
import Synchronization
import TestSupport
import Testing

/// A download shows its progress, and goes on where it was interrupted.
@Suite struct ClientDownloadTests {
    private let folder: TemporaryFolder
    private let call = RequestBuilder.get("map")

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.path("map.bin") }

    private func saved(_ name: String = "map.bin") -> String? {
        (try? Data(contentsOf: URL(filePath: folder.path(name)))).map { String(decoding: $0, as: UTF8.self) }
    }

    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    private func client(_ stubs: Stub...) -> (APIClient, StubTransport) {
        let transport = StubTransport().stubbing(stubs, for: .any, afterwards: .fail)
        return (APIClient(base: RequestBuilder().baseURL("http://h"), transport: transport), transport)
    }

    /// A response that is interrupted after some bytes.
    private func interrupted(_ text: String, tag: String? = #""v1""#) -> Stub {
        var stub = Stub(error: TransportError(.reset, target: ""), status: 200)
        stub.body = .data(Data(text.utf8))
        stub.headers = ["ETag": tag, "Content-Length": "6"]
        return stub
    }

    private func rest(_ text: String, _ range: String, tag: String = #""v1""#, status: Int = 206) -> Stub {
        Stub(data: Data(text.utf8), status: status, headers: ["ETag": tag, "Content-Range": range])
    }

    @Test("A whole file is saved, in place of an old one, and the progress ends with its size")
    func whole() async throws {
        try Data("an older, longer file".utf8).write(to: URL(filePath: path))
        let (client, transport) = client(Stub(data: Data("abcdef".utf8), headers: ["Content-Length": "6"]))
        let progress = Mutex<[DownloadProgress]>([])
        let head = try await client.download(call, to: path) { step in progress.withLock { $0.append(step) } }
        #expect(head.status == 200)
        #expect(saved() == "abcdef")
        #expect(progress.withLock(\.last).map { [$0.received, $0.total ?? 0] } == [6, 6])
        #expect(transport.requests.first?.headers["Range"] == nil)
        #expect(try files == ["map.bin"])
    }

    @Test("An interrupted download goes on where it stopped")
    func goesOn() async throws {
        let (client, transport) = client(interrupted("abc"), rest("def", "bytes 3-5/6"))
        await #expect(throws: TransportError.self) { try await client.download(call, to: path) }
        #expect(saved() == nil)
        #expect(saved("map.bin.part") == "abc")
        let progress = Mutex<[DownloadProgress]>([])
        #expect(
            try await client.download(call, to: path) { step in progress.withLock { $0.append(step) } }.status == 206)
        #expect(saved() == "abcdef")
        #expect(progress.withLock { $0.map(\.received) } == [6])
        #expect(transport.requests.last?.headers["Range"] == "bytes=3-")
        #expect(transport.requests.last?.headers["If-Range"] == #""v1""#)
        #expect(try files == ["map.bin"])
    }

    @Test("A file that has changed, and a range that can't be had, start anew")
    func changed() async throws {
        let whole = Stub(data: Data("ABCDEF".utf8))
        let cases = [
            [whole], [rest("DEF", "bytes 3-5/6", tag: #""v2""#), whole], [rest("", "bytes */2", status: 416), whole],
            [rest("ef", "bytes 4-5/6"), whole],
        ]
        for answers in cases {
            let transport = StubTransport().stubbing([interrupted("abc")] + answers, for: .any, afterwards: .fail)
            let client = APIClient(base: RequestBuilder().baseURL("http://h"), transport: transport)
            await #expect(throws: TransportError.self) { try await client.download(call, to: path) }
            try await client.download(call, to: path)
            #expect(saved() == "ABCDEF")
            #expect(try files == ["map.bin"])
        }
    }

    @Test(
        "Without a strong validator, or for another request, nothing is continued",
        arguments: [nil, "W/\"v1\"", "\"v1\""])
    func notContinued(tag: String?) async throws {
        let (client, transport) = client(interrupted("abc", tag: tag), Stub(data: Data("ABCDEF".utf8)))
        await #expect(throws: TransportError.self) { try await client.download(call, to: path) }
        try await client.download(tag == "\"v1\"" ? call.queryItem("other", "1") : call, to: path)
        #expect(transport.requests.last?.headers["Range"] == nil)
        #expect(saved() == "ABCDEF")
    }

    @Test("A part that is too short is an error, and a status that is none of a file leaves all as it was")
    func refused() async throws {
        let (short, _) = client(interrupted("abc"), rest("d", "bytes 3-5/6"), Stub(json: "{}", status: 404))
        await #expect(throws: TransportError.self) { try await short.download(call, to: path) }
        let error = await #expect(throws: TransportError.self) { try await short.download(call, to: path) }
        #expect(error?.detail == "the body has 1 bytes, but its Content-Range is 3-5/6")
        await #expect(throws: RequestFailed.self) { try await short.download(call, to: path) }
        #expect(saved() == nil)
        #expect(saved("map.bin.part") == "abcd")
    }

    @Test(
        "A download from a real server goes on, byte for byte",
        .enabled(if: ShellCommand.has("nginx") && TLSFixture.isAvailable, "nginx and openssl are needed"))
    func realServer() async throws {
        let server = try Nginx()
        let client = APIClient(baseURL: server.url("/", secure: false))
        let url = RequestBuilder.get("big")
        let task = Task {
            try await client.download(url, to: path) { progress in
                if progress.received > 1_000_000 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        await #expect(throws: (any Error).self) { try await task.value }
        let kept = try #require(saved("map.bin.part")?.utf8.count)
        #expect(kept > 1_000_000)
        #expect(try await client.download(url, to: path).status == 206)
        #expect(try Data(contentsOf: URL(filePath: path)) == (try await client.data(of: url)))
    }
}
