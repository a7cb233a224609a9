import Dispatch
import Exchange
import Foundation
import HostileServing
import ReqcliNetworking
import RequestBuilding
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct StreamingTests {
    /// Sends blocks of 1 MiB and counts them, until the client stops reading.
    private final class Flood: Sendable {
        let sent = Locked(0)

        func script(_ connection: HostileConnection) {
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            let block = [UInt8](repeating: 0x61, count: 1 << 20)
            while connection.send(block) { sent.withLock { $0 += 1 } }
        }
    }

    @Test("an unread body stops the server from sending, and other requests continue")
    func backPressure() async throws {
        let flood = Flood()
        let server = try HostileServer { flood.script($0) }
        let other = try HostileServer { connection in while connection.readRequest() != nil { connection.respond() } }
        defer { server.stop() }
        let transport = SettledTransport(TransferSettings(timeouts: Timeouts(idle: .seconds(3))))
        let response = try await transport.send(PreparedRequest(url: server.url()))
        var iterator = response.body.makeAsyncIterator()
        _ = try await iterator.next()
        // Long enough for hundreds of megabytes, and longer than the idle limit, which does not apply to slow readers.
        for _ in 0..<40 {
            _ = try await transport.send(PreparedRequest(url: other.url())).body.data()
            try await Task.sleep(for: .milliseconds(100))
        }
        // 1 MiB in the stream, some in libcurl, and the contents of the kernel's two socket buffers.
        #expect(flood.sent.withLock { $0 } < 16)
        // Reading continues at the same place.
        var count = 0
        while count < 64 << 20, let chunk = try await iterator.next() { count += chunk.count }
        #expect(count >= 64 << 20)
    }

    @Test("a whole response stands, whatever becomes of an upload that its server doesn't read to the end")
    func earlyResponse() async throws {
        let seen = Locked(false)
        let server = try HostileServer { connection in
            guard connection.readHead() != nil else { return }
            connection.respond(body: "enough")
            while !seen.withLock({ $0 }) { connection.pause(0.01) }
            connection.reset()
        }
        defer { server.stop() }
        // As many bytes as are asked for.
        let (questions, ask) = AsyncStream<Void>.makeStream()
        let feed = BodyFeed(length: 1 << 40) { ask.yield() }
        let feeding = Task {
            for await _ in questions { feed.append([UInt8](repeating: 0, count: 1 << 16), isLast: false) }
        }
        defer { feeding.cancel() }
        var request = PreparedRequest(url: server.url(), method: .post)
        request.feed = feed
        let response = try await URLSessionTransport().send(request)
        var iterator = response.body.makeAsyncIterator()
        #expect(try await iterator.next() == Data("enough".utf8))
        seen.withLock { $0 = true }
        #expect(try await iterator.next() == nil)
    }

    @Test("dropping an unread body ends its transfer")
    func droppedBody() async throws {
        let closed = AsyncStream<Void>.makeStream()
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome")
            connection.waitForClose()
            closed.continuation.finish()
        }
        #expect(try await URLSessionTransport().send(PreparedRequest(url: server.url())).status == 200)
        for await _ in closed.stream {}
    }

    @Test("a response can be read to its end after its transport is gone, beside requests of another transport")
    func outlivedTransport() async throws {
        let isGone = DispatchSemaphore(value: 0)
        let server = try HostileServer { connection in
            guard let request = connection.readRequest() else { return }
            guard request.line.contains("/slow") else { _ = connection.respond(body: "other"); return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
            isGone.wait()
            connection.send("rest")
        }
        defer { server.stop() }
        func slow() async throws -> Response {
            try await URLSessionTransport().send(PreparedRequest(url: server.url("/slow")))
        }
        let responses = [try await slow(), try await slow()]
        #expect(
            try await URLSessionTransport().send(PreparedRequest(url: server.url("/"))).body.data()
                == Data("other".utf8))
        for _ in responses { isGone.signal() }
        for response in responses { #expect(try await response.body.data() == Data("halfrest".utf8)) }
    }

    @Test("cancelling ends a request at once, before its head and during its body", arguments: [false, true])
    func cancel(isInBody: Bool) async throws {
        let reached = AsyncStream<Void>.makeStream()
        let closed = AsyncStream<Void>.makeStream()
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            if isInBody { connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome") }
            reached.continuation.finish()
            connection.waitForClose()
            closed.continuation.finish()
        }
        let request = PreparedRequest(url: server.url())
        let task = Task { try await URLSessionTransport().send(request).body.data() }
        for await _ in reached.stream {}
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        for await _ in closed.stream {}
    }

    @Test("an upload is read as fast as the server accepts it, and the response may come early")
    func earlyAnswer() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("big", Array(repeating: 0, count: 64 << 20))
        let server = try HostileServer { connection in
            _ = connection.readHead()
            connection.respond(413, ["Connection: close"], body: "too large")
            connection.waitForClose()
        }
        var request = PreparedRequest(url: server.url())
        request.method = .put
        request.body = .file(path: path)
        let response = try await URLSessionTransport().send(request)
        #expect(response.status == 413)
        #expect(try await response.body.data() == Data("too large".utf8))
    }

    @Test("a file that shrinks while it is sent is an error, not a short body")
    func shrinkingFile() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("big", Array(repeating: 0, count: 256 << 20))
        let server = try HostileServer { connection in
            _ = connection.readHead()
            truncate(path, 0)
            connection.waitForClose()
        }
        var request = PreparedRequest(url: server.url())
        request.method = .put
        request.body = .file(path: path)
        let sent = request
        let error = await #expect(throws: TransportError.self) { try await URLSessionTransport().send(sent) }
        #expect(error?.kind == .unreadableBody)
        #expect(error?.description.contains("became shorter while it was sent") == true)
    }
}
