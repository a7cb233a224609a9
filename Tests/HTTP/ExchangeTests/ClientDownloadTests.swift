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

    @Test("Only a GET without a body and without a range of its own is a download, and nothing is sent otherwise")
    func otherRequests() async throws {
        try Data("precious".utf8).write(to: URL(filePath: path))
        let (client, transport) = client(Stub())
        for builder in [call.method(.head), .post("map"), call.textBody("x"), call.header("Range", "bytes=1-")] {
            await #expect(throws: RequestBuildingError.self) { try await client.download(builder, to: path) }
        }
        #expect(transport.requests.isEmpty)
        #expect(saved() == "precious")
    }

    @Test("Two downloads to one path don't mix: the second is an error")
    func atOnce() async throws {
        let gate = AsyncStream.makeStream(of: Void.self)
        let slow = StubTransport(sleep: { _ in for await _ in gate.stream {} })
            .stubbingRest(Stub(data: Data("abcdef".utf8)).takingTime(.seconds(1)))
        let first = Task {
            try await APIClient(base: RequestBuilder().baseURL("http://h"), transport: slow).download(call, to: path)
        }
        while !FileManager.default.fileExists(atPath: "\(path).part") { await Task.yield() }
        let (other, transport) = client(Stub(data: Data("ABCDEF".utf8)))
        let error = await #expect(throws: (any Error).self) { try await other.download(call, to: path) }
        #expect(error?.localizedDescription == "\(path) can't be written: another run is writing to \(path).part")
        #expect(transport.requests.isEmpty)
        gate.continuation.finish()
        _ = try await first.value
        #expect(saved() == "abcdef")
    }

    @Test("A link stays a link, permissions stay, and a folder is refused before anything is sent")
    func targets() async throws {
        try Data("old".utf8).write(to: URL(filePath: path))
        chmod(path, 0o600)
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: path)
        let (client, transport) = client(Stub(data: Data("abcdef".utf8)))
        try await client.download(call, to: folder.path("link"))
        #expect(saved() == "abcdef")
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")) == path)
        for wrong in [folder.path, "\(path)\0x"] {
            await #expect(throws: (any Error).self) { try await client.download(call, to: wrong) }
        }
        #expect(transport.requests.count == 1)
        #expect(try files == ["link", "map.bin"])
    }

    @Test("A file that the record's name is a link to stays as it is")
    func linkedRecord() async throws {
        try Data("precious".utf8).write(to: URL(filePath: folder.path("mine")))
        try FileManager.default.linkItem(atPath: folder.path("mine"), toPath: folder.path("map.bin.part.info"))
        let (client, _) = client(Stub(data: Data("abcdef".utf8)))
        try await client.download(call, to: path)
        #expect(saved("mine") == "precious")
        #expect(try files == ["map.bin", "mine"])
    }

    @Test("Bytes of another account are not continued, and nothing is left of what can't be")
    func accounts() async throws {
        let (client, transport) = client(
            interrupted("abc"), Stub(data: Data("ABCDEF".utf8)), interrupted("abc", tag: nil))
        await #expect(throws: TransportError.self) {
            try await client.download(call.authorization(bearer: "ada"), to: path)
        }
        #expect(!(saved("map.bin.part.info") ?? "").contains("ada"))
        try await client.download(call.authorization(bearer: "bob"), to: path)
        #expect(transport.requests.last?.headers["Range"] == nil)
        #expect(saved() == "ABCDEF")
        await #expect(throws: TransportError.self) { try await client.download(call, to: path) }
        #expect(try files == ["map.bin"])
    }

    @Test("A body of another length than the server says, or with a coding, doesn't become the file")
    func damaged() async throws {
        let long = Stub(data: Data("abc".utf8), headers: ["Content-Length": "6"])
        let coded = Stub(data: Data("abc".utf8), headers: ["Content-Encoding": "gzip"])
        let (client, _) = client(long, coded)
        for _ in 0..<2 {
            let error = await #expect(throws: TransportError.self) { try await client.download(call, to: path) }
            #expect(error?.kind == .badResponse)
        }
        #expect(try files == [])
    }

    @Test("A copy of the descriptor, as a program that is being started has it for a moment, doesn't keep the lock")
    func copiedDescriptor() async throws {
        let file = try GrowingFile(path)
        try file.begin(Array("kept".utf8), isWorthKeeping: true)
        try file.write(Data("abc".utf8))
        let copy = try #require(try descriptor(of: "\(path).part"))
        defer { close(copy) }
        file.leave()
        #expect(try GrowingFile(path).kept()?.size == 3)
    }

    /// A copy of this process's descriptor of a file.
    private func descriptor(of path: String) throws -> Int32? {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").lazy.compactMap(Int32.init)
            .first { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path }
            .map { dup($0) }
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
