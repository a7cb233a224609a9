import ReqcliBasics
import ReqcliMocking
import ReqcliServing
import StubServing

/// Carries out the requests of clients to the control API.
final class ServerControl: Sendable {
    /// The actions of the API on the server itself.
    struct Actions: Sendable {
        let refuse: @Sendable (Duration) -> Void
        let stop: @Sendable () -> Void
        /// Calls a function once all responses that another server has sent so far are compared; nil without another server.
        let settle: (@Sendable (@escaping @Sendable () -> Void) -> Void)?
    }

    private let engine: MockEngine
    /// The control API; nil if it is turned off.
    private let api: ControlAPI?
    /// Whether other machines may use the API.
    private let isRemote: Bool
    private let loop: EventLoop
    /// The actions on the server; nil before the server has started.
    private let actions = Mutex<Actions?>(nil)
    /// The waiting requests of clients. A wait ends when its connection ends.
    private let waits = Mutex<[ServerRequest.Ticket: Int]>([:])

    init(_ engine: MockEngine, token: String?, isRemote: Bool, loop: EventLoop) {
        self.engine = engine
        api = token.map { ControlAPI(engine, token: $0) }
        self.isRemote = isRemote
        self.loop = loop
    }

    func begin(_ actions: Actions) { self.actions.withLock { $0 = actions } }

    /// Ends all waits, and releases the server.
    func end() {
        actions.withLock { $0 = nil }
        engine.endWaits()
    }

    func reply(_ request: ServerRequest, _ incoming: IncomingRequest) -> ServerReply? {
        guard let api else {
            return StubReplies.reply(.problem(404, "there is no control API, because of --no-control"))
        }
        switch api.outcome(of: incoming, isAllowed: isRemote || request.client != .network) {
        case .reply(let reply): return StubReplies.reply(reply)
        case .wait(let endpoint, let count, let timeout, let session):
            wait(request.ticket, count, endpoint, session, timeout)
            return nil
        case .verify(let expectations, let session):
            guard let settle = actions.withLock(\.self)?.settle else {
                return StubReplies.reply(api.verified(expectations, session))
            }
            settle { [loop] in loop.reply(StubReplies.reply(api.verified(expectations, session)), to: request.ticket) }
            return nil
        case .refuse(let time):
            // The loop does both in this order: new clients are already refused when the response arrives.
            actions.withLock(\.self)?.refuse(time)
            loop.reply(StubReplies.reply(.done), to: request.ticket)
            return nil
        case .stop: actions.withLock(\.self)?.stop()
        }
        return StubReplies.reply(.done)
    }

    private func wait(
        _ ticket: ServerRequest.Ticket, _ count: Int, _ endpoint: String, _ session: String, _ timeout: Duration
    ) {
        let number = engine.wait(forCalls: count, of: endpoint, session: session) { [self] hasCome in
            waits.withLock { $0[ticket] = nil }
            let reply =
                hasCome
                ? ControlAPI.list(engine.requests(of: endpoint, session: session))
                : ControlReply.problem(408, tooFew(endpoint, count, session))
            loop.reply(StubReplies.reply(reply), to: ticket)
        }
        guard let number else { return }
        waits.withLock { $0[ticket] = number }
        loop.run(after: timeout) { [engine] in engine.endWait(number) }
    }

    private func tooFew(_ endpoint: String, _ count: Int, _ session: String) -> String {
        let came = engine.callCount(of: endpoint, session: session)
        return "\(endpoint): \(count) \(count == 1 ? "call" : "calls") expected, \(came) received"
    }

    /// Ends the wait of a client that has disconnected.
    func clientLeft(_ ticket: ServerRequest.Ticket) {
        guard let number = waits.withLock({ $0.removeValue(forKey: ticket) }) else { return }
        engine.endWait(number)
    }
}
