import Calling
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliMatching
import ReqcliRedaction
import ReqcliText

extension FlowRunner {
    /// Sends a request and checks the response. The request is sent again if captures have expired, or if a retry is allowed.
    func perform(_ checkedCall: CheckedCall) async -> CheckedCallOutcome {
        var state = CallProgress()
        do throws(Obstacle) {
            try await run(checkedCall, &state)
        } catch {
            state.end(error)
        }
        if rehearsal != nil { return CheckedCallOutcome(outcome: .notJudged("not sent")) }
        // A required call has also failed if its captures found nothing.
        let hasPassed = state.outcome.verdict == .passed && state.captured.problems.isEmpty
        let makesRecord = options.recordsPassed || !hasPassed || options.failsOnFlaky && state.flake != nil
        return await offThread(if: makesRecord) { [state] in finished(state, makesRecord) }
    }

    /// Runs `work` on another thread if it takes long, so that it doesn't make the measured times of other requests longer. Most
    /// cases are checked in less time than it takes to switch threads, so they stay on the run's single thread.
    private func offThread<Value: Sendable>(if takesLong: Bool, _ work: @Sendable () -> Value) async -> Value {
        if !takesLong { return work() }
        return await withTaskExecutorPreference(globalConcurrentExecutor) { @concurrent in work() }
    }

    func isOver(for checkedCall: CheckedCall) -> Bool { halt.isSet && !checkedCall.outlivesRun || Task.isCancelled }

    /// The call with its params and the values that its required calls have captured. Makes the required calls that were not made
    /// before.
    func prepare(_ checkedCall: CheckedCall) async throws(Obstacle) -> (call: Call, captures: GatheredCaptures) {
        var call = caller.call(checkedCall.endpoint)
        call.unchecked = checkedCall.probe?.unchecked
        call.flow = checkedCall.step?.flow
        call.occasion = checkedCall.occasion
        call.passesOnCookies =
            checkedCall.step?.passesOnCookies
            ?? (plan.dependencies[checkedCall.endpoint.id] != nil && !checkedCall.isOfLoad)
        call.awaited.parameters = checkedCall.awaited
        if rehearsal != nil {
            let met = checkedCall.step?.awaited ?? [:]
            call.awaited.captures = plan.captures(for: checkedCall.endpoint) { _ in true }.merging(met) { $1 }
        }
        // A required call may use the value of a param, and a param may use a value that a required call captures. So the params
        // without captures are filled first.
        try await fillParameters(of: checkedCall, &call) { !$0.takesCaptures }
        let gathered = try await gather(call, for: checkedCall)
        return (try await completed(call, checkedCall, gathered), gathered)
    }

    func run(_ checkedCall: CheckedCall, _ state: inout CallProgress) async throws(Obstacle) {
        if isOver(for: checkedCall) { throw .stopped }
        let prepared = try await prepare(checkedCall)
        let gathered = prepared.captures
        var call = prepared.call
        try await send(checkedCall, call, &state)
        var isRefreshed = false
        while true {
            if !isRefreshed, let status = state.status, let fresh = try await refresh(gathered, call, on: status) {
                call = try await completed(call, checkedCall, fresh)
                isRefreshed = true
            } else {
                guard checkedCall.step == nil, state.isWorthAnother(options), !isOver(for: checkedCall),
                    (try? await clock.sleep(options.retryInterval)) != nil, !isOver(for: checkedCall)
                else { return }
                state.noteRetry()
            }
            try await send(checkedCall, call, &state)
        }
    }

    /// The call with the values that its required calls have captured.
    private func completed(_ call: Call, _ checkedCall: CheckedCall, _ gathered: GatheredCaptures)
        async throws(Obstacle)
        -> Call
    {
        var call = call
        call.captures = gathered.values
        call.cookieSources = gathered.cookieSources(for: checkedCall.endpoint) + (checkedCall.step?.cookieSources ?? [])
        call.secretCaptures = plan.captures(for: checkedCall.endpoint) { $0.isSecret }
        if let step = checkedCall.step { call.secretCaptures.merge(step.secretNames) { $1 } }
        if checkedCall.parameters.contains(where: \.takesCaptures) {
            try await fillParameters(of: checkedCall, &call) { _ in true }
        }
        call.redactor = secrets.redactor
        return call
    }

