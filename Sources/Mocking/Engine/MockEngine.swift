package import Assembly
import CommandLineKit
import Definitions
import Exchange
import NearNames
package import SourceText
import Synchronization

/// Finds the endpoint of each request, chooses one of its variants, takes the variant's turn, and remembers the request.
package final class MockEngine: Sendable {
    /// The name of the header that chooses a variant in a request, and names it in a response.
    package static let header = "X-Reqcli-Stub"

    package struct Options: Sendable {
        /// Whether a request that differs from what its endpoint describes is refused.
        package var isStrict = false
        /// Whether requests are compared with what their endpoint describes.
        package var validates = true
        package var passing = Passing.nothing

        package init() {}
    }

    /// Which requests another server answers.
    package enum Passing: Sendable {
        case nothing
        /// All for which nobody has named a variant: in the request, for its session, on the command line, or in the environment.
        case unnamed
        /// All for which there is no variant.
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
        var lastWait = 0
        /// What was wrong with the files when they were read last.
        var problems: [Diagnostic] = []
    }

    package init(_ served: ServedEndpoints, world: World, options: Options = Options()) {
        self.world = world
        self.options = options
        state = Mutex(State(served: served))
    }

    /// Answers with other endpoints from now on. Choices stay, and so do the turns of variants that are as they were.
    ///
    /// - Parameters:
    ///   - served: Nil if the files can't be used: then the endpoints stay, too.
    ///   - problems: What is wrong with the files.
    package func replace(_ served: ServedEndpoints?, _ problems: [Diagnostic]) {
        state.withLock { state in
            state.problems = problems
            guard let served else { return }
            state.sessions.forgetTurns { !served.hasSame($0, as: state.served) }
            state.served = served
        }
    }

    /// - Parameter isPreflight: Whether the request only asks if a page may send another one: without an endpoint of its own, such a
    ///   request is not remembered.
    package func answer(_ request: IncomingRequest, isPreflight: Bool = false) -> MockAnswer {
        // Reading a large body takes long, and meanwhile other requests need the state.
        let match = RequestMatch(request, state.withLock(\.served))
        let (answer, done) = state.withLock { take(request, match, isPreflight: isPreflight, &$0) }
        for wait in done { wait.done(true) }
        return answer
    }

    /// Answers a request of whose body only the start is here, if it goes on to another server whatever the rest of the body is.
    /// Nil if the body has a say in it.
    package func answer(toStartOf request: IncomingRequest) -> MockAnswer? {
        let (answer, done) = state.withLock { state -> (MockAnswer?, [CallWait]) in
            guard passesOn(request, state) else { return (nil, []) }
            return take(request, RequestMatch(request, state.served), isPreflight: false, &state)
        }
        for wait in done { wait.done(true) }
        return answer
    }

    /// Answers a request and remembers it. Also returns the waits that end with it.
    private func take(
        _ request: IncomingRequest, _ match: RequestMatch, isPreflight: Bool, _ state: inout State
    ) -> (MockAnswer, [CallWait]) {
        // The endpoints may have been replaced since.
        let match = match.served === state.served ? match : RequestMatch(request, state.served)
        var answer = respond(to: request, match, isPreflight: isPreflight, &state)
        // A question for the methods of a path is no call, either.
        if answer.endpoint == nil, isPreflight || answer.status == 204 { return (answer, []) }
        let entry = state.journal.add(request, answer)
        answer.number = entry.number
        state.sessions[request.session].count(entry, answer)
        return (answer, state.takeFulfilledWaits())
    }

    /// Whether a request goes on to another server whatever its body is.
    private func passesOn(_ request: IncomingRequest, _ state: State) -> Bool {
        guard options.passing == .unnamed, !options.isStrict, request.hasValidSession,
            request.header(Self.header) == nil,
            let candidates = state.served.router.candidates(for: request, host: request.host), candidates.count < 2
        else { return false }
        guard let endpoint = candidates.first else { return state.served.last == nil }
        guard let variants = state.served.variants(of: endpoint.id) else { return true }
        return choice(for: variants, request.session, state) == nil && state.served.chosen(for: endpoint) == nil
    }

    /// Notes the status with which another server has responded.
    ///
    /// - Parameter number: Of the request in the journal.
    package func complete(_ number: Int, status: Int) {
        state.withLock { $0.journal.complete(number, status: status) }
    }

    func withState<Value>(_ body: (inout State) -> Value) -> Value { state.withLock { body(&$0) } }

    // MARK: The endpoint

    private func respond(
        to request: IncomingRequest, _ match: RequestMatch, isPreflight: Bool, _ state: inout State
    ) -> MockAnswer {
        guard request.hasValidSession else {
            return .refusal(
                400,
                "\(request.session.shortened.quoted) can't be the name of a session: use up to "
                    + "\(MockSession.longestName) letters, digits, _ and -")
        }
        switch match.route {
        case .dotSegment:
            return .refusal(400, "the path has a segment . or .., which clients remove before they send it")
        case .found(let pattern, let reading): return respond(to: request, pattern.endpoint, reading, match, &state)
        case .otherMethods(let methods):
            if request.method == "OPTIONS", isPreflight || options.passing == .nothing {
                return MockAnswer(nil, .refusal(MockAnswer.Refusal(status: 204, title: "", allowed: methods)))
            }
            if let answer = lastAnswer(request, &state) { return answer }
            if options.passing != .nothing { return MockAnswer(nil, .passedOn) }
            let title = "no endpoint for \(request.method); there is one for \(methods.joined(separator: ", "))"
            return MockAnswer(nil, .refusal(MockAnswer.Refusal(status: 405, title: title, allowed: methods)))
        case .nothing:
            if !isPreflight, let answer = lastAnswer(request, &state) { return answer }
            if !isPreflight, options.passing != .nothing { return MockAnswer(nil, .passedOn) }
            let looks = !isPreflight && state.journal.mayLookForNear(now: world.clock.elapsed())
            let near = looks ? match.served.router.nearest(to: request) : []
            return MockAnswer(nil, .refusal(MockAnswer.Refusal(status: 404, title: "no endpoint", near: near)))
        }
    }

    private func lastAnswer(_ request: IncomingRequest, _ state: inout State) -> MockAnswer? {
        guard let last = state.served.last, let variants = state.served.variants(of: last.endpoint.id) else {
            return nil
        }
        guard let name = last.variant else { return respond(to: request, RequestReading(), variants, nil, &state) }
        return respond(with: name, to: request, RequestReading(), last.endpoint, &state)
    }

    private func respond(
        to request: IncomingRequest, _ endpoint: LocatedEndpoint, _ reading: RequestReading, _ match: RequestMatch,
        _ state: inout State
    ) -> MockAnswer {
        let problems = options.validates ? reading.problems : []
        var answer: MockAnswer
        if options.isStrict, !problems.isEmpty {
            let title = "the request differs from what \(endpoint.id) describes"
            answer = MockAnswer(endpoint, .refusal(MockAnswer.Refusal(status: 400, title: title, problems: problems)))
        } else if let variants = state.served.variants(of: endpoint.id) {
            answer = respond(to: request, reading, variants, match.variant, &state)
        } else if options.passing != .nothing {
            answer = MockAnswer(endpoint, .passedOn)
        } else {
            answer = .refusal(501, "\(endpoint.id) has no stub variants", endpoint)
        }
        answer.problems = problems
        answer.reading = reading
        return answer
    }

    // MARK: The variant

    /// - Parameter known: The variant by `when` or by default, if it is known already.
    private func respond(
        to request: IncomingRequest, _ reading: RequestReading, _ variants: EndpointVariants, _ known: String??,
        _ state: inout State
    ) -> MockAnswer {
        let endpoint = variants.endpoint
        let asked = request.header(Self.header)
        if let asked, !variants.names.contains(asked) {
            return .refusal(400, variants.complaint(about: asked), endpoint)
        }
        if let name = asked ?? choice(for: variants, request.session, state) ?? state.served.chosen(for: endpoint) {
            return respond(with: name, to: request, reading, endpoint, &state)
        }
        if options.passing == .unnamed { return MockAnswer(endpoint, .passedOn) }
        if let name = known ?? variants.chosen(for: request, reading, rest: state.served.rest) {
            return respond(with: name, to: request, reading, endpoint, &state)
        }
        if options.passing == .missing { return MockAnswer(endpoint, .passedOn) }
        let objections = variants.objections(to: request, reading).map { "\($0.variant) differs in \($0.subject)" }
        return .refusal(404, "no variant is for this request: \(objections.joined(separator: "; "))", endpoint)
    }

    /// The variant that was chosen for a session, unless the endpoint has lost it.
    private func choice(for variants: EndpointVariants, _ session: String, _ state: State) -> String? {
        guard let name = state.sessions.known(session)?.choices[variants.endpoint.id] else { return nil }
        return variants.names.contains(name) ? name : nil
    }

    private func respond(
        with name: String, to request: IncomingRequest, _ reading: RequestReading, _ endpoint: LocatedEndpoint,
        _ state: inout State
    ) -> MockAnswer {
        do throws(Failure) {
            let script = try state.served.script(name, of: endpoint)
            let turn = state.sessions[request.session].takeTurn(script.name)
            guard let served = script.stub(turn), !(served.stub.error is Failure) else {
                var answer = MockAnswer.refusal(500, "the sequence \(name) has given all of its responses", endpoint)
                answer.ranOut = true
                return answer
            }
            guard served.stub.isFilled else { return MockAnswer(endpoint, .stub(served)) }
            let filling = Filling(
                request: request, reading: reading, parameters: Set(endpoint.parameters.map(\.name)),
                variables: state.served.variables, count: turn + 1, world: world)
            do throws(Filling.Unresolved) {
                return MockAnswer(endpoint, .stub(ServedStub(try served.stub.filled(filling), named: served.name)))
            } catch {
                return .refusal(500, "the variant \(name) cannot be filled: \(error.message)", endpoint)
            }
        } catch {
            let message = error.diagnostics.first?.message ?? "the variant \(name) cannot be read"
            return .refusal(500, message, endpoint)
        }
    }
}

extension EndpointVariants {
    /// Says that there is no variant of a name, and which there are.
    func complaint(about name: String) -> String {
        let list = "it has \(names.joined(separator: ", "))"
        let hint = NearNames.question(for: name, among: names).map { "\($0) \(list)" } ?? list
        return "\(endpoint.id) has no stub variant \(name.shortened.quoted): \(hint)"
    }
}

extension String {
    /// The text, cut for a message.
    var shortened: String { utf8.count <= 80 ? self : prefix(60) + "…" }
}
