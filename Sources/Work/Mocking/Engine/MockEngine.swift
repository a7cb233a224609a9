import Exchange
package import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
package import ReqcliText

/// Finds the endpoint of each request, chooses one of its variants, takes the variant's turn, and remembers the request.
package final class MockEngine: Sendable {
    /// The name of a header. In a request, the header chooses a variant; in a response, it names the variant.
    package static let header = "X-Reqcli-Stub"

    package struct Options: Sendable {
        /// Whether a request that differs from what its endpoint describes is refused.
        package var isStrict = false
        /// Whether requests are compared with what their endpoint describes.
        package var validates = true
        package var proxying = Proxying.nothing

        package init() {}
    }

    /// The requests that are passed on to another server.
    package enum Proxying: Sendable {
        case nothing
        /// All requests for which no variant was named anywhere: in the request, for its session, on the command line or in the
        /// environment.
        case unnamed
        /// All requests for which there is no variant.
        case missing
    }

    private let options: Options
    private let world: World
    private let state: Mutex<State>

    struct State {
        var served: ServedEndpoints
        var sessions = MockSessions()
        var journal = Journal()
        var waits: [Int: CallWait] = [:]
        var hasEndedWaits = false
        var lastWait = 0
        /// The problems that the files had when they were last read.
        var problems: [Diagnostic] = []
        /// The number of changes of endpoints and choices so far.
        var changes = 0
        var recorded = RecordedStubs()

        mutating func remember(_ answer: MockAnswer) {
            journal.add(answer)
            sessions[answer.request.session].count(answer)
        }
    }

    package init(_ served: ServedEndpoints, world: World, options: Options = Options()) {
        self.world = world
        self.options = options
        state = Mutex(State(served: served))
    }

    /// Replaces the endpoints. The choices of sessions are kept, and so are the turns of variants that have not changed.
    ///
    /// - Parameters:
    ///   - served: The new endpoints; nil if the files can't be used. In that case, the old endpoints stay in use.
    ///   - problems: What is wrong with the files.
    /// - Returns: The choices whose variants do not exist any more, such as `user.feed=empty`. They apply again when the
    ///   variants are back.
    @discardableResult
    package func replace(_ served: ServedEndpoints?, _ problems: [Diagnostic]) -> [String] {
        state.withLock { state in
            state.problems = problems
            state.changes += 1
            guard let served else { return [] }
            state.sessions.forgetTurns { !served.hasSame($0, as: state.served) }
            let before = state.served
            state.served = served
            let gone = state.sessions.all.flatMap(\.choices).filter { endpoint, variant in
                before.has(variant, of: endpoint) && !served.has(variant, of: endpoint)
            }
            return Set(gone.map { "\($0.key)=\($0.value)" }).sorted()
        }
    }

    /// Responds to a request and remembers it.
    ///
    /// - Parameter isPreflight: Whether the request is a CORS preflight. Such a request is not remembered, unless an endpoint
    ///   responds to it.
    package func answer(_ request: IncomingRequest, isPreflight: Bool = false) -> MockAnswer {
        // Reading a large body takes long, so a request with a large body is read before the state is locked.
        let isLarge = request.body.count > JournalEntry.bodyLimit
        let match = isLarge ? RequestMatch(request, state.withLock(\.served)) : nil
        return change { take(request, match, isPreflight: isPreflight, &$0) }
    }

    /// Responds to a request before its whole body was received, if the request is passed on to another server in any case. Nil
    /// if the response depends on the rest of the body.
    package func answer(toStartOf request: IncomingRequest) -> MockAnswer? {
        change { passesOn(request, &$0) ? take(request, nil, isPreflight: false, &$0) : nil }
    }

    /// Responds to a request before its body was received, if no endpoint has its path and method. Nil if there may be such an
    /// endpoint, because the response then depends on the body.
    package func answer(withoutBodyOf request: IncomingRequest) -> MockAnswer? {
        change { state in
            guard options.proxying == .nothing, state.served.last == nil else { return nil }
            let match = RequestMatch(request, state.served)
            if request.hasValidSession, case .found = match.route { return nil }
            return take(request, match, isPreflight: false, &state)
        }
    }

    /// Changes the state, and ends the waits whose calls have now been received.
    private func change<Value>(_ body: (inout State) -> Value) -> Value {
        let (value, fulfilled) = state.withLock { state in (body(&state), state.takeFulfilledWaits()) }
        for wait in fulfilled { wait.done(true) }
        return value
    }

    /// Responds to a request and remembers it.
    private func take(
        _ request: IncomingRequest, _ known: RequestMatch?, isPreflight: Bool, _ state: inout State
    ) -> MockAnswer {
        // Makes the match again if the endpoints have been replaced in the meantime.
        let match = known.flatMap { $0.served === state.served ? $0 : nil } ?? RequestMatch(request, state.served)
        let outcome = respond(to: request, match, isPreflight: isPreflight, &state)
        let problems = options.validates ? outcome.reading?.problems ?? [] : []
        // Like a preflight, a request that only asks for the methods of a path is not a call.
        let isCall = outcome.endpoint != nil || !isPreflight && outcome.content.status != 204
        let answer = MockAnswer(
            to: request, of: outcome.endpoint, outcome.content, outcome.reading, problems, match.mask,
            number: isCall ? state.journal.lastNumber + 1 : nil)
        if isCall { state.remember(answer) }
        return answer
    }

    /// Whether a request is passed on to another server, independently of its body.
    private func passesOn(_ request: IncomingRequest, _ state: inout State) -> Bool {
        guard options.proxying == .unnamed, !options.isStrict, request.hasValidSession,
            request.header(Self.header) == nil,
            let candidates = state.served.router.candidates(for: request), candidates.count < 2
        else { return false }
        guard let endpoint = candidates.first else { return state.served.last == nil }
        guard let variants = state.served.variants(of: endpoint.id) else { return true }
        return choice(for: variants, request.session, &state) == nil && state.served.chosen(for: endpoint) == nil
    }

    /// Remembers a request that is refused before an endpoint is chosen.
    ///
    /// - Returns: The mask that hides the secrets of the request.
    @discardableResult
    package func noteRefused(_ request: IncomingRequest, with refusal: MockAnswer.Refusal) -> RequestMask {
        let mask = RequestMatch(request, state.withLock(\.served)).mask
        change { state in
            let answer = MockAnswer(
                to: request, of: nil, .refusal(refusal), nil, [], mask, number: state.journal.lastNumber + 1)
            state.remember(answer)
        }
        return mask ?? RequestMask.none
    }

    /// Notes the status with which another server has responded.
    ///
    /// - Parameter number: The number of the request in the journal.
    package func complete(_ number: Int, status: Int) {
        state.withLock { $0.journal.complete(number, status: status) }
    }

    /// Notes that a request could not be passed on, or that the response of the other server breaks off.
    ///
    /// - Parameters:
    ///   - status: The status that the client gets instead of the other server's response; nil if the client gets no status.
    ///   - reason: The reason for the failure. Secrets in it are not masked yet.
    package func noteFailure(_ answer: MockAnswer, status: Int? = nil, _ reason: Wording) {
        guard let number = answer.number else { return }
        state.withLock { state in
            if let status { state.journal.complete(number, status: status) }
            // A request without an endpoint was already noted as a complaint.
            if answer.endpoint != nil { state.sessions[answer.request.session].addComplaint(answer, reason) }
        }
    }

    func withState<Value>(_ body: (inout State) -> Value) -> Value { state.withLock { body(&$0) } }

    // MARK: The endpoint

    /// The endpoint of a request, its response, and the values that the endpoint's pattern has read from the request.
    private typealias Outcome = (endpoint: LocatedEndpoint?, content: MockAnswer.Content, reading: RequestReading?)

    private func respond(
        to request: IncomingRequest, _ match: RequestMatch, isPreflight: Bool, _ state: inout State
    ) -> Outcome {
        guard request.hasValidSession else {
            let message: Wording =
                "\(request.session.shortened.quoted) can't be the name of a session: use up to "
                + "\(MockSession.longestName) letters, digits, _ and -"
            return (nil, .refusal(400, message), nil)
        }
        if request.isForServer {
            let methods = match.served.router.methods
            return (nil, .refusal(MockAnswer.Refusal(status: 204, title: "", allowed: methods)), nil)
        }
        switch match.route {
        case .dotSegment:
            return (nil, .refusal(400, "the path has a segment . or .., which clients remove before they send it"), nil)
        case .found(let pattern, let reading):
            return (pattern.endpoint, respond(to: request, pattern, reading, match, &state), reading)
        case .otherMethods(let methods):
            if request.method == "OPTIONS", isPreflight || options.proxying == .nothing {
                return (nil, .refusal(MockAnswer.Refusal(status: 204, title: "", allowed: methods)), nil)
            }
            if let last = lastAnswer(request, &state) { return last }
            if options.proxying != .nothing { return (nil, .passedOn, nil) }
            let title: Wording =
                "no endpoint for \(request.method); there is one for \(own: methods.joined(separator: ", "))"
            return (nil, .refusal(MockAnswer.Refusal(status: 405, title: title, allowed: methods)), nil)
        case .nothing:
            if !isPreflight, let last = lastAnswer(request, &state) { return last }
            if !isPreflight, options.proxying != .nothing { return (nil, .passedOn, nil) }
            let looks = !isPreflight && state.journal.mayLookForNear(now: world.clock.elapsed())
            let near = looks ? match.served.router.nearest(to: request, hiding: match.mask ?? RequestMask.none) : []
            let title: Wording = near.first?.question.map { "no endpoint; " + $0 } ?? "no endpoint"
            return (nil, .refusal(MockAnswer.Refusal(status: 404, title: title, near: near)), nil)
        }
    }

    private func lastAnswer(_ request: IncomingRequest, _ state: inout State) -> Outcome? {
        guard let last = state.served.last, let variants = state.served.variants(of: last.endpoint.id) else {
            return nil
        }
        let content =
            if let name = last.variant {
                respond(with: name, to: request, .nothing, variants, &state)
            } else {
                respond(to: request, .nothing, variants, nil, &state)
            }
        return (last.endpoint, content, nil)
    }

    private func respond(
        to request: IncomingRequest, _ pattern: RequestPattern, _ reading: RequestReading, _ match: RequestMatch,
        _ state: inout State
    ) -> MockAnswer.Content {
        if options.isStrict, options.validates, !reading.problems.isEmpty {
            let title: Wording = "the request differs from what \(own: pattern.endpoint.id) describes"
            return .refusal(MockAnswer.Refusal(status: 400, title: title, problems: reading.problems))
        }
        if !pattern.variants.isEmpty {
            return respond(to: request, reading, pattern.variants, match.variant, &state)
        }
        if let asked = request.header(Self.header) {
            return .refusal(
                400,
                "\(own: pattern.endpoint.id) has no stub variant \(asked.shortened.quoted): the endpoint has no stub variants"
            )
        }
        return options.proxying != .nothing
            ? .passedOn
            : .refusal(
                501,
                "\(own: pattern.endpoint.id) has no stub variants: add one in stubs.variants; if the endpoint was imported from OpenAPI, \"reqcli import --update --make-stubs all\" makes one"
            )
    }

    // MARK: The variant

    /// Responds with the variant that the request names, or its session, the command line or the environment. Without such a
    /// choice, `when` or the default decides.
    ///
    /// - Parameter known: The variant by `when` or by default, if it is known already.
    private func respond(
        to request: IncomingRequest, _ reading: RequestReading, _ variants: EndpointVariants, _ known: String??,
        _ state: inout State
    ) -> MockAnswer.Content {
        let endpoint = variants.endpoint
        let asked = request.header(Self.header)
        if let asked, !variants.names.contains(asked) { return .refusal(400, variants.complaint(about: asked)) }
        if let name = asked ?? choice(for: variants, request.session, &state) ?? state.served.chosen(for: endpoint) {
            return respond(with: name, to: request, reading, variants, &state)
        }
        if options.proxying == .unnamed { return .passedOn }
        if let name = known ?? variants.chosen(for: request, reading, rest: state.served.rest) {
            return respond(with: name, to: request, reading, variants, &state)
        }
        if options.proxying == .missing { return .passedOn }
        let objections = variants.objections(to: request, reading)
        return .refusal(404, "no stub variant responds to this request: \(own: objections)")
    }

    /// The variant that was chosen for a session; nil if none was chosen, or if the endpoint doesn't have the chosen variant any
    /// more.
    private func choice(for variants: EndpointVariants, _ session: String, _ state: inout State) -> String? {
        guard let name = state.sessions.choice(of: session, for: variants.endpoint.id) else { return nil }
        return variants.names.contains(name) ? name : nil
    }

    private func respond(
        with name: String, to request: IncomingRequest, _ reading: RequestReading, _ variants: EndpointVariants,
        _ state: inout State
    ) -> MockAnswer.Content {
        do throws(Failure) {
            let script = try state.served.script(name, of: variants)
            let turn = script.countsTurns ? state.sessions[request.session].takeTurn(script.name) : 0
            guard let served = script.stub(turn), !(served.stub.error is Failure) else {
                return .refusal(500, "the sequence \(own: name) has sent all of its responses")
            }
            guard served.stub.isFilled else { return .stub(served) }
            let filling = Filling(
                name: "\(variants.endpoint.id) \(name)", request: request, reading: reading,
                parameters: Set(variants.endpoint.parameters.map(\.name)),
                variables: state.served.variables, count: turn + 1, world: world)
            do throws(Filling.Unresolved) {
                return .stub(ServedStub(try served.stub.filled(filling), named: served.name))
            } catch {
                return .refusal(500, "the variant \(own: name) cannot be filled: \(error.message)")
            }
        } catch {
            guard let problem = error.diagnostics.first else {
                return .refusal(500, "the variant \(own: name) cannot be read")
            }
            return .refusal(500, problem.hint.map { "\(problem.wording): \($0)" } ?? problem.wording)
        }
    }
}

extension EndpointVariants {
    /// A message that there is no variant with this name, with the names that exist.
    func complaint(about name: String) -> Wording {
        let list = "available: \(names.joined(separator: ", "))"
        let hint = NearNames.question(for: name, among: names).map { "\($0) \(list)" } ?? list
        return "\(own: endpoint.id) has no stub variant \(name.shortened.quoted); \(own: hint)"
    }
}

extension String {
    /// The text, cut for a message.
    var shortened: String { utf8.count <= 80 ? self : prefix(60) + "…" }
}
