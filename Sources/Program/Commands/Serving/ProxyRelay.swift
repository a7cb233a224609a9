import Calling
import Exchange
import Foundation
import HTTPWire
import ReqcliAssembly
import ReqcliBasics
import ReqcliMocking
import ReqcliServing
import ReqcliText
import RequestBuilding
import StubServing

/// Passes requests on to another server, one by one, and passes its responses back as they arrive.
///
/// Each request is one task. The task reads the next piece of the response when the client has taken the previous piece. It reads
/// a large request from the client only as fast as the other server takes the request. So bodies of any length take little
/// memory.
final class ProxyRelay: Sendable {
    private let target: ProxyTarget
    private let transport: any Transport
    private let responder: WorkspaceResponder
    private let log: ServeLog
    private let clock: WorldClock
    private let loop: EventLoop
    /// Compares and keeps responses.
    let answers: ProxiedResponses
    /// The name by which this server recognises itself in `Via`.
    private let name: String
    private let flows = Mutex<[ServerRequest.Ticket: ProxiedFlow]>([:])

    init(
        to target: ProxyTarget, over transport: any Transport, _ responder: WorkspaceResponder, _ log: ServeLog,
        _ answers: ProxiedResponses, clock: WorldClock, loop: EventLoop
    ) {
        self.target = target
        self.transport = transport
        self.responder = responder
        self.log = log
        self.answers = answers
        self.clock = clock
        self.loop = loop
        name = "reqcli-" + String(UInt32.random(in: (1 << 31)...(.max)), radix: 16)
    }

    private var engine: MockEngine { responder.engine }

    /// Passes a request on, and returns nil because the reply is sent later. If the request must not be passed on, returns a
    /// refusal at once.
    func pass(_ request: ServerRequest, _ answer: MockAnswer) -> ServerReply? {
        let (start, incoming) = (clock.elapsed(), answer.request)
        var passed: ProxiedRequest
        do throws(ProxiedRequest.Refusal) {
            passed = try ProxiedRequest(
                request, incoming, to: target, via: name, cutsCodings: answers.keepsResponses)
        } catch {
            return refuse(error.status, error.reason, answer, start)
        }
        var feed: BodyFeed?
        if incoming.isCut {
            let length: Int? = if case .length(let length) = request.head.body { length } else { nil }
            let body = BodyFeed(length: length) { [loop] in loop.readBody(of: request.ticket) }
            passed.send(body)
            feed = body
        }
        let flow = ProxiedFlow(feed, number: answer.number)
        flows.withLock { $0[request.ticket] = flow }
        flow.run { [self, passed] in
            await relay(passed, request, answer, flow, start)
            flows.withLock { $0[request.ticket] = nil }
        }
        return nil
    }

    /// Takes a large body in parts, if it is already certain that the request is passed on. Otherwise takes the body as a whole: a
    /// recording needs the whole body, and HTTP/1.0 has no chunks.
    func taking(_ request: ServerRequest, _ responder: WorkspaceResponder) -> BodyTaking {
        let incoming = IncomingRequest(request.head, request.body, isCut: true)
        // A body that is searched for secrets has to be whole.
        guard !answers.keepsResponses, target.origins.isEmpty,
            !(request.head.body == .chunked && target.transfer.version == .http10),
            let answer = responder.answer(toStartOf: incoming)
        else { return .whole }
        return pass(request, answer).map { .refused($0) } ?? .parts
    }

    /// Takes the part of a body that has arrived.
    func bodyCame(_ ticket: ServerRequest.Ticket, _ event: BodyEvent) {
        guard let flow = flows.withLock({ $0[ticket] }) else { return }
        switch event {
        case .part(let bytes, let isLast): flow.feed?.append(bytes, isLast: isLast)
        case .broken(let problem):
            if let number = flow.number { engine.complete(number, status: problem.status) }
            flow.cancel()
        }
    }

    /// Gives up a request whose client has disconnected.
    func clientLeft(_ ticket: ServerRequest.Ticket) { flows.withLock { $0[ticket] }?.cancel() }

    func clientTook(_ ticket: ServerRequest.Ticket) { flows.withLock { $0[ticket] }?.goOn() }

    /// Returns when everything that has arrived is compared and kept, or when the time limit is over.
    func end(within limit: Duration) async {
        for flow in flows.withLock({ Array($0.values) }) {
            flow.cancel()
            await flow.value
        }
        await answers.end(within: limit, sleep: clock.sleep)
    }

    // MARK: One request

