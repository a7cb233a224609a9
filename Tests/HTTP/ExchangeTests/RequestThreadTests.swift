import Foundation
import HostileServing
import ReqcliNetworking
import RequestBuilding
import TestSupport
import Testing

@testable import Exchange

/// Threads that run tasks and send their requests.
@Suite(.timeLimit(.minutes(5))) struct RequestThreadTests {
    private static var threadName: String? {
        try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8).trimmingCharacters(in: .newlines)
    }

    private func thread(_ number: Int) throws -> RequestThread {
        try #require(
            RequestThread(number: number, connections: ConnectionRules(), session: URLSession(configuration: .exchange))
        )
    }

    /// The result of work that runs on a thread.
    private func result<Value: Sendable>(
        on thread: RequestThread, of work: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let result = Locked<Value?>(nil)
        await withDiscardingTaskGroup { group in
            thread.run(in: &group) {
                let value = await work()
                result.withLock { $0 = value }
            }
        }
        return result.withLock { $0 }
    }

    @Test("A task stays on its thread while it waits, and while it sends a request")
    func stays() async throws {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil { connection.respond(body: "x") }
        }
        let names = await result(on: try thread(1)) { () -> [String?] in
            var names = [Self.threadName]
            await RequestThread.current?.sleep(.milliseconds(5))
            names.append(Self.threadName)
            let body = try? await RequestThread.current?.transport.send(PreparedRequest(url: server.url())).body.data()
            return names + [Self.threadName, body.flatMap { $0 }.map { String(decoding: $0, as: UTF8.self) }]
        }
        #expect(names == ["reqcli-load-1", "reqcli-load-1", "reqcli-load-1", "x"])
        #expect(RequestThread.current == nil)
    }

    @Test("A wait ends when its task is cancelled, even just before the wait begins")
    func cancelledWaits() async throws {
        let thread = try thread(3)
        await withDiscardingTaskGroup { group in
            for _ in 0..<5000 {
                group.addTask {
                    let waiting = Task { await thread.sleep(.seconds(3600)) }
                    waiting.cancel()
                    await waiting.value
                }
            }
        }
    }

    @Test("A task waits for the time asked for, and no longer once it is cancelled")
    func waits() async throws {
        let thread = try thread(2)
        let start = ContinuousClock.now
        await thread.sleep(.milliseconds(30))
        #expect(ContinuousClock.now - start >= .milliseconds(30))
        let waiting = Task { await thread.sleep(.seconds(3600)) }
        await thread.sleep(.milliseconds(5))
        waiting.cancel()
        await waiting.value
    }
}
