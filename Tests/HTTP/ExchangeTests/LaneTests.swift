import HostileServing
import ReqcliNetworking
import RequestBuilding
import TestSupport
import Testing

@testable import Exchange

/// One task of URLSession for all requests of a transport that overlap.
@Suite(.timeLimit(.minutes(60))) struct LaneTests {
    /// A session that only the transport uses, and the test looks into.
    private let session = URLSession(configuration: .exchange)

    private var transport: URLSessionTransport { URLSessionTransport { session } }

    /// Answers each request once `isOpen` is true: `/body` with half a body before that.
    private final class Gate: Sendable {
        let isOpen = Locked(false)
        let waiting = Locked(0)

        func server() throws -> HostileServer {
            try HostileServer { [self] connection in
                while let request = connection.readRequest() {
                    let isBody = request.line.hasPrefix("GET /body ")
                    if isBody { connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf") }
                    waiting.withLock { $0 += 1 }
                    // Not for ever, where a test fails before it opens the gate.
                    for _ in 0..<20_000 where !isOpen.withLock({ $0 }) { connection.pause(0.001) }
                    if isBody { connection.send("half") } else { connection.respond(body: request.line) }
                }
            }
        }

        func open() { isOpen.withLock { $0 = true } }

        /// Waits until so many requests wait at the server.
        func reached(_ count: Int) async {
            while waiting.withLock({ $0 }) < count { await Task.yield() }
        }
    }

    private func tasks(of session: URLSession) async -> Int {
        await withCheckedContinuation { continuation in
            session.getAllTasks { continuation.resume(returning: $0.count) }
        }
    }

    /// Waits until Foundation has no task; were it never told, this would wait until the suite's time is up.
    private func closed() async {
        while await tasks(of: session) > 0 { await Task.yield() }
    }

    /// The number of tasks that the session has made so far.
    private func made(_ url: URL) -> Int { session.dataTask(with: url).taskIdentifier - 1 }

    @Test("requests that overlap share a task, which ends after the last one; a later one makes another")
    func shared() async throws {
        let gate = Gate()
        let server = try gate.server()
        let transport = transport
        try await withThrowingTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    let body = try await transport.send(PreparedRequest(url: server.url("/\(number)"))).body.data()
                    #expect(body == Data("GET /\(number) HTTP/1.1".utf8))
                }
            }
            await gate.reached(8)
            #expect(await tasks(of: session) == 1)
            gate.open()
            try await group.waitForAll()
        }
        await closed()
        #expect(try await transport.send(PreparedRequest(url: server.url())).status == 200)
        #expect(made(server.url()) == 2)
    }

    @Test("a request that follows another at once finds its task still there")
    func oneAfterAnother() async throws {
        let gate = Gate()
        gate.open()
        let server = try gate.server()
        let transport = transport
        for _ in 0..<100 { _ = try await transport.send(PreparedRequest(url: server.url())).body.data() }
        // A few, where the machine is busy with something else for a while.
        #expect(made(server.url()) <= 20)
    }

    @Test("in a session of the caller's each request has its own task with its own request")
    func callersSession() async throws {
        let gate = Gate()
        let server = try gate.server()
        let transport = URLSessionTransport(session: session)
        try await withThrowingTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    _ = try await transport.send(PreparedRequest(url: server.url("/\(number)"))).body.data()
                }
            }
            await gate.reached(8)
            let paths = await withCheckedContinuation { continuation in
                session.getAllTasks { continuation.resume(returning: $0.map { $0.originalRequest?.url?.path ?? "" }) }
            }
            #expect(paths.sorted() == (0..<8).map { "/\($0)" })
            gate.open()
            try await group.waitForAll()
        }
        await closed()
    }

    @Test("a cancelled request ends alone, be it the first or the last, before its head or in its body")
    func cancelOne() async throws {
        let gate = Gate()
        let server = try gate.server()
        let transport = transport
        let requests = (0..<4).map { number in
            Task {
                try await transport.send(PreparedRequest(url: server.url(number < 2 ? "/" : "/body"))).body.data()
            }
        }
        await gate.reached(4)
        for number in [0, 3] {
            requests[number].cancel()
            await #expect(throws: CancellationError.self) { try await requests[number].value }
        }
        #expect(await tasks(of: session) == 1)
        gate.open()
        #expect(try await requests[1].value == Data("GET / HTTP/1.1".utf8))
        #expect(try await requests[2].value == Data("halfhalf".utf8))
        await closed()
    }

    @Test("a lane whose last request is cancelled closes, and opens for the next one")
    func cancelLast() async throws {
        let gate = Gate()
        let server = try gate.server()
        let transport = transport
        let request = Task { try await transport.send(PreparedRequest(url: server.url())) }
        await gate.reached(1)
        request.cancel()
        await #expect(throws: CancellationError.self) { try await request.value }
        await closed()
        gate.open()
        #expect(try await transport.send(PreparedRequest(url: server.url())).status == 200)
    }

    @Test("a request that is cancelled while the lane opens isn't sent, and the others are")
    func cancelWhileOpening() async throws {
        let gate = Gate()
        gate.open()
        let server = try gate.server()
        let opening = OpeningLane()
        let exchanges = try (0..<3).map { try opening.exchange(server.url("/\($0)")) }
        exchanges[0].cancel()
        opening.open()
        await #expect(throws: CancellationError.self) { try await exchanges[0].response() }
        for exchange in exchanges.dropFirst() { #expect(try await exchange.response().status == 200) }
        #expect(server.requests.map(\.line).sorted() == ["GET /1 HTTP/1.1", "GET /2 HTTP/1.1"])
    }

    @Test("a lane whose requests are all cancelled while it opens sends nothing, and closes")
    func cancelAllWhileOpening() async throws {
        let server = try Gate().server()
        let opening = OpeningLane()
        let exchanges = try (0..<3).map { try opening.exchange(server.url("/\($0)")) }
        for exchange in exchanges { exchange.cancel() }
        opening.open()
        for exchange in exchanges { await #expect(throws: CancellationError.self) { try await exchange.response() } }
        while await tasks(of: opening.session) > 0 { await Task.yield() }
        #expect(server.requests.isEmpty)
    }

    @Test(
        "a task that Foundation stops before it starts ends the requests that wait for it, and opens nothing afterwards"
    )
    func stopWhileOpening() async throws {
        let gate = Gate()
        gate.open()
        let server = try gate.server()
        let opening = OpeningLane()
        let stopped = try (0..<3).map { try opening.exchange(server.url("/stopped/\($0)")) }
        opening.stop()
        for exchange in stopped { await #expect(throws: CancellationError.self) { try await exchange.response() } }
        opening.open()
        let next = try opening.exchange(server.url("/next"))
        #expect(opening.tasks == 2)
        opening.open(1)
        #expect(try await next.response().status == 200)
        #expect(server.requests.map(\.line) == ["GET /next HTTP/1.1"])
    }

    @Test("a task that ends late ends no request of the next one")
    func lateStop() async throws {
        let gate = Gate()
        let server = try gate.server()
        let opening = OpeningLane()
        let first = try opening.exchange(server.url("/first"))
        opening.open()
        await gate.reached(1)
        opening.stop()
        await #expect(throws: CancellationError.self) { try await first.response() }
        let next = try opening.exchange(server.url("/next"))
        opening.stop()
        opening.open(1)
        opening.stop()
        gate.open()
        #expect(try await next.response().status == 200)
    }

    @Test("a session that is invalidated ends all requests of its transport, and none of another one's")
    func invalidated() async throws {
        let gate = Gate()
        let server = try gate.server()
        let (transport, other) = (transport, URLSessionTransport())
        var stopped: [Task<Data, any Error>] = []
        // One that opens the lane, and others that find it open.
        for path in ["/", "/body", "/"] {
            stopped.append(Task { try await transport.send(PreparedRequest(url: server.url(path))).body.data() })
            await gate.reached(stopped.count)
        }
        let kept = Task { try await other.send(PreparedRequest(url: server.url("/kept"))).body.data() }
        await gate.reached(4)
        session.invalidateAndCancel()
        for request in stopped { await #expect(throws: CancellationError.self) { try await request.value } }
        gate.open()
        #expect(try await kept.value == Data("GET /kept HTTP/1.1".utf8))
    }

    @Test("two transports in one session have a task each")
    func twoTransports() async throws {
        let gate = Gate()
        let server = try gate.server()
        let transports = [transport, transport]
        try await withThrowingTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    _ = try await transports[number % 2].send(PreparedRequest(url: server.url())).body.data()
                }
            }
            await gate.reached(8)
            #expect(await tasks(of: session) == 2)
            gate.open()
            try await group.waitForAll()
        }
        await closed()
    }

    @Test("a request goes on after its transport has gone, and leaves nothing behind")
    func transportGone() async throws {
        let gate = Gate()
        let server = try gate.server()
        weak var session: URLSession?
        let response = try await {
            let own = URLSession(configuration: .exchange)
            session = own
            return try await URLSessionTransport { own }.send(PreparedRequest(url: server.url("/body")))
        }()
        gate.open()
        #expect(try await response.body.data() == Data("halfhalf".utf8))
        while session != nil { await Task.yield() }
    }

    @Test("whatever requests do at the same time, each ends as it should, and the lane closes", arguments: [2, 20])
    func interleavings(workers: Int) async throws {
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                switch Fate(rawValue: String(request.line.split(separator: " ")[1].split(separator: "/")[0])) {
                case .cut:
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
                    return
                case .late, .cancelled: connection.waitForClose()
                default: connection.respond(body: request.line)
                }
            }
        }
        let lane = Lane(rest: .milliseconds(1))
        let transport = URLSessionTransport(session: session, loader: LibcurlLoader(of: session, lane: lane))
        let count = RandomInputs.count(1000)
        let rounds = 10
        var wrong: [String] = []
        for round in 0..<rounds {
            wrong += await withTaskGroup(of: [String].self) { group in
                for worker in 0..<workers {
                    group.addTask {
                        var generator = SeededGenerator(seed: UInt64(round * workers + worker))
                        var wrong: [String] = []
                        for number in 0..<count / rounds / workers {
                            let fate = Fate.random(using: &generator)
                            let url = server.url("/\(fate)/\(round)/\(worker)/\(number)")
                            if let end = await fate.end(url, transport, &generator) {
                                wrong.append("\(url.path): \(end)")
                            }
                            // Now and then long enough for the lane to close if the others are at rest, too.
                            if Int.random(in: 0..<50, using: &generator) == 0 {
                                try? await Task.sleep(for: .milliseconds(5))
                            }
                        }
                        return wrong
                    }
                }
                return await group.reduce([], +)
            }
            await closed()
        }
        #expect(wrong == [])
        #expect(made(server.url()) >= rounds)
    }
}

