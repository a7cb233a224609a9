package import HTTPWire
package import ReqcliAssembly
package import ReqcliMocking
package import ReqcliServing
package import ReqcliText

/// Responds to requests with the stubs of a workspace, for `serve` and for tests in Swift.
///
/// All decisions are made here, in this order: the host, the page, the control API, the CORS preflight, and the engine.
package struct WorkspaceResponder: Sendable {
    /// Responds to a request. Returns nil if the reply is sent later, through `EventLoop.reply`.
    package typealias Control = @Sendable (ServerRequest, IncomingRequest) -> ServerReply?
    /// Passes on a request for which the engine has no stub. Returns nil if the reply is sent later.
    package typealias PassOn = @Sendable (ServerRequest, MockAnswer) -> ServerReply?

    /// A response, for a log.
    package enum Event: Sendable {
        /// The engine has responded. The duration is the time until the response was ready.
        case answered(MockAnswer, Duration)
        /// The server itself has responded.
        case refused(IncomingRequest, RequestMask, status: Int, title: Wording)
        /// The input was not a request, or was beyond the limits.
        case unreadable(WireProblem)
    }

    package let engine: MockEngine
    package let rules: BrowserRules
    package let replies: StubReplies
    private let clock: WorldClock
    /// Reports responses to a log; nil without one. An event is made only if there is a log.
    package var note: (@Sendable (Event) -> Void)?
    /// The advice for a request with the name of another host.
    private let hostAdvice: String
    /// The control API; nil for a server without one.
    package var control: Control?
    /// The path of the page to which refusals link in a browser; nil for a server without a page.
    package var page: String?
    /// The function that passes requests on; nil if the engine passes nothing on.
    package var passOn: PassOn?

    package init(
        _ engine: MockEngine, _ rules: BrowserRules = BrowserRules(), _ replies: StubReplies = StubReplies(),
        clock: WorldClock, hostAdvice: String = ""
    ) {
        self.engine = engine
        self.rules = rules
        self.replies = replies
        self.clock = clock
        self.hostAdvice = hostAdvice
    }

    /// The first decision about a request. It needs neither an endpoint nor the body.
    private enum Start {
        case refused(MockAnswer.Refusal)
        case control
        /// The headers are those of the response to a CORS preflight; nil for another request.
        case engine(preflight: StubReplies.Fields?)
    }

    private func begin(_ request: IncomingRequest) -> Start {
        guard rules.accepts(host: request.authority) else {
            let title: Wording = "the host \((request.authority ?? "").quoted) is not a name of this machine"
            return .refused(MockAnswer.Refusal(status: 403, title: title + Wording(own: hostAdvice)))
        }
        // Requests from pages of other sites must not be passed on to the real server.
        if passOn != nil, let objection = rules.objectionToPage(of: request) {
            return .refused(MockAnswer.Refusal(status: 403, title: Wording(quoting: objection)))
        }
        if control != nil, ControlAPI.isFor(request.path) { return .control }
        return .engine(preflight: rules.preflight(request))
    }

    /// The response to a request; nil if it is sent later.
    ///
    /// - Parameter answered: Called with the engine's answer, if the engine is asked.
    package func reply(to raw: ServerRequest, answered: (MockAnswer) -> Void = { _ in }) -> ServerReply? {
        let start = clock.elapsed()
        let request = IncomingRequest(raw.head, raw.body)
        switch begin(request) {
        case .refused(let refusal): return refuse(refusal, request)
        case .control: return control?(raw, request)
        case .engine(let preflight):
            let answer = engine.answer(request, isPreflight: preflight != nil)
            answered(answer)
            return reply(to: raw, answer, preflight, start)
        }
    }

    private func reply(
        to raw: ServerRequest, _ answer: MockAnswer, _ preflight: StubReplies.Fields?, _ start: Duration
    ) -> ServerReply? {
        let request = answer.request
        switch answer.content {
        case .stub(let served):
            note?(.answered(answer, clock.elapsed() - start))
            return replies.reply(served, sharing: rules.sharingHeaders(for: request))
        case .refusal(let refusal):
            if answer.endpoint == nil, let preflight {
                note?(.refused(request, answer.mask, status: 204, title: "CORS"))
                return ServerReply(status: 204, fields: preflight + [(MockEngine.header, "none")])
            }
            note?(.answered(answer, clock.elapsed() - start))
            let sharing = rules.sharingHeaders(for: request)
            if let page, refusal.status >= 400, request.header("Accept")?.contains("text/html") == true {
                return replies.reply(refusal, linkingTo: page, sharing: sharing)
            }
            return replies.reply(refusal, sharing: sharing)
        case .passedOn:
            guard let passOn else {
                return refuse(MockAnswer.Refusal(status: 502, title: "no server to pass the request on to"), request)
            }
            return passOn(raw, answer)
        }
    }

    /// The engine's answer to a request whose body has only begun, if the request is passed on in any case. Nil if the response
    /// depends on the whole body.
    package func answer(toStartOf request: IncomingRequest) -> MockAnswer? {
        guard case .engine(preflight: nil) = begin(request) else { return nil }
        return engine.answer(toStartOf: request)
    }

    /// The response to input that is not a request, or to a request beyond the limits.
    ///
    /// - Parameter head: The head of the request, as far as it was read.
    package func reply(to problem: WireProblem, _ head: RequestHead?) -> ServerReply {
        let refusal = MockAnswer.Refusal(status: problem.status, title: Wording(own: problem.reason))
        guard let request = head.map({ IncomingRequest($0, isCut: true) }) else {
            note?(.unreadable(problem))
            return replies.reply(refusal, sharing: .none)
        }
        guard control != nil, ControlAPI.isFor(request.path) else { return refuse(refusal, request) }
        note?(.refused(request, .none, status: refusal.status, title: refusal.title))
        return replies.reply(refusal, sharing: .none)
    }

    /// The response that refuses a body, for a client that asks before it sends the body. Nil if the client may send the body.
    package func refusalOfBody(_ head: RequestHead) -> ServerReply? {
        let start = clock.elapsed()
        let request = IncomingRequest(head, isCut: true)
        switch begin(request) {
        case .refused(let refusal): return refuse(refusal, request)
        case .control, .engine(preflight: .some): return nil
        case .engine(preflight: nil):
            guard let answer = engine.answer(withoutBodyOf: request), case .refusal(let refusal) = answer.content else {
                return nil
            }
            note?(.answered(answer, clock.elapsed() - start))
            return replies.reply(refusal, sharing: rules.sharingHeaders(for: request))
        }
    }

    private func refuse(_ refusal: MockAnswer.Refusal, _ request: IncomingRequest) -> ServerReply {
        let mask = engine.noteRefused(request, with: refusal)
        note?(.refused(request, mask, status: refusal.status, title: refusal.title))
        return replies.reply(refusal, sharing: rules.sharingHeaders(for: request))
    }
}
