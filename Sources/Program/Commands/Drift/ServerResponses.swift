import Calling
import Checking
import CommandLineKit
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliJSONPath
import ReqcliMatching
import ReqcliMocking
import ReqcliRedaction
import ReqcliText
import RequestBuilding
import Shapes

/// The responses of the selected endpoints, collected during a run.
final class ServerResponses: Sendable {
    /// One response, with its body read as JSON if possible.
    struct Answer: Sendable {
        let status: Int
        let duration: Duration
        /// The variant whose `when` the request meets; nil if there is none.
        let variant: String?
        let body: Result<[UInt8], Unreadable>
        let redactor: Redactor
        /// Whether the body may contain an unknown secret, so that no part of the body may be written anywhere.
        let isHidden: Bool
    }

    struct Unreadable: Error {
        let reason: String
    }

    private let selected: Set<String>
    /// The variants of the endpoints that have some with `when`.
    private let stubs: [String: EndpointStubs]
    private let answers = Mutex<[String: [Answer]]>([:])

    init(of selected: Set<String>, _ stubs: [String: EndpointStubs]) {
        self.selected = selected
        self.stubs = stubs
    }

    /// Runs a plan to collect its responses. Ignores whether the responses meet the expectations of the cases.
    func result(of plan: CheckPlan, jobs: Jobs, _ caller: Caller, _ context: Context) async -> RunResult {
        var recording = caller
        recording.perform = { call, terms in
            let request = Mutex<PreparedRequest?>(nil)
            let rule = terms.rule
            var terms = terms
            terms.rule = { assembled throws(Failure) in
                request.withLock { $0 = assembled.request }
                return try rule?(assembled) ?? []
            }
            let result = await caller.perform(call, terms)
            self.note(result, of: call.endpoint, to: request.withLock(\.self))
            return result
        }
        let run = CheckRun(
            plan, options: RunOptions(jobs: jobs, recordsPassed: false, exchanges: .nothing), caller: recording,
            clock: context.world.clock
        )
        let executor = withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() }
        let task = Task(executorPreference: executor) { await run.result() }
        let interruption = Interruption()
        var result = await interruption.givingUp({ task.cancel() }, during: { await task.value })
        if let signal = interruption.received { result.endOnInterruption = ExitStatus(signal: signal) }
        return result
    }

    private func note(_ result: CallResult, of endpoint: LocatedEndpoint, to request: PreparedRequest?) {
        guard selected.contains(endpoint.id), case .success(let response) = result.result else { return }
        let captured = CaptureReader.compile(endpoint).value?.ofSecrets.read(
            response, Excerpts(Redactor(result.secrets)))
        let redactor = Redactor(result.secrets + (captured?.secrets ?? []))
        let answer = Answer(
            status: response.status, duration: response.duration,
            variant: request.flatMap { stubs[endpoint.id]?.conditionalVariant(for: $0) },
            body: response.content.mapError { Unreadable(reason: $0.phrase(Excerpts(redactor)).text) },
            redactor: redactor,
            isHidden: captured?.hiddenParts.contains(.body) ?? false)
        answers.withLock { $0[endpoint.id, default: []].append(answer) }
    }

    /// The results for the variants of an endpoint.
    func rows(
        for endpoint: LocatedEndpoint, _ bodies: [StubBody], _ result: RunResult
    ) throws(Failure) -> [DriftRow] {
        let answers = answers.withLock { $0[endpoint.id] ?? [] }
        let problems = result.cases.filter {
            $0.endpointID == endpoint.id && $0.verdict != .passed && $0.verdict != .failed
        }
        .map { each in
            DriftRow(
                endpoint: endpoint.id, label: each.id, outcome: .unanswered(each.outcome.reasons.map(\.text)),
                duration: nil)
        }
        if answers.isEmpty { return problems }
        return try bodies.map { body throws(Failure) in try row(endpoint, body, answers) } + problems
    }

    private func row(
        _ endpoint: LocatedEndpoint, _ body: StubBody, _ answers: [Answer]
    ) throws(Failure) -> DriftRow {
        let label = "\(endpoint.id) \(body.variant)"
        func without(_ reason: String) -> DriftRow {
            DriftRow(
                endpoint: endpoint.id, variant: body.variant, label: label, outcome: .notCompared(reason), duration: nil
            )
        }
        if body.isLeftOut { return without(#"the variant has "drift": false"#) }
        let met = answers.filter { $0.variant == (body.isConditional ? body.variant : nil) }
        let fitting = met.filter { $0.status == body.status }
        if case .unfit(let reason) = body.content { return without(reason) }
        guard !fitting.isEmpty else {
            guard !met.isEmpty else {
                return without(
                    body.isConditional
                        ? #"no request met its "when""# : #"each request met the "when" of another variant"#)
            }
            let statuses = Set(met.map(\.status)).sorted().map(String.init).joined(separator: " and ")
            return without("the server responded with \(statuses), but the variant has the status \(body.status)")
        }
        let (stub, file): (JSONValue, StubBody.StubFile)
        switch body.content {
        case .unfit(let reason), .other(let reason): return without(reason)
        case .json(let value, let place): (stub, file) = (value, place)
        }
        var documents: [JSONValue] = []
        for answer in fitting {
            switch answer.body {
            case .failure(let problem): return without("the server responded with \(problem.reason)")
            case .success(let bytes):
                guard let root = Self.json(bytes) else { return without("the response is not JSON") }
                documents.append(root)
            }
        }
        do throws(JSONPathLimit) {
            var shape = JSONShape()
            for document in documents { try body.rules.add(document, to: &shape) }
            let findings = try body.rules.shape(ofStub: stub).findings(against: shape)
            let comparison = DriftRow.Comparison(
                stub: stub, file: file, rules: body.rules, answer: shape, findings: findings,
                values: fitting.filter { !$0.isHidden }.compactMap { answer in
                    (try? answer.body.get()).flatMap {
                        Self.json(answer.redactor.masked(body: $0).body)
                    }
                })
            return DriftRow(
                endpoint: endpoint.id, variant: body.variant, label: label, outcome: .compared(comparison),
                duration: fitting.map(\.duration).max(),
                redactor: Redactor(fitting.flatMap(\.redactor.secrets)))
        } catch {
            throw Failure(.broken, code: .selectionFailed, "\"drift\" of \(label): \(error.message)")
        }
    }

    private static func json(_ bytes: [UInt8]) -> JSONValue? {
        return JSONDocument.read(SourceFile(name: "answer", bytes: bytes)).validRoot
    }
}
