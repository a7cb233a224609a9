import HTTPWire
import ReqcliBasics
import ReqcliServing

/// A server for a test, on loopback or a unix socket.
struct TestServer {
    let loop: EventLoop
    let server: Server

    init(
        on address: ListenAddress = .loopback(port: 0), limits: ServerLimits = ServerLimits(),
        _ handler: ServerHandler = ServerHandler(reply: TestServer.echo), clock: LoopClock = .monotonic
    ) throws {
        loop = try EventLoop(clock: clock)
        server = try Server(on: [address], loop: loop, limits: limits, handler: handler)
    }

    init(limits: ServerLimits = ServerLimits(), reply: @escaping @Sendable (ServerRequest) -> ServerReply?) throws {
        try self.init(limits: limits, ServerHandler(reply: reply))
    }

    func connect() throws -> RawClient { try RawClient(port: server.port) }

    /// What a new client gets for these bytes until the connection ends.
    func exchange(_ text: String) throws -> String {
        let client = try connect()
        client.send(text)
        return client.text()
    }

    /// Says the request again: its method, its path and its body.
    static let echo: @Sendable (ServerRequest) -> ServerReply? = { request in
        let text = "\(request.head.method) \(request.head.target.path) "
        return ServerReply(status: 200, body: .bytes(Array(text.utf8) + request.body))
    }
}

/// A value that several threads see.
final class Shared<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) { mutex = Mutex(value) }

    var value: Value { mutex.withLock { $0 } }

    func change<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
        mutex.withLock { value in body(&value) }
    }
}
