import Dispatch
import Foundation
import Rendering
import ReqcliAssembly
import ReqcliBasics
import ReqcliMocking
import ReqcliServing
import ReqcliText
import RequestBuilding
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
    /// The control API; nil if neither programs nor the page may use it.
    private let api: ControlAPI?
    /// Calls of the page are answered here, so that no client waits for a page.
    private let pageQueue = DispatchQueue(label: "reqcli.page")
    /// Whether other machines may use the API.
    private let isRemote: Bool
    private let loop: EventLoop
    /// The actions on the server; nil before the server has started.
    private let actions = Mutex<Actions?>(nil)
    /// The waiting requests of clients. A wait ends when its connection ends.
    private let waits = Mutex<[ServerRequest.Ticket: Int]>([:])

    init(_ engine: MockEngine, _ api: ControlAPI?, isRemote: Bool, loop: EventLoop) {
        self.engine = engine
        self.api = api
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
        guard api.hasPage else { return reply(request, incoming, api) }
        if let file = ServedPage.reply(to: incoming) { return file }
        guard incoming.isOfPage else { return reply(request, incoming, api) }
        pageQueue.async { [self] in
            if let reply = reply(request, incoming, api) { loop.reply(reply, to: request.ticket) }
        }
        return nil
    }

    private func reply(_ request: ServerRequest, _ incoming: IncomingRequest, _ api: ControlAPI) -> ServerReply? {
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
        case .show(let example): return StubReplies.reply(ControlReply(200, Self.shown(example, to: incoming)))
        case .stop: actions.withLock(\.self)?.stop()
        }
        return StubReplies.reply(.done)
    }

    /// A request that a user may try, addressed to this server: its parts, for a browser, and a curl command. Values that are not
    /// known are placeholders.
    private static func shown(_ example: PreparedRequest, to request: IncomingRequest) -> OrderedJSON {
        let query = example.url.query(percentEncoded: true).map { "?\($0)" } ?? ""
        let target = example.url.path(percentEncoded: true) + query
        var own = example
        own.url = URL(string: "http://\(request.authority ?? "localhost")\(target)") ?? example.url
        // Certificates, proxies, redirects and limits are for the server of the environment.
        own.transfer = TransferSettings()
        own.transfer.timeouts = Timeouts()
        own.transfer.redirects.isFollowing = false
        let input = RenderingInput(request: own, defaults: WireDefaults(userAgent: nil, accept: nil))
        let text = example.body?.data.flatMap { String(validating: $0, as: UTF8.self) }
        return .object([
            "method": .string(example.method.token),
            "target": .string(StandIn.shown(target)),
            "headers": .array(
                example.headers.map { .array([.string($0.name), .string(StandIn.shown($0.value))]) }),
            "body": text.map { .string(StandIn.shown($0)) },
            "isWhole": .bool(example.body == nil || text != nil),
            "curl": .string(StandIn.shown(CurlFormat().render(input).command)),
        ])
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
