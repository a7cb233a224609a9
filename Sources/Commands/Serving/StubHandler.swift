import Assembly
import Definitions
import Dispatch
import HTTPWire
import Mocking
import Serving
import StubServing

/// Answers the requests of a server: from stubs, by the control API, or by another server.
struct StubHandler: Sendable {
    /// Passes a request on that the engine has no stub for; nil if the reply comes later, through `EventLoop.reply`.
    typealias PassOn = @Sendable (ServerRequest, IncomingRequest, MockAnswer) -> ServerReply?

    let engine: MockEngine
    let rules: BrowserRules
    let control: ServerControl
    let replies: StubReplies
    let log: ServeLog
    let clock: WorldClock
    /// Nil if the engine passes nothing on.
    var passOn: PassOn?

    func reply(_ request: ServerRequest) -> ServerReply? {
        // The clock takes 200 instructions.
        let start = log.isDiscarded ? .zero : clock.elapsed()
        let incoming = IncomingRequest(request.head, request.body)
        guard rules.accepts(host: incoming.authority) else {
            return refuse(foreignHost(incoming.authority ?? ""), incoming)
        }
        if let objection = objectionToPage(of: incoming) { return refuse(objection, incoming) }
        if ControlAPI.isFor(incoming.path) { return control.reply(request, incoming) }
        let preflight = rules.preflight(incoming)
        let answer = engine.answer(incoming, isPreflight: preflight != nil)
        switch answer.content {
        case .stub(let served):
            log.add(LoggedRequest(incoming, answer, time: clock.elapsed() - start))
            return replies.reply(served, sharing: rules.sharingHeaders(for: incoming))
        case .refusal(let refusal):
            if answer.endpoint == nil, let preflight {
                log.add(LoggedRequest(incoming, status: 204, note: "CORS"))
                return ServerReply(status: 204, fields: preflight + [(MockEngine.header, "none")])
            }
            log.add(LoggedRequest(incoming, answer, time: clock.elapsed() - start))
            return replies.reply(refusal, sharing: rules.sharingHeaders(for: incoming))
        case .passedOn:
            guard let passOn else {
                let refusal = MockAnswer.Refusal(status: 502, title: "no server to pass the request on to")
                return refuse(refusal, incoming)
            }
            return passOn(request, incoming, answer)
        }
    }

    /// Replies to a request with a large body later, from another thread: to read it takes long, and other clients would wait.
    ///
    /// - Parameter queue: One at a time, so that they take their turns in the order in which they became complete.
    func replyLater(_ request: ServerRequest, on queue: DispatchQueue, _ loop: EventLoop) {
        queue.async {
            if let reply = reply(request) {
                loop.reply(reply, to: request.ticket)
            } else {
                loop.checkClient(of: request.ticket)
            }
        }
    }

    /// Takes a large body in parts if its request goes on to another server whatever the body is.
    func taking(_ request: ServerRequest, _ relay: PassingRelay) -> BodyTaking {
        let incoming = IncomingRequest(request.head, request.body, isCut: true)
        guard relay.takesParts(of: request.head), rules.accepts(host: incoming.authority),
            objectionToPage(of: incoming) == nil, !ControlAPI.isFor(incoming.path), rules.preflight(incoming) == nil,
            let answer = engine.answer(toStartOf: incoming)
        else { return .whole }
        return relay.pass(request, incoming, answer).map { .refused($0) } ?? .parts
    }

    /// The response to what is no request, or one beyond the limits.
    func reply(to problem: WireProblem) -> ServerReply {
        log.add(LoggedRequest(problem))
        return replies.reply(MockAnswer.Refusal(status: problem.status, title: problem.reason), sharing: .none)
    }

    /// The response to a client that sends its body only if it may; nil if it may.
    func refusalOfBody(_ head: RequestHead) -> ServerReply? {
        let objection =
            rules.accepts(host: head.authority)
            ? objectionToPage(of: IncomingRequest(head)) : foreignHost(head.authority ?? "")
        return objection.map { replies.reply($0, sharing: .none) }
    }

    /// Keeps pages of other sites from the server that requests are passed on to.
    private func objectionToPage(of request: IncomingRequest) -> MockAnswer.Refusal? {
        guard passOn != nil else { return nil }
        return rules.objectionToPage(of: request).map { MockAnswer.Refusal(status: 403, title: $0) }
    }

    private func refuse(_ refusal: MockAnswer.Refusal, _ request: IncomingRequest) -> ServerReply {
        log.add(LoggedRequest(request, status: refusal.status, note: refusal.title))
        return replies.reply(refusal, sharing: rules.sharingHeaders(for: request))
    }

    private func foreignHost(_ host: String) -> MockAnswer.Refusal {
        MockAnswer.Refusal(
            status: 403, title: "the host \(host.quoted) is not of this machine; --allow-host accepts it")
    }
}