    private func fillParameters(
        of checkedCall: CheckedCall, _ call: inout Call, where isWanted: (CaseParameter) -> Bool
    ) async throws(Obstacle) {
        let wanted = checkedCall.parameters.filter(isWanted)
        call.arguments = []
        var values = try await fillEach(wanted.compactMap(\.waitingTemplate), &call, at: checkedCall.place)[...]
        // Drops the current time from the drawn values. The attempts of a case share the params, but each attempt has its own
        // time.
        call.drawn.time = nil
        for parameter in wanted {
            if parameter.waitingTemplate == nil {
                call.arguments += [parameter.readyArgument].compactMap(\.self)
                continue
            }
            switch values.popFirst() {
            case .known(let value):
                call.arguments += value.map { [ParameterArgument(name: parameter.name, value: $0)] } ?? []
            case .awaited: call.awaited.parameters.insert(parameter.name)
            case nil: break
            }
        }
    }

    // MARK: One request

    private func send(_ checkedCall: CheckedCall, _ call: Call, _ state: inout CallProgress) async throws(Obstacle) {
        var call = call
        if state.sendings > 0 { call.occasion += " attempt \(state.sendings)" }
        let expectation: CompiledExpectation?
        if let step = checkedCall.step, step.expectsInScope {
            var scope = step.call
            expectation = try await filled(checkedCall.expectation, &scope, at: checkedCall.place)
        } else {
            expectation = try await filled(checkedCall.expectation, &call, at: checkedCall.place)
        }
        let terms = expectation?.terms ?? CallTerms()
        if let rehearsal {
            if let problem = await caller.rehearse(call, terms) { rehearsal.note(problem, at: checkedCall.place) }
            throw .stopped
        }
        let isFirst = state.requests == 0
        let (exchanged, began) = await slots.using(waits: !checkedCall.outlivesRun) {
            [call] () -> (CallResult?, Duration) in
            let began = clock.elapsed()
            // Sends nothing if the run has ended while this request waited for its turn.
            return isFirst && isOver(for: checkedCall)
                ? (nil, began) : (await caller.perform(call, terms), began)
        }
        guard let exchanged else { throw .stopped }
        if checkedCall.isOfLoad || checkedCall.step != nil { state.ended = clock.elapsed() }
        slots.note(exchanged, began: began)
        secrets.add(exchanged.secrets, signatures: exchanged.signatures)
        // A cancelled request says nothing about the endpoint.
        if case .failure = exchanged.result, Task.isCancelled { throw .stopped }
        state.note(exchanged)
        state.began = state.began ?? exchanged.began ?? began
        state.identity = checkedCall.step == nil ? nil : call.identity
        let judged = await offThread(if: exchanged.isLarge) { [captured = state.captured] in
            judge(exchanged, checkedCall, expectation, captured)
        }
        state.captured = judged.captured
        state.outcome = judged.outcome.invertedIfItMustFail(
            after: state.outcome.verdict, at: checkedCall.endpoint.definition.place)
    }

    /// The expectation with its values filled in, in the scope of a call. In a rehearsal, values that are not known yet stay open.
    func filled(
        _ expectation: CompiledExpectation?, _ call: inout Call, at place: Place
    ) async throws(Obstacle) -> CompiledExpectation? {
        guard let expectation,
            case .known(let operands) = try await fill(expectation.templates, &call, needsAll: true, at: place)
        else { return expectation }
        do throws(Failure) {
            return try expectation.filled(with: operands, redactor: secrets.redactor)
        } catch {
            try obstruct(error, at: place)
            return expectation
        }
    }