/// What becomes of a request.
private enum Fate: String, CaseIterable {
    case whole, cut, late, cancelled, raced, dropped

    static func random(using generator: inout SeededGenerator) -> Fate {
        // Most are whole; the others cost a connection.
        Int.random(in: 0..<4, using: &generator) > 0 ? .whole : allCases.randomElement(using: &generator) ?? .whole
    }

    /// Sends a request; nil if it ends as it should, otherwise how it ended.
    func end(_ url: URL, _ transport: URLSessionTransport, _ generator: inout SeededGenerator) async -> String? {
        var request = PreparedRequest(url: url)
        if self == .late { request.transfer.timeouts.total = .milliseconds(Int.random(in: 1...20, using: &generator)) }
        let sent = request
        let task = Task { [self] in
            let response = try await transport.send(sent)
            return self == .dropped ? nil : try await response.body.data()
        }
        if self == .cancelled || self == .raced {
            // Before it starts, while the lane opens, while it waits, or after its end.
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: break
            case 1: for _ in 0..<Int.random(in: 1...20, using: &generator) { await Task.yield() }
            default: try? await Task.sleep(for: .microseconds(Int.random(in: 1...3000, using: &generator)))
            }
            task.cancel()
        }
        let result = await task.result
        let isRight =
            switch (self, result) {
            case (.whole, .success(let body)), (.raced, .success(let body)):
                body == Data("GET \(url.path) HTTP/1.1".utf8)
            case (.dropped, .success): true
            case (.cut, .failure(let error)): (error as? TransportError)?.kind == .truncated
            case (.late, .failure(let error)): (error as? TransportError)?.kind == .timeout(.total)
            case (.cancelled, .failure(let error)), (.raced, .failure(let error)): error is CancellationError
            default: false
            }
        return isRight ? nil : "\(result)"
    }
}

