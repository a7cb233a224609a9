import Dispatch
import Exchange
import Foundation
import Recording
import ReqcliBasics
import ReqcliDefinitions
import ReqcliMocking
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// Compares the responses of another server with the default variants, and saves the responses as variants. The responses are
/// handled in the order in which they end, on a separate queue, so that no request waits for a file.
final class ProxiedResponses: Sendable {
    /// The maximum memory of all copies together, in bytes.
    private static let copyLimit = 128 << 20

    private struct State {
        var isFull = false
        var hasFailed = false
        /// The differences that are already in the log.
        var known: Set<String> = []
        /// The number of copies of each endpoint that are not handled yet.
        var waiting: [String: Int] = [:]
        /// Whether copies that aren't handled yet are dropped.
        var isOver = false
    }

    /// Whether responses are saved as variants.
    let keepsResponses: Bool
    /// Records responses. Used only on the queue, because the recorder may wait for a file.
    private let recorder: Mutex<RequestRecorder?>
    private let engine: MockEngine
    private let drift: ProxiedDrift
    private let log: ServeLog
    private let room = CopyRoom(limit: copyLimit)
    private let queue = DispatchQueue(label: "reqcli.passed-answers")
    private let state = Mutex(State())

    init(_ recorder: RequestRecorder?, _ drift: ProxiedDrift, _ engine: MockEngine, _ log: ServeLog) {
        keepsResponses = recorder != nil
        self.recorder = Mutex(recorder)
        self.drift = drift
        self.engine = engine
        self.log = log
    }

    /// Whether a file could not be written.
    var hasFailed: Bool { state.withLock(\.hasFailed) }

    /// A copy to be filled with the body; nil if the response is neither compared nor kept.
    func copy(of head: ResponseHead, _ answer: MockAnswer) -> ProxiedCopy? {
        guard let endpoint = answer.endpoint, let reading = answer.reading else { return nil }
        // A part of a response, or a response that says that nothing has changed, can't be compared or replayed.
        guard answer.request.method != "HEAD", head.status != 206, head.status != 304 else { return nil }
        guard keepsResponses || drift.variant(of: endpoint) != nil else { return nil }
        return ProxiedCopy(head, answer.request, endpoint, reading, room)
    }

    /// Queues a complete copy to be compared and saved.
    func take(_ copy: ProxiedCopy) {
        state.withLock { $0.waiting[copy.endpoint.id, default: 0] += 1 }
        queue.async { [self] in
            if state.withLock(\.isOver) { return }
            defer { state.withLock { $0.waiting[copy.endpoint.id, default: 0] -= 1 } }
            guard let body = copy.body else {
                let limit = RecordedResponse.limit >> 20
                return note(
                    copy,
                    "not compared and not recorded: the body is larger than \(limit) MiB, or too many bodies are waiting"
                )
            }
            guard let secrets = copy.reading.allSecrets(of: copy.request) else {
                return note(
                    copy, "not compared and not recorded: the request has more than \(RequestMask.limit) secrets")
            }
            let redactor = Redactor(secrets)
            compare(copy, body, redactor)
            keep(copy, body, redactor)
        }
    }