    private func judge(
        _ exchanged: CallResult, _ checkedCall: CheckedCall, _ expectation: CompiledExpectation?,
        _ before: CaptureReader.Values
    ) -> (outcome: Outcome, captured: CaptureReader.Values) {
        let place = checkedCall.endpoint.definition.place
        var captured = before
        var outcome = Outcome(.passed, of: exchanged)
        switch exchanged.result {
        case .failure(let problem):
            outcome.verdict = .error
            outcome.problem = problem
            // The problem comes from the probe's change and not from the files, so the probe is not judged.
            if checkedCall.probe != nil, !problem.isAboutTheNetwork {
                outcome = .notJudged("cannot be sent: \(outcome.reasons.joined(separator: "; "))")
            }
        case .success(let response):
            // Captures are read first, because a failure must not show a captured secret.
            if !checkedCall.captures.isEmpty {
                captured = checkedCall.captures.read(response, Excerpts(secrets.redactor))
                secrets.add(captured.secrets)
            }
            let redactor = secrets.redactor
            if let probe = checkedCall.probe {
                let finding = probe.finding(
                    on: response, expecting: expectation?.status?.value, Excerpts(redactor))
                return (outcome.found(finding, hiding: captured.hiddenParts), captured)
            }
            let failures =
                expectation?.failures(of: response, redactor: redactor)
                ?? Judgement(response: response, excerpts: Excerpts(redactor)).status(
                    nil, at: checkedCall.step == nil ? place : checkedCall.place)
            let errors = response.graphQLFailure(
                at: checkedCall.endpoint.graphQLPlace(in: plan.environment),
                expecting: expectation?.json.map(\.path) ?? [], redactor: redactor)
            outcome.failures = failures + [errors].compactMap(\.self)
            outcome.answer = expectation?.openAPI?.answer(of: response)
            if let snapshot = checkedCall.snapshot, let parts = expectation?.snapshot {
                let judgement = SnapshotJudgement(
                    snapshot, parts, response,
                    own: Redactor(exchanged.secrets + exchanged.signatures + captured.secrets),
                    excerpts: Excerpts(redactor))
                judgement.judge(&outcome, updating: options.snapshots, hidden: captured)
            }
            outcome.failures = outcome.failures.map { $0.hiding(captured.hiddenParts) }
            if !outcome.failures.isEmpty { outcome.verdict = .failed }
        }
        return (outcome, captured)
    }

    private func finished(_ state: CallProgress, _ makesRecord: Bool) -> CheckedCallOutcome {
        var outcome = state.outcome
        let redactor = secrets.redactor
        if makesRecord {
            outcome.exchange = state.exchanged.map {
                ExchangeRecord($0, outcome.verdict, redactor, hiding: state.captured.hiddenParts)
            }
        }
        outcome.attempts = state.requests
        if outcome.verdict == .passed, outcome.stub?.mustFail != true { outcome.flake = state.flake }
        let now = clock.elapsed()
        outcome.started = (state.began ?? now) - origin
        outcome.duration = state.began.map { now - $0 } ?? .zero
        var result = CheckedCallOutcome(
            outcome: outcome.redacted(redactor), captured: state.captured, cookies: state.exchanged?.cookies)
        result.identity = state.identity
        result.ended = state.ended
        if observer != nil { result.timings = state.timings }
        if state.identity != nil, case .success(let response)? = state.exchanged?.result { result.response = response }
        return result
    }
}

extension CallResult {
    /// Whether checking the response takes long.
    fileprivate var isLarge: Bool {
        guard case .success(let response) = result else { return false }
        return response.body.bytes.count > 64 << 10
    }
}

extension CaseParameter {
    /// The template that must be filled before the call; nil if the value is already known.
    var waitingTemplate: ValueTemplate? {
        guard case .template(let template) = value, template.literal == nil else { return nil }
        return template
    }

    fileprivate var takesCaptures: Bool {
        waitingTemplate?.placeholders.contains { if case .capture = $0.value { true } else { false } } ?? false
    }
}

extension Outcome {
    /// The outcome of a probe.
    fileprivate func found(_ finding: Probe.Finding, hiding parts: Set<ReceivedResponse.Part>) -> Outcome {
        var outcome = self
        switch finding {
        case .asPromised: break
        case .provesNothing(let reason): (outcome.verdict, outcome.reason) = (.notJudged, reason)
        case .failed(let failure): (outcome.verdict, outcome.failures) = (.failed, [failure.hiding(parts)])
        }
        return outcome
    }

    /// Inverts the outcome for a stub variant with `"expect": "fail"`. Such a variant proves that the checks can fail, so a
    /// failure counts as passed. If an earlier attempt failed with another response, the outcome stays a failure.
    fileprivate func invertedIfItMustFail(after earlier: Verdict, at place: Place) -> Outcome {
        guard let stub, stub.mustFail else { return self }
        let hadFailed = earlier == .failed || earlier == .error
        var result = self
        switch verdict {
        case .failed where !hadFailed: result.verdict = .passed
        case .error where !hadFailed && problem?.isAboutTheNetwork == true: result.verdict = .passed
        case .passed:
            result.verdict = .failed
            result.failures = [
                ExpectationFailure(
                    "stub variant \"\(own: stub.name)\"",
                    expected: "the checks to fail, because the variant has \"expect\": \"fail\"",
                    actual: "that all checks pass: they do not detect what is wrong with this response", at: place)
            ]
        case .failed, .error, .blocked, .notJudged, .notRun: break
        }
        return result
    }
}
