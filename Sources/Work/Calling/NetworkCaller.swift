package import Exchange
import Foundation
import Rendering
package import ReqcliAssembly
import ReqcliBasics
package import ReqcliDefinitions
import ReqcliRedaction
package import ReqcliText
package import RequestBuilding

/// A call whose request is made, and what it is sent with.
package struct MadeCall: Sendable {
    package var request: AssembledRequest
    /// The cookies that the call sends and collects; nil if it uses none.
    package let cookies: CookieSession?
    /// The stub that responds in place of the network.
    let stub: StubTransport?

    package var isStubbed: Bool { stub != nil }
}

/// Makes the calls of a command. Their requests come from an assembler, their responses from the network or from stubs.
package final class NetworkCaller: Sendable {
    /// What a command decides about its calls.
    package struct Setup: Sendable {
        /// The call of an endpoint, with what the command line says about the calls of a run.
        package var call: @Sendable (LocatedEndpoint) -> Call
        package var assembler: Assembler
        package var clock: WorldClock
        package var transport: any Transport
        /// The proxies and trusted certificates for requests without such settings.
        package var usualTransfer: TransferSettings
        package var session: CallSession
        package var confirmation: Confirmation
        package var tokens = TokenSource.none
        /// The stub that responds to calls of an endpoint; nil for the network.
        package var stub: @Sendable (LocatedEndpoint) throws(Failure) -> StubTransport?
        /// See `Caller.kept`. It is not asked about calls to which a stub responds, because the response is no real login.
        package var kept: @Sendable (_ need: Need, _ call: Call, _ user: Call) -> KeptCaptures? = { _, _, _ in nil }
        /// Whether a secret that can't be read has a stand-in if a stub responds to its call.
        package var standsInForSecrets = false
        /// The limits of secrets; nil if there are none.
        package var origins: SecretOrigins?
        /// Refuses requests beyond what the environment's policy refuses; nil if everything else may be sent. It is asked in the
        /// rehearsal, and about each request that goes out.
        package var limit: (@Sendable (PreparedRequest, AssembledRequest) throws(Failure) -> Void)?
        /// The rules of a load, whose calls are made many times; nil for any other command.
        package var load: LoadRules?
        /// The maximum number of bytes of a body that are kept.
        package var bodyLimit: Int
        package var onEvent: @Sendable (Event) -> Void

        package init(
            call: @escaping @Sendable (LocatedEndpoint) -> Call, assembler: Assembler, clock: WorldClock,
            transport: any Transport, usualTransfer: TransferSettings, session: CallSession,
            confirmation: Confirmation,
            stub: @escaping @Sendable (LocatedEndpoint) throws(Failure) -> StubTransport?, bodyLimit: Int,
            onEvent: @escaping @Sendable (Event) -> Void
        ) {
            self.call = call
            self.assembler = assembler
            self.clock = clock
            self.transport = transport
            self.usualTransfer = usualTransfer
            self.session = session
            self.confirmation = confirmation
            self.stub = stub
            self.bodyLimit = bodyLimit
            self.onEvent = onEvent
        }
    }

    /// What the user may have to know about a call.
    package enum Event: Sendable {
        case made(AssembledRequest)
        case warnings([Diagnostic])
        /// A redirect is not followed, or a cookie is not kept, for this reason.
        case note(String)
        case unencryptedPassword(origin: String)
        /// A call has ended, with a response of this status or without one.
        case ended(Call, AssembledRequest, status: Int?)
    }

    let setup: Setup
    /// Requests that the rehearsal has made and that are not sent yet.
    private let ready: ReadyRequests
    private let foundInsecure = Mutex(false)
    /// The warnings that were already reported. Many operations of a description share a schema.
    private let told = Mutex<Set<String>>([])
    /// The origins for which an unencrypted password was already reported.
    private let warnedOrigins = Mutex<Set<String>>([])
    /// The cookies that calls of needed endpoints have set, by the number of the exchange.
    private let passedCookies = Mutex<[CookieJar]>([])
    /// The stub transports by endpoint and scenario. Calls with the same endpoint and scenario share the turns of a sequence.
    private let stubTransports = Mutex<[StubUser: StubTransport]>([:])

    private struct StubUser: Hashable {
        let endpointID: String
        let flow: String?
    }

    package init(_ setup: Setup) {
        self.setup = setup
        ready = ReadyRequests(keepsRepeatable: setup.load != nil)
    }

    /// Whether any request made so far accepts all certificates.
    package var isInsecure: Bool { foundInsecure.withLock(\.self) }

    package var caller: Caller {
        var caller = Caller(
            call: setup.call,
            fill: { [assembler = setup.assembler, origins = setup.origins] templates, call, needsAll throws(Failure) in
                guard let origins else { return try assembler.fill(templates, for: call, needsAll: needsAll) }
                let filled = try assembler.fill(templates, for: origins.known(to: call), needsAll: needsAll)
                origins.note(filled.secrets)
                return filled
            },
            rehearse: { self.problem(of: $0, $1) }, perform: { await self.perform($0, $1) })
        caller.kept = { need, call, user in
            // A stub that can't be made was already reported by the rehearsal.
            (try? self.stubTransport(for: call)) == nil ? self.setup.kept(need, call, user) : nil
        }
        return caller
    }

    // MARK: Before anything is sent

    private func problem(of call: Call, _ terms: CallTerms) -> Failure? {
        do throws(Failure) {
            let assembled = try rehearse(call, terms)
            if let assembled, setup.session.addsNothing { ready.keep(assembled, for: call) }
            return nil
        } catch {
            return error
        }
    }

    /// Makes the request of a call as far as that is possible before anything is sent. Returns the request if it is complete.
    @discardableResult
    package func rehearse(_ call: Call, _ terms: CallTerms = CallTerms()) throws(Failure) -> AssembledRequest? {
        switch try setup.assembler.rehearse(settled(call)) {
        case .ready(let assembled):
            note(assembled)
            try announce(assembled, of: call)
            try refuseStraying(assembled, of: call)
            try verify(assembled, terms)
            if let client = assembled.request.tokenClient, try stubTransport(for: call) == nil {
                try setup.tokens.rehearse(client, assembled)
            }
            try setup.confirmation.rehearse(assembled.policy, assembled.method, of: call.endpoint.id)
            return assembled
        case .awaiting(let method, let policy):
            var named = try settled(call)
            named.awaited.areNamed = true
            if case .ready(let assembled) = try? setup.assembler.rehearse(named) {
                try announce(assembled, of: call)
                try refuseStraying(assembled, of: call)
            }
            try setup.confirmation.rehearse(policy, method, of: call.endpoint.id)
            return nil
        }
    }

    /// Tells a load about a request that it will send. Values that are not known yet have stand-ins.
    private func announce(_ assembled: AssembledRequest, of call: Call) throws(Failure) {
        guard let load = setup.load, try stubTransport(for: call) == nil else { return }
        load.announce(completed(assembled.request))
    }

    /// Refuses a request that is beyond the limit, or that would carry a secret to an origin that must not get it, before anything
    /// is sent.
    private func refuseStraying(_ assembled: AssembledRequest, of call: Call) throws(Failure) {
        guard setup.limit != nil || setup.origins != nil, try stubTransport(for: call) == nil else { return }
        try setup.limit?(completed(assembled.request), assembled)
        guard let origins = setup.origins else { return }
        try origins.check(completed(assembled.request), of: assembled)
        try origins.check(tokenOf: assembled)
    }

    private func note(_ assembled: AssembledRequest) {
        if assembled.request.transfer.tls.isInsecure { foundInsecure.withLock { $0 = true } }
        setup.onEvent(.made(assembled))
    }

    private func verify(_ assembled: AssembledRequest, _ terms: CallTerms) throws(Failure) {
        let warnings = try terms.rule?(assembled) ?? []
        if warnings.isEmpty { return }
        let new = told.withLock { told in
            warnings.filter { told.insert("\($0.place?.description ?? "") \($0.message)").inserted }
        }
        if !new.isEmpty { setup.onEvent(.warnings(new)) }
    }

    /// The transport that responds to a call from stubs; nil if the call goes to the network.
    private func stubTransport(for call: Call) throws(Failure) -> StubTransport? {
        let user = StubUser(endpointID: call.endpoint.id, flow: call.flow)
        if let known = stubTransports.withLock({ $0[user] }) { return known }
        guard let transport = try setup.stub(call.endpoint) else { return nil }
        return stubTransports.withLock { transports in
            if let known = transports[user] { return known }
            transports[user] = transport
            return transport
        }
    }

    /// The call as its request is made from it.
    private func settled(_ call: Call) throws(Failure) -> Call {
        var call = setup.origins?.known(to: call) ?? call
        call.mayLackSecrets = try stubTransport(for: call) != nil && setup.standsInForSecrets
        return call
    }

    // MARK: Sending

    /// Makes the request of a call.
    package func make(_ call: Call, _ terms: CallTerms = CallTerms()) throws(Failure) -> MadeCall {
        let passed = setup.session.cookies == nil ? self.passed(to: call) : nil
        // A request kept from the rehearsal has its own generated values, so it isn't used for a call that must reuse earlier
        // values. After needed calls, a request is made again: what they have captured and the cookies that they have set are
        // secrets of the request, whether or not it uses them.
        let isAsRehearsed = call.drawn.isEmpty && call.captures.isEmpty && call.cookieSources.isEmpty
        let kept = isAsRehearsed ? ready.take(call) : nil
        var request =
            if let kept { kept } else { try setup.session.completing(try setup.assembler.assemble(settled(call))) }
        if let passed { request = try CallSession(cookies: passed).completing(request) }
        if kept == nil { note(request) }
        // Verifies again, because a URL that contains a captured value is complete only now.
        try verify(request, terms)
        // The token is asked for before the request is sent.
        if request.request.tokenClient != nil { try refuseStraying(request, of: call) }
        return MadeCall(
            request: request, cookies: setup.session.cookies ?? passed, stub: try stubTransport(for: call))
    }

    private func perform(_ call: Call, _ terms: CallTerms) async -> CallResult {
        let sentCookies = cookies(from: call.cookieSources)
        let made: MadeCall
        do throws(Failure) {
            made = try make(call, terms)
            // Nobody is asked in the middle of a run.
            try setup.confirmation.require(made.request.policy, made.request.method)
        } catch {
            return CallResult(.failure(error), requests: 0)
        }
        let assembled = made.request
        let attempts = Attempts(elapsed: setup.clock.elapsed)
        var timings: Timings?
        let result: Result<ReceivedResponse, Failure>
        do throws(Failure) {
            let response = try await exchange(made, as: made.request.request) { attempts.add($0, assembled.redactor) }
            var judge = terms.events.flatMap { EventFormat(response.head) == nil ? nil : $0 }
            let body: ReceivedBody
            do {
                body = try await read(
                    response, &judge, limit: terms.bodyLimit ?? setup.bodyLimit,
                    readingOnWhile: { attempts.timeOfLast <= terms.longest ?? .zero })
                timings = response.body.ending?.timings
            } catch {
                timings = (error as? TransportError)?.timings
                throw Failure(unanswered: error, assembled.redactor)
            }
            result = .success(
                ReceivedResponse(
                    response.head, body: body, duration: attempts.timeOfLast, method: assembled.method,
                    events: judge, setCookies: attempts.setCookies,
                    requestURL: assembled.request.url.absoluteString))
        } catch {
            result = .failure(error)
        }
        setup.onEvent(.ended(call, assembled, status: (try? result.get())?.status))
        return CallResult(
            result, request: Self.shown(assembled, sentCookies), secrets: assembled.ownSecrets.map(\.redacted),
            signatures: assembled.signatures?.secrets.map(\.redacted) ?? [],
            stub: attempts.stub, requests: attempts.count, firstFailure: attempts.firstFailure,
            cookies: call.passesOnCookies && setup.session.cookies == nil ? made.cookies.flatMap(passOn) : nil,
            began: attempts.began, timings: timings ?? attempts.timingsOfFailure, isChain: attempts.isChain)
    }

    func note(_ event: ExchangeEvent) {
        switch event {
        case .keptBack(let reason): setup.onEvent(.note(reason))
        case .unencryptedPassword(let origin):
            let isNew = warnedOrigins.withLock { $0.insert(origin).inserted }
            if isNew { setup.onEvent(.unencryptedPassword(origin: origin)) }
        case .request, .response, .failed, .stub, .retry, .tooLong: break
        }
    }

    /// The request that was sent, as reports show it.
    private static func shown(_ sent: AssembledRequest, _ cookies: CookieSession?) -> CallResult.Request {
        let assembled = (try? cookies?.showing(sent, isRevealing: false)) ?? sent
        var input = RenderingInput(assembled, isRevealing: false)
        input.showSignature(of: assembled)
        let curl = CurlFormat(shell: .sh, isOneLine: false).render(input)
        return CallResult.Request(
            method: assembled.method, url: assembled.redactor.redact(assembled.request.url.absoluteString),
            curl: curl.command)
    }

    // MARK: Cookies of needed calls

    /// The cookies that these exchanges have set; nil if there are none.
    private func cookies(from exchanges: [Int]) -> CookieSession? {
        let jar = jar(of: exchanges)
        return jar.cookies.isEmpty ? nil : session(with: jar)
    }

    private func session(with jar: CookieJar) -> CookieSession {
        CookieSession(jar, clock: setup.clock) { [onEvent = setup.onEvent] in onEvent(.note($0)) }
    }

    private func jar(of exchanges: [Int]) -> CookieJar {
        if exchanges.isEmpty { return CookieJar() }
        let now = Date(timeIntervalSince1970: setup.clock.date())
        return passedCookies.withLock { jars in
            exchanges.flatMap { jars[$0].cookies }.reduce(into: CookieJar()) { $0.set($1, now: now) }
        }
    }

    /// The cookies with which a call begins; nil if this call neither gets cookies from other calls nor passes cookies on.
    private func passed(to call: Call) -> CookieSession? {
        guard call.passesOnCookies || !call.cookieSources.isEmpty else { return nil }
        return session(with: jar(of: call.cookieSources))
    }

    private func passOn(_ cookies: CookieSession) -> Int? {
        let jar = cookies.middleware.jar
        if jar.cookies.isEmpty { return nil }
        return passedCookies.withLock { jars in
            jars.append(jar)
            return jars.count - 1
        }
    }

    // MARK: Reading

    /// Reads a body: events until the judge has seen enough, anything else as a whole.
    private func read(
        _ response: Response, _ judge: inout (any EventJudge)?, limit: Int, readingOnWhile isTimed: () -> Bool
    ) async throws -> ReceivedBody {
        guard var events = judge, let format = EventFormat(response.head) else {
            return try await ReceivedBody(response.body, limit: limit, readingOnWhile: isTimed)
        }
        defer { judge = events }
        var parser = EventParser(format)
        var start: [UInt8] = []
        var size = 0
        let (clock, within) = (setup.clock, events.within)
        let began = clock.elapsed()
        try await response.body.ending(after: within, by: clock) {
            for try await chunk in response.body {
                start += chunk.prefix(max(0, ReceivedBody.shownBytes - start.count))
                size += chunk.count
                var rest = Array(chunk)[...]
                while !events.isComplete, let event = try parser.next(in: &rest) { events.take(event) }
                if events.isComplete { return }
            }
            if let last = parser.end() { events.take(last) }
        }
        events.isOutOfTime = clock.elapsed() - began >= within
        return ReceivedBody(start, size: size, isLonger: events.isComplete)
    }
}