/// A lane whose task Foundation starts when the test says so.
private final class OpeningLane: Sendable {
    let session: URLSession
    private let lane = Lane(rest: .milliseconds(1))
    private let loaders = Locked<[LibcurlProtocol]>([])

    init() {
        let configuration = URLSessionConfiguration.exchange
        configuration.protocolClasses = [IdleLoader.self]
        session = URLSession(configuration: configuration)
    }

    /// A request that has started.
    func exchange(_ url: URL) throws -> TransportExchange {
        let exchange = TransportExchange(try TransferPlan(PreparedRequest(url: url)), lane: lane)
        lane.start(exchange) {
            let task = session.dataTask(with: url)
            loaders.withLock { $0.append(LibcurlProtocol(task: task, cachedResponse: nil, client: nil)) }
            return task
        }
        return exchange
    }

    /// How many tasks the lane has made.
    var tasks: Int { loaders.withLock { $0.count } }

    func open(_ index: Int = 0) { loaders.withLock { $0[index] }.startLoading() }
    func stop(_ index: Int = 0) { loaders.withLock { $0[index] }.stopLoading() }
}

/// Does nothing, until its task is cancelled.
private final class IdleLoader: URLProtocol {
    override static func canInit(with request: URLRequest) -> Bool { true }
    override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func startLoading() {}
    override func stopLoading() {}
}
