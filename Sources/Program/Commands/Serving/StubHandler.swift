import HTTPWire
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliMocking
import ReqcliServing
import ReqcliText
import StubServing

/// Responds to the requests of a server, from stubs, from the control API, or through another server.
struct StubHandler: Sendable {
    /// Passes on a request for which the engine has no stub. Returns nil if the reply is sent later, through `EventLoop.reply`.
    typealias PassOn = @Sendable (ServerRequest, IncomingRequest, MockAnswer) -> ServerReply?

    let engine: MockEngine
    let rules: BrowserRules
    let control: ServerControl
    let replies: StubReplies
    let log: ServeLog
    let clock: WorldClock
    /// The function that passes requests on; nil if the engine passes nothing on.
    var passOn: PassOn?

    func reply(_ request: ServerRequest) -> ServerReply? {
        let start = clock.elapsed()
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
                log.add(LoggedRequest(incoming, answer.mask, status: 204, note: "CORS"))
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

    /// Takes a large body in parts, if it is already certain that the request is passed on to another server. Otherwise takes the
    /// body as a whole.
    func taking(_ request: ServerRequest, _ relay: ProxyRelay) -> BodyTaking {
        let incoming = IncomingRequest(request.head, request.body, isCut: true)
        guard relay.takesParts(of: request.head), rules.accepts(host: incoming.authority),
            objectionToPage(of: incoming) == nil, !ControlAPI.isFor(incoming.path), rules.preflight(incoming) == nil,
            let answer = engine.answer(toStartOf: incoming)
        else { return .whole }
        return relay.pass(request, incoming, answer).map { .refused($0) } ?? .parts
    }

    /// The response to input that is not a request, or to a request beyond the limits.
    ///
    /// - Parameter head: The head of the request, as far as it was read.
    func reply(to problem: WireProblem, _ head: RequestHead?) -> ServerReply {
        let refusal = MockAnswer.Refusal(status: problem.status, title: Wording(own: problem.reason))
        guard let request = head.map({ IncomingRequest($0, isCut: true) }) else {
            log.add(LoggedRequest(problem))
            return replies.reply(refusal, sharing: .none)
        }
        guard ControlAPI.isFor(request.path) else { return refuse(refusal, request) }
        log.add(LoggedRequest(request, .none, status: refusal.status, note: refusal.title))
        return replies.reply(refusal, sharing: .none)
    }

    /// The response that refuses a body, for a client that asks before it sends the body. Nil if the client may send the body.
    func refusalOfBody(_ head: RequestHead) -> ServerReply? {
        let start = clock.elapsed()
        let request = IncomingRequest(head, isCut: true)
        guard rules.accepts(host: head.authority) else { return refuse(foreignHost(head.authority ?? ""), request) }
        if let objection = objectionToPage(of: request) { return refuse(objection, request) }
        guard !ControlAPI.isFor(request.path), rules.preflight(request) == nil,
            let answer = engine.answer(withoutBodyOf: request), case .refusal(let refusal) = answer.content
        else { return nil }
        log.add(LoggedRequest(request, answer, time: clock.elapsed() - start))
        return replies.reply(refusal, sharing: rules.sharingHeaders(for: request))
    }

    /// Refuses requests from pages of other sites: they must not be passed on to the real server.
    private func objectionToPage(of request: IncomingRequest) -> MockAnswer.Refusal? {
        guard passOn != nil else { return nil }
        return rules.objectionToPage(of: request).map { MockAnswer.Refusal(status: 403, title: Wording(quoting: $0)) }
    }

    private func refuse(_ refusal: MockAnswer.Refusal, _ request: IncomingRequest) -> ServerReply {
        let mask = engine.noteRefused(request, with: refusal)
        log.add(LoggedRequest(request, mask, status: refusal.status, note: refusal.title))
        return replies.reply(refusal, sharing: rules.sharingHeaders(for: request))
    }

    private func foreignHost(_ host: String) -> MockAnswer.Refusal {
        MockAnswer.Refusal(
            status: 403, title: "the host \(host.quoted) is not a name of this machine; --allow-host accepts it")
    }
}