    /// Calls a function once the copies so far are handled.
    func whenSettled(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    /// Waits until all copies are handled, but no longer than `limit`, because another program may hold the lock of a folder, or
    /// a file system may not respond. The log names the copies that are not handled.
    func end(within limit: Duration, sleep: @escaping @Sendable (Duration) async throws -> Void) async {
        let (ends, feed) = AsyncStream<Bool>.makeStream()
        whenSettled { feed.yield(true) }
        let timer = Task {
            try await sleep(limit)
            feed.yield(false)
        }
        defer { timer.cancel() }
        for await isSettled in ends {
            if !isSettled { leaveRest(after: limit) }
            return
        }
    }

    private func leaveRest(after limit: Duration) {
        let rest = state.withLock { state in
            state.isOver = true
            return state.waiting.filter { $0.value > 0 }.sorted { $0.key < $1.key }
        }
        if rest.isEmpty { return }
        if keepsResponses { state.withLock { $0.hasFailed = true } }
        let step = keepsResponses ? "recorded" : "compared"
        let counts = rest.map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
        let text = "not \(step) within \(limit.text) at the end: \(counts)"
        log.add(
            [text],
            event: [
                "event": "unfinished", "text": .string(text),
                "responses": .object(rest.map { OrderedJSON.Member($0.key, .int($0.value)) }),
            ])
    }

    // MARK: Drift

    private func compare(_ copy: ProxiedCopy, _ body: [UInt8], _ redactor: Redactor) {
        // An error status is the correct response to an invalid request, so it isn't compared.
        if copy.head.status >= 400, !copy.reading.problems.isEmpty { return }
        guard let differing = drift.differences(copy.head, body, of: copy.endpoint) else { return }
        let found = differing.hiding(redactor)
        let stub = "\(copy.endpoint.id)=\(found.variant)"
        if let failure = found.failure {
            engine.addDrift("\(stub) differs from the server: \(failure.text)", session: copy.request.session)
        }
        let isNew = state.withLock { state in
            state.known.count < 10_000 && state.known.insert("\(stub) \(found.lines)").inserted
        }
        guard isNew else { return }
        log.add(
            ["drift  \(stub)"] + found.lines.map { "          \($0)" },
            event: [
                "event": "drift", "endpoint": .string(copy.endpoint.id), "variant": .string(found.variant),
                "differences": .array(found.differences.map(\.json)),
            ])
    }

    // MARK: Keeping

    private func keep(_ copy: ProxiedCopy, _ body: [UInt8], _ redactor: Redactor) {
        let outcome = recorder.withLock { recorder in
            recorder?.keep(copy.head, body: body, to: copy.endpoint.id, copy.reading, redactor)
        }
        switch outcome {
        case .kept(let variant, let written, let response): noteKept(copy, variant, written, response)
        case .differs(let variant):
            note(copy, "the response differs from \(copy.endpoint.id)=\(variant), which stays; --force replaces it")
        case .failed(let reason):
            state.withLock { $0.hasFailed = true }
            note(copy, "cannot be recorded: \(redactor.redact(reason).text)")
        case .refused(let reason): note(copy, "not recorded: \(redactor.redact(reason).text)")
        case .full:
            let isFirst = state.withLock { state in
                defer { state.isFull = true }
                return !state.isFull
            }
            if isFirst { note(copy, "not recorded: this run has recorded \(RequestRecorder.limit) variants") }
        case .same, nil: break
        }
    }

    private func noteKept(
        _ copy: ProxiedCopy, _ variant: String, _ written: VariantFiles.Written, _ response: RecordedResponse
    ) {
        let files = [written.endpointFile] + [written.bodyFile].compactMap(\.self)
        let stub = "\(copy.endpoint.id)=\(variant)"
        var masked = response.headers.credentials
        if response.maskedCount > 0 {
            masked.append(
                response.maskedCount == 1 ? "a secret in the body" : "\(response.maskedCount) secrets in the body")
        }
        engine.noteRecorded(stub)
        let mask = masked.isEmpty ? "" : "; masked: \(masked.joined(separator: ", "))"
        log.add(
            ["recorded  \(stub) in \(files.joined(separator: " and "))\(mask)"],
            event: [
                "event": "recorded", "endpoint": .string(copy.endpoint.id), "variant": .string(variant),
                "files": .array(files.map { .string($0) }),
                "masked": masked.isEmpty ? nil : .array(masked.map { .string($0) }),
            ])
        for problem in response.lostSecrets {
            note(copy, "\(problem.message): \(stub) may still contain a secret")
        }
    }

    private func note(_ copy: ProxiedCopy, _ text: String) {
        log.add(
            ["\(copy.endpoint.id): \(text)"],
            event: ["event": "note", "endpoint": .string(copy.endpoint.id), "text": .string(text)])
    }
}

/// A separate copy of a response, with its request.
final class ProxiedCopy: Sendable {
    let head: ResponseHead
    let request: IncomingRequest
    let endpoint: LocatedEndpoint
    let reading: RequestReading
    private let room: CopyRoom
    /// The bytes of the body; nil if the body is too large.
    private let bytes = Mutex<[UInt8]?>([])

    init(
        _ head: ResponseHead, _ request: IncomingRequest, _ endpoint: LocatedEndpoint, _ reading: RequestReading,
        _ room: CopyRoom
    ) {
        self.head = head
        self.request = request
        self.endpoint = endpoint
        self.reading = reading
        self.room = room
    }

    deinit { room.leave(bytes.withLock { $0?.count ?? 0 }) }

    /// The body as received, with its content codings.
    var body: [UInt8]? { bytes.withLock(\.self) }

    func append(_ chunk: Data) {
        bytes.withLock { bytes in
            guard let count = bytes?.count else { return }
            if count + chunk.count <= RecordedResponse.limit, room.take(chunk.count) {
                bytes?.append(contentsOf: chunk)
            } else {
                room.leave(count)
                bytes = nil
            }
        }
    }
}

/// The memory that copies share.
final class CopyRoom: Sendable {
    private let left: Mutex<Int>

    init(limit: Int) { left = Mutex(limit) }

    /// Takes this much of the shared memory. Returns false if not enough is left.
    func take(_ count: Int) -> Bool {
        left.withLock { left in
            guard left >= count else { return false }
            left -= count
            return true
        }
    }

    func leave(_ count: Int) { left.withLock { $0 += count } }
}

extension ServeLog {
    /// Adds an entry that isn't about a single request: an object with `--json`, else lines.
    func add(_ lines: [String], event: KeyValuePairs<String, OrderedJSON?>) {
        if isJSON { addEvent(event) } else { addLine(lines.map { TerminalText.harmless($0) }.joined(separator: "\n")) }
    }
}
