import Checking
import CommandLineKit
import Exchange
import Foundation
import Rendering
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// Makes the calls of a run and returns their responses, with the same assembly, policy, stubs and transports as `send`.
final class CallExchange: Sendable {
    private let context: Context
    private let workspace: Workspace
    private let environment: EnvironmentChain
    private let flags: RequestFlags
    private let stubs: StubChoice
    /// The ids of the endpoints that the command line selects. `--stub NAME` applies only to these endpoints. Other endpoints are
    /// called only because one of these endpoints needs them.
    private let asked: Set<String>
    private let assembler: Assembler
    private let environmentFiles: [String]
    private let confirmation: Confirmation
    /// Requests that the rehearsal has made and that are not sent yet.
    private let ready = ReadyRequests()
    private let transport: NetworkTransport
    private let usualTransfer: TransferSettings
    private let session: CallSession
    private let isNarrating: Bool
    /// Stores the captures of needed calls for later runs; nil if captures are not stored.
    private let keptLogins: KeptLogins?
    /// The maximum number of bytes of a body that are kept for checks.
    private let bodyLimit: Int
    private let foundInsecure = Mutex(false)
    /// The warnings about API descriptions that were already reported.
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

    init(
        _ context: Context, _ workspace: Workspace, _ environment: EnvironmentChain, _ flags: RequestFlags,
        stubs: StubChoice, asked: Set<String>, confirmation: Confirmation, session: CallSession,
        isNarrating: Bool = false, bodyLimit: Int = ReceivedBody.usualLimit, keeping: Keeping? = nil
    ) throws(Failure) {
        self.context = context
        self.workspace = workspace
        self.environment = environment
        self.flags = flags
        self.stubs = stubs
        self.asked = asked
        self.confirmation = confirmation
        // Each secret is resolved once in a run, however many requests need it.
        assembler = Assembler(world: context.world(flags).remembering())
        environmentFiles = try flags.environmentFiles.map { path throws(Failure) in try context.pathFromHere(path) }
        transport = NetworkTransport(context.network)
        usualTransfer = context.usualTransfer
        self.session = session
        self.isNarrating = isNarrating
        keptLogins = keeping.map { [assembler] in
            KeptLogins(
                context: context, assembler: assembler, duration: $0.duration, session: session,
                isNarrating: isNarrating)
        }
        self.bodyLimit = bodyLimit
    }

    /// Settings for keeping captures.
    struct Keeping {
        /// The duration from the command line; nil to use the duration from the files.
        let duration: Duration?
    }

    /// Whether any request made so far accepts all certificates.
    var isInsecure: Bool { foundInsecure.withLock(\.self) }

    private func note(_ assembled: AssembledRequest) {
        if assembled.request.transfer.tls.isInsecure { foundInsecure.withLock { $0 = true } }
        context.warn(ofCommonSecrets: assembled.secrets)
    }

    var exchange: CheckExchange {
        var exchange = CheckExchange(
            call: { self.call(of: $0) },
            fill: { templates, call, needsAll throws(Failure) in
                try self.assembler.fill(templates, for: call, needsAll: needsAll)
            },
            rehearse: { self.rehearse($0, $1) }, perform: { await self.perform($0, expecting: $1) })
        guard let keptLogins else { return exchange }
        exchange.kept = { need, call, user in
            // A stub's response is not a real login, so it isn't kept. A stub that can't be made was already reported by the
            // rehearsal.
            guard (try? self.stubTransport(for: call)) == nil else { return nil }
            return keptLogins.captures(need, call, user)
        }
        return exchange
    }

    private func call(of endpoint: LocatedEndpoint) -> Call {
        var call = Call(workspace: workspace, endpoint: endpoint, environment: environment)
        call.overrides = flags.overrides
        call.environmentFiles = environmentFiles
        call.version = Program.version
        return call
    }