    private func relay(
        _ passed: ProxiedRequest, _ request: ServerRequest, _ answer: MockAnswer, _ flow: ProxiedFlow, _ start: Duration
    ) async {
        let incoming = answer.request
        let response: Response
        do {
            response = try await transport.send(passed.prepared)
        } catch {
            let reply =
                Task.isCancelled
                // Resets the connection of a cancelled request, because its client may have closed only one side of the
                // connection.
                ? ServerReply(ReplyHead(status: 500, fields: []), fault: .reset)
                : refuse(Self.status(of: error), Self.reason(error), answer, start)
            return loop.reply(reply, to: request.ticket)
        }
        // Rejects statuses such as 101, after which the connection would have another protocol and no end. This server never asks
        // for another protocol.
        guard (200...999).contains(response.status) else {
            let reason: Wording =
                "the server of the environment \(own: target.environment) responded with status \(response.status), which does not complete a request"
            return loop.reply(refuse(502, reason, answer, start), to: request.ticket)
        }
        let session = IncomingRequest.takingSession(outOf: request.head.target.path).session
        let turned = ProxiedResponse(
            target: target, pathPrefix: session.map { "/__reqcli/s/\($0)" } ?? "",
            sharing: responder.rules.sharingHeaders(for: incoming).fields)
        note(response.status, answer, start)
        var copy = answers.copy(of: response.head, answer)
        let reply = turned.reply(response.head, to: incoming.method)
        guard case .stream(var left) = reply.body else {
            finish(&copy)
            return loop.reply(reply, to: request.ticket)
        }
        loop.reply(reply, to: request.ticket)
        do {
            for try await chunk in response.body {
                copy?.append(chunk)
                left = left.map { $0 - chunk.count }
                if left == 0 { finish(&copy) }
                flow.hold()
                loop.send(Array(chunk), to: request.ticket)
                try await flow.ready()
            }
            finish(&copy)
            loop.endBody(of: request.ticket)
        } catch {
            loop.cut(request.ticket)
            if Task.isCancelled { return }
            let text =
                "\(incoming.method) \(answer.mask.target(of: incoming)): the response is cut off: "
                + answer.mask.text(Self.reason(error))
            engine.noteFailure(answer, "the response is cut off: \(Self.reason(error))")
            log.add([text], event: ["event": "note", "text": .string(text)])
        }
    }

    /// Hands over a complete copy before the client gets the last byte, so that a client's responses are saved in the order of
    /// its requests.
    private func finish(_ copy: inout ProxiedCopy?) {
        if let complete = copy { answers.take(complete) }
        copy = nil
    }

    private func note(_ status: Int, _ answer: MockAnswer, _ start: Duration) {
        if let number = answer.number { engine.complete(number, status: status) }
        addLine(status, "passed on to \(target.environment)", answer, start)
    }

    private func addLine(_ status: Int, _ note: String, _ answer: MockAnswer, _ start: Duration) {
        var line = LoggedRequest(answer, time: clock.elapsed() - start)
        line.status = status
        line.note = note
        log.add(line)
    }

    private func refuse(
        _ status: Int, _ reason: Wording, _ answer: MockAnswer, _ start: Duration
    ) -> ServerReply {
        engine.noteFailure(answer, status: status, reason)
        addLine(status, answer.mask.text(reason), answer, start)
        return responder.replies.reply(
            MockAnswer.Refusal(status: status, title: reason),
            sharing: responder.rules.sharingHeaders(for: answer.request))
    }

    private static func status(of error: any Error) -> Int {
        if case .timeout? = (error as? TransportError)?.kind { 504 } else { 502 }
    }

    private static func reason(_ error: any Error) -> Wording {
        (error as? TransportError)?.wording ?? Wording(quoting: "\(error)")
    }
}

/// The task of one request, and whether its client is ready for the next piece of the response.
final class ProxiedFlow: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isReady = true
        var isCancelled = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    /// The body of the request, if it is passed on while it arrives.
    let feed: BodyFeed?
    /// The request's place in the journal.
    let number: Int?
    private let state = Mutex(State())

    init(_ feed: BodyFeed?, number: Int?) {
        self.feed = feed
        self.number = number
    }

    func run(_ work: @escaping @Sendable () async -> Void) {
        let task = Task { await work() }
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Waits for the end of the task.
    var value: Void {
        get async { await state.withLock(\.task)?.value }
    }

    func cancel() {
        let (task, waiting) = state.withLock { state in
            defer { state.waiting = nil }
            state.isCancelled = true
            return (state.task, state.waiting)
        }
        task?.cancel()
        waiting?.resume()
    }

    /// Records that a piece is on its way to the client.
    func hold() { state.withLock { $0.isReady = false } }

    /// Records that the client has taken all pieces so far.
    func goOn() {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            state.isReady = true
            return state.waiting
        }
        waiting?.resume()
    }

    /// Returns when the client is ready for a piece.
    func ready() async throws {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.isReady || state.isCancelled { return true }
                state.waiting = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
        try Task.checkCancellation()
    }
}