    private func rehearse(_ call: Call, _ expectation: CompiledExpectation?) -> Failure? {
        do throws(Failure) {
            _ = try stubTransport(for: call)
            switch try assembler.rehearse(call) {
            case .ready(let assembled):
                note(assembled)
                try verify(assembled, expectation?.openAPI)
                try confirmation.rehearse(assembled.policy, assembled.method, of: call.endpoint.id)
                if session.addsNothing { ready.keep(assembled, for: call.identity) }
            case .awaiting(let method, let policy):
                try confirmation.rehearse(policy, method, of: call.endpoint.id)
            }
            return nil
        } catch {
            return error
        }
    }

    private func verify(_ assembled: AssembledRequest, _ description: OpenAPIParts?) throws(Failure) {
        let warnings = try description?.verify(
            assembled.method, url: assembled.request.url.absoluteString, redactor: assembled.redactor)
        // Many operations share a schema, so each warning is reported once.
        let new = told.withLock { told in
            (warnings ?? []).filter { told.insert("\($0.place?.description ?? "") \($0.message)").inserted }
        }
        if !new.isEmpty { context.report(new) }
    }

    private func perform(_ call: Call, expecting expectation: CompiledExpectation?) async -> Exchanged {
        let assembled: AssembledRequest
        let stub: StubTransport?
        let passed = session.cookies == nil ? self.passed(to: call) : nil
        let sentCookies = cookies(from: call.cookieSources)
        do throws(Failure) {
            // A request kept from the rehearsal has its own generated values, so it isn't used for a call that must reuse earlier
            // values. A request that sends cookies of needed calls is made again, so that the values of these cookies become
            // secrets of the request.
            let kept = call.drawn.isEmpty && call.cookieSources.isEmpty ? ready.take(call.identity) : nil
            let complete = if let kept { kept } else { try made(call) }
            assembled = if let passed { try CallSession(cookies: passed).completing(complete) } else { complete }
            if kept == nil { note(assembled) }
            // Verifies again, because a URL that contains a captured value is complete only now.
            try verify(assembled, expectation?.openAPI)
            try confirmation.require(assembled.policy, assembled.method)
            stub = try stubTransport(for: call)
        } catch {
            return Exchanged(.failure(error), requests: 0)
        }
        let secrets = assembled.secrets.map(\.redacted)
        let attempts = Attempts(elapsed: context.world.clock.elapsed)
        let delivery = Delivery(
            assembled: assembled, stub: stub?.reporting { attempts.responded(with: $0) }, transport: transport,
            clock: context.world.clock, usualTransfer: usualTransfer, cookies: (session.cookies ?? passed)?.middleware
        ) { [self] event in
            switch event {
            case .request: attempts.requestStarted()
            case .retry(let retry): attempts.attemptFailed(retry, assembled.redactor)
            case .keptBack(let reason): context.note(reason)
            case .unencryptedPassword(let origin):
                let isNew = warnedOrigins.withLock { $0.insert(origin).inserted }
                if isNew { context.warnOfUnencryptedPassword(to: origin) }
            case .response(let head): attempts.responded(with: head)
            case .tooLong: break
            }
        }
        let result: Result<ReceivedResponse, Failure>
        do {
            let response = try await delivery.response()
            var events = expectation?.events.map { EventProgress($0) }
            let body: ReceivedBody
            if let format = EventFormat(response.head), events != nil {
                body = try await readEvents(format, of: response.body, into: &events)
            } else {
                events = nil
                body = try await ReceivedBody(response.body, limit: bodyLimit) {
                    expectation?.maxTime.map { attempts.timeOfLast <= $0.value } ?? false
                }
            }
            result = .success(
                ReceivedResponse(
                    response.head, body: body, duration: attempts.timeOfLast, method: assembled.method,
                    events: events, setCookies: attempts.setCookies,
                    requestURL: assembled.request.url.absoluteString))
        } catch {
            result = .failure(Failure(unanswered: error, assembled.redactor))
        }
        narrate(call, assembled, (try? result.get())?.status)
        return Exchanged(
            result, request: self.shown(call, assembled, sentCookies), secrets: secrets, stub: attempts.stub,
            requests: attempts.count, firstFailure: attempts.firstFailure,
            cookies: call.passesOnCookies ? passed.flatMap(passOn) : nil)
    }

    // MARK: Cookies of needed calls

    /// The cookies that these exchanges have set; nil if there are none.
    func cookies(from exchanges: [Int]) -> CookieSession? {
        let jar = jar(of: exchanges)
        return jar.cookies.isEmpty ? nil : CookieSession(jar, context)
    }

    private func jar(of exchanges: [Int]) -> CookieJar {
        if exchanges.isEmpty { return CookieJar() }
        let now = Date(timeIntervalSince1970: context.world.clock.date())
        return passedCookies.withLock { jars in
            exchanges.flatMap { jars[$0].cookies }.reduce(into: CookieJar()) { $0.set($1, now: now) }
        }
    }

    /// The cookies with which a call begins; nil if this call neither gets cookies from other calls nor passes cookies on.
    private func passed(to call: Call) -> CookieSession? {
        guard call.passesOnCookies || !call.cookieSources.isEmpty else { return nil }
        return CookieSession(jar(of: call.cookieSources), context)
    }

    private func passOn(_ cookies: CookieSession) -> Int? {
        let jar = cookies.middleware.jar
        if jar.cookies.isEmpty { return nil }
        return passedCookies.withLock { jars in
            jars.append(jar)
            return jars.count - 1
        }
    }

    /// Reads events until all events that matter have arrived, the time is over, or the stream ends.
    private func readEvents(
        _ format: EventFormat, of body: ResponseBody, into progress: inout EventProgress?
    ) async throws -> ReceivedBody {
        guard var events = progress else { return ReceivedBody([]) }
        defer { progress = events }
        var parser = EventParser(format)
        var start: [UInt8] = []
        var size = 0
        let (clock, within) = (context.world.clock, events.within)
        let began = clock.elapsed()
        try await body.ending(after: within, by: clock) {
            for try await chunk in body {
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

    private func narrate(_ call: Call, _ assembled: AssembledRequest, _ status: Int?) {
        guard isNarrating else { return }
        Narration(context: context, redactor: assembled.redactor, cookies: session.cookies, isOn: true).needed(
            call.endpoint.id, assembled.request, status)
    }

    private func made(_ call: Call) throws(Failure) -> AssembledRequest {
        try session.completing(try assembler.assemble(call))
    }

    /// The transport that responds to a call from stubs; nil if the call goes to the network.
    private func stubTransport(for call: Call) throws(Failure) -> StubTransport? {
        let endpoint = call.endpoint
        let user = StubUser(endpointID: endpoint.id, flow: call.flow)
        if let known = stubTransports.withLock({ $0[user] }) { return known }
        let stubs = asked.contains(endpoint.id) ? stubs : stubs.withoutAsked
        guard let transport = try stubs.transport(for: endpoint, in: environment, workspace, context.world) else {
            return nil
        }
        return stubTransports.withLock { transports in
            if let known = transports[user] { return known }
            transports[user] = transport
            return transport
        }
    }

    /// The request as reports show it. If the request was kept without the history of its assembly, it is assembled again,
    /// because a report needs this history.
    private func shown(_ call: Call, _ sent: AssembledRequest, _ cookies: CookieSession?) -> Exchanged.Request {
        let made = sent.durability == .repeatable ? (try? made(call)) ?? sent : sent
        let assembled = (try? cookies?.showing(made, isRevealing: false)) ?? made
        let redactor = assembled.redactor
        let curl = CurlFormat(shell: .sh, isOneLine: false).render(RenderingInput(assembled, isRevealing: false))
        return Exchanged.Request(
            method: assembled.method, url: redactor.redact(assembled.request.url.absoluteString),
            curl: curl.command)
    }
}

extension ReceivedResponse {
    /// The response as checks and captures see it.
    convenience init(
        _ head: ResponseHead, body: ReceivedBody, duration: Duration = .zero, method: String = "GET",
        events: EventProgress? = nil, setCookies: [String]? = nil, requestURL: String? = nil
    ) {
        self.init(
            status: head.status, reason: head.reason,
            headers: head.headers, body: body, duration: duration, method: method,
            isDecoded: head.isDecoded, events: events, setCookies: setCookies, url: head.url?.absoluteString,
            requestURL: requestURL)
    }
}

/// The attempts of one call. An environment's "retry" can cause several attempts.
final class Attempts: Sendable {
    private let elapsed: @Sendable () -> Duration
    private let state: Mutex<(count: Int, began: Duration, isNext: Bool)>
    private let lastStub = Mutex<Stub?>(nil)
    private let cookies = Mutex<[String]>([])
    private let failure = Mutex<String?>(nil)

    init(elapsed: @escaping @Sendable () -> Duration) {
        self.elapsed = elapsed
        state = Mutex((1, elapsed(), false))
    }

    var count: Int { state.withLock(\.count) }

    /// The time that the last attempt has taken, without earlier attempts and the waits between them.
    var timeOfLast: Duration { elapsed() - state.withLock(\.began) }

    /// The stub variant that responded last, as reports name it.
    var stub: Exchanged.Stub? {
        lastStub.withLock(\.self).flatMap { stub in
            stub.name.map { Exchanged.Stub(name: $0, mustFail: stub.mustFail) }
        }
    }

    func responded(with stub: Stub) { lastStub.withLock { $0 = stub } }

    /// The cookies that were set by the responses to the last attempt, including its redirects.
    var setCookies: [String] { cookies.withLock(\.self) }

    func responded(with head: ResponseHead) {
        let set = head.headers.values("Set-Cookie")
        if !set.isEmpty { cookies.withLock { $0 += set } }
    }

    /// The reason why the first attempt failed, if it was followed by another attempt.
    var firstFailure: String? { failure.withLock(\.self) }

    func attemptFailed(_ retry: RetryMiddleware.Retry, _ redactor: Redactor) {
        state.withLock { $0.isNext = true }
        let reason =
            retry.status.map { "the response was \($0)" } ?? retry.error.map { redactor.redact($0.wording).text }
        failure.withLock { $0 = $0 ?? reason }
    }

    /// Begins a new attempt if the last attempt has failed. A redirect's request belongs to the same attempt.
    func requestStarted() {
        state.withLock { state in
            guard state.isNext else { return }
            state = (state.count + 1, elapsed(), false)
            cookies.withLock { $0 = [] }
        }
    }
}

/// Requests that a rehearsal has made. They are sent unchanged, each request as often as it was made. If each request were made
/// again, `check` of 1,000 cases would take 14 % more of the processor's time.
final class ReadyRequests: Sendable {
    /// The maximum number of requests that are kept, to limit memory. Further requests are made again when they are sent.
    private static let limit = 10_000
    private let requests = Mutex<[CallIdentity: [AssembledRequest]]>([:])
    /// Keeps a request, unless it is valid only at this moment, for example because it contains the time.
    func keep(_ request: AssembledRequest, for call: CallIdentity) {
        guard request.durability > .momentary else { return }
        requests.withLock { requests in
            if requests.count >= Self.limit, requests[call] == nil { return }
            // Equal requests share the first copy, without the history of its assembly. When a report needs this history, the
            // request is assembled again.
            let request = request.durability == .repeatable ? requests[call]?.first ?? request.withoutHistory : request
            requests[call, default: []].append(request)
        }
    }

    /// Removes and returns a request that was kept for this call; nil if no such request is left.
    func take(_ call: CallIdentity) -> AssembledRequest? {
        requests.withLock { requests in
            let request = requests[call]?.popLast()
            if requests[call]?.isEmpty == true { requests[call] = nil }
            return request
        }
    }
}
