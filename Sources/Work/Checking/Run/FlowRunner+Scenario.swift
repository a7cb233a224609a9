import Calling
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

extension FlowRunner {
    /// Runs a scenario: its steps until one does not pass, and then its cleanup.
    func run(_ each: ScenarioCase) async -> CaseResult {
        let began = clock.elapsed()
        var outcome = Outcome(.notRun)
        var steps: [StepResult] = []
        if let problem = each.problem {
            outcome = .unsendable(problem)
            steps = each.allSteps.map { StepResult($0, Outcome(.notRun)) }
        } else {
            steps = await results(of: each)
            outcome = Outcome(of: steps, at: each.place)
        }
        outcome.started = steps.filter { $0.outcome.attempts > 0 }.map(\.outcome.started).min() ?? began - origin
        outcome.duration = clock.elapsed() - began
        var result = CaseResult(
            number: each.number, id: each.id, endpointID: each.scenario.id, checkName: nil, row: each.row?.number,
            summary: each.scenario.definition.summary, tags: each.scenario.definition.tags, place: each.place,
            probe: nil,
            outcome: outcome)
        result.steps = steps
        return result
    }

    private func results(of each: ScenarioCase) async -> [StepResult] {
        var flow = ScenarioFlow(each)
        var steps: [StepResult] = []
        var isGoing = true
        var hasBegun = false
        for step in each.steps {
            guard isGoing, !halt.isSet, !Task.isCancelled else {
                steps.append(StepResult(step, Outcome(.notRun)))
                continue
            }
            if hasBegun { await observer?.pause() }
            hasBegun = true
            let outcome = await run(step, &flow)
            if rehearsal != nil { flow.awaitCaptures(of: step) }
            // A rehearsal finds the problems of all steps.
            isGoing =
                rehearsal != nil || [.passed, .notJudged].contains(outcome.verdict) && outcome.stub?.mustFail != true
            noteUnsent(step, outcome)
            steps.append(StepResult(step, outcome))
        }
        for step in each.cleanup {
            let outcome = hasBegun && !Task.isCancelled ? await run(step, &flow) : Outcome(.notRun)
            noteUnsent(step, outcome)
            steps.append(StepResult(step, outcome))
        }
        return steps
    }

    /// Tells the observer of a step that failed before a request was sent.
    private func noteUnsent(_ step: PlannedStep, _ outcome: Outcome) {
        guard outcome.attempts == 0, outcome.verdict.isFailure else { return }
        observer?.note(step, nil, CheckedCallOutcome(outcome: outcome))
    }

    // MARK: A step

    private func run(_ step: PlannedStep, _ flow: inout ScenarioFlow) async -> Outcome {
        if let lacking = flow.lacking(step) {
            if !step.isCleanup { rehearsal?.note(lacking.problem, at: step.place) }
            return step.isCleanup ? .notJudged("left out: \(lacking.reason)") : .unsendable(lacking.problem)
        }
        do throws(Obstacle) {
            guard let loop = step.definition.loop else {
                let scope = scope(flow)
                if let reason = try await reasonToPassOver(step, scope) { return .notJudged(reason) }
                let run = await call(step, scope, flow)
                flow.take(run, of: step)
                return run.outcome
            }
            return try await run(step, for: loop, &flow)
        } catch {
            return Outcome(error)
        }
    }

    private func run(_ step: PlannedStep, for loop: StepLoop, _ flow: inout ScenarioFlow) async throws(Obstacle)
        -> Outcome
    {
        let elements = try await elements(of: loop, step, flow)
        // In a rehearsal, a loop that lacks elements leaves its captures unknown, too.
        guard let elements, rehearsal == nil || !elements.isEmpty || loop.mayBeEmpty else {
            let scope = scope(flow, ofAwaited: loop, of: step)
            _ = try await reasonToPassOver(step, scope)
            let run = await call(step, scope, flow)
            flow.take(run, of: step)
            return run.outcome
        }
        guard !elements.isEmpty else {
            if !loop.mayBeEmpty {
                return Outcome(
                    failed: ExpectationFailure(
                        "forEach", expected: "at least one element", actual: "an empty list", at: loop.place))
            }
            flow.takeNone(of: step)
            return .notJudged("the list of \"forEach\" is empty")
        }
        var outcomes: [Outcome] = []
        for (index, element) in elements.enumerated() {
            if halt.isSet, !step.isCleanup { outcomes.append(Outcome(.notRun)) }
            if Task.isCancelled { outcomes.append(Outcome(.notRun)) }
            if outcomes.last?.verdict == .notRun { break }
            var outcome: Outcome
            do throws(Obstacle) {
                let scope = scope(flow, element: element, index: index, of: loop)
                if rehearsal == nil { try checkMembers(of: element, step, loop) }
                if let reason = try await reasonToPassOver(step, scope) {
                    outcome = .notJudged(reason)
                } else {
                    let run = await call(step, scope, flow)
                    flow.take(run, of: step, inLoop: true)
                    outcome = run.outcome
                }
            } catch {
                outcome = Outcome(error)
            }
            // A loop without any request is noted once, as any other step.
            if outcomes.contains(where: { $0.attempts > 0 }) { noteUnsent(step, outcome) }
            outcomes.append(outcome.naming(element: index, of: elements.count))
            if !step.isCleanup, ![.passed, .notJudged].contains(outcome.verdict) { break }
        }
        return Outcome(joining: outcomes)
    }

    /// The first condition that is not met, which is the reason to skip the step; nil if all are met.
    private func reasonToPassOver(_ step: PlannedStep, _ scope: Call) async throws(Obstacle) -> Wording? {
        for condition in step.conditions {
            var scope = scope
            let filled = try await fill([condition.value], &scope, needsAll: true, at: step.place)
            let value: OrderedJSON? = if case .known(let values) = filled { values.first ?? nil } else { nil }
            if rehearsal == nil, value == nil {
                throw .problem(
                    Failure(
                        .broken, code: .valueUnresolved,
                        "the condition of \"if\" cannot be checked: \(own: condition.value.shown) has no value",
                        at: condition.value.place))
            }
            // A rehearsal passes over no step, so that it finds the problems of all.
            guard let expectation = try await self.filled(condition.expectation, &scope, at: step.place), let value,
                rehearsal == nil
            else { continue }
            let response = ReceivedResponse(status: 200, body: ReceivedBody(Array(value.compact.utf8)))
            guard let failure = expectation.failures(of: response, redactor: secrets.redactor).first else {
                continue
            }
            return
                "skipped: \(own: condition.value.shown) is \(failure.wordings.actual), not \(failure.wordings.expected)"
        }
        return nil
    }

    /// The elements of a loop. Nil in a rehearsal, if they are not known yet.
    private func elements(
        of loop: StepLoop, _ step: PlannedStep, _ flow: ScenarioFlow
    ) async throws(Obstacle) -> [OrderedJSON]? {
        if let elements = step.elements { return elements }
        guard case .values(let template) = loop.list else { return [] }
        var scope = scope(flow)
        guard case .known(let filled) = try await fill([template], &scope, needsAll: true, at: step.place) else {
            return nil
        }
        guard case .array(let elements)? = filled.first ?? nil else {
            try obstruct(
                Failure(
                    .broken, code: .valueInvalid, "\"forEach\" takes a list; \(template.source.compact) is not a list",
                    at: loop.place), at: loop.place)
            return nil
        }
        guard elements.count <= StepLoop.mostElements else {
            try obstruct(
                Failure(
                    .broken, code: .valueSize,
                    "\"forEach\" takes at most \(StepLoop.mostElements) elements; found \(elements.count)",
                    at: loop.place), at: loop.place)
            return nil
        }
        return elements
    }

    private func checkMembers(of element: OrderedJSON, _ step: PlannedStep, _ loop: StepLoop) throws(Obstacle) {
        for placeholder in step.definition.placeholders {
            guard case .capture(loop.item, let name) = placeholder.value, element.members?[name] == nil else {
                continue
            }
            throw .problem(
                Failure(
                    .broken, code: .valueUnresolved,
                    "\"{{\(loop.item).\(name)}}\" has no value: the element has no \"\(name)\"",
                    at: placeholder.place))
        }
    }

    // MARK: A call

    private func call(_ step: PlannedStep, _ scope: Call, _ flow: ScenarioFlow) async -> StepRun {
        let parameters: [CaseParameter]
        let awaited: Set<String>
        do throws(Obstacle) {
            var scope = scope
            (parameters, awaited) = try await given(
                step.definition.parameters, to: step.endpoint, &scope, at: step.place
            ) { $0.argument(for: $1) }
            if rehearsal != nil { try await fillRest(of: step, scope) }
        } catch {
            return StepRun(outcome: Outcome(error))
        }
        var checkedCall = CheckedCall(
            endpoint: step.endpoint, parameters: parameters, expectation: step.poll?.until ?? step.expectation,
            captures: step.captures, snapshot: nil, place: step.place)
        checkedCall.awaited = awaited
        checkedCall.occasion = "\(scope.occasion) \(flow.each.name(of: step))"
        checkedCall.step = StepScope(
            flow: flow.each.id, call: scope,
            expectsInScope: step.poll != nil || step.hasOwnExpectation, met: flow.met(by: step),
            awaited: flow.awaited(by: step), secretNames: flow.secretNames(of: step), earlier: flow.calls,
            cookieSources: flow.cookies(for: step),
            passesOnCookies: flow.passesOnCookies)
        checkedCall.outlivesRun = step.isCleanup
        checkedCall.isOfLoad = observer != nil
        let call = checkedCall
        let work = { @Sendable [self] in
            step.poll == nil ? await perform(call) : await poll(call, step, scope)
        }
        let result = step.isCleanup || rehearsal != nil ? await work() : await scenarios.step(work)
        var run = StepRun(outcome: result.outcome)
        run.captured = result.captured.values
        run.identity = result.identity
        run.cookies = result.cookies
        let missing = zip(result.captured.missing, result.captured.problems).first { step.wanted.contains($0.0.name) }
        if run.outcome.verdict == .passed, run.outcome.stub?.mustFail != true, let (capture, problem) = missing {
            run.outcome.verdict = .failed
            run.outcome.failures = [
                ExpectationFailure(
                    "capture \(own: capture.name)", expected: "a value",
                    actual: [capture.found, problem.advice].compactMap(\.self).joined(separator: "; "),
                    at: problem.place ?? step.place)
            ]
        }
        if run.outcome.attempts > 0 {
            var noted = result
            noted.outcome = run.outcome
            observer?.note(step, origin + run.outcome.started, noted)
        }
        return run
    }

    /// Fills the expectations that are judged only after a poll, to find their problems.
    private func fillRest(of step: PlannedStep, _ scope: Call) async throws(Obstacle) {
        var scope = scope
        guard let poll = step.poll else { return }
        _ = try await filled(poll.giveUp, &scope, at: step.place)
        if step.hasOwnExpectation { _ = try await filled(step.expectation, &scope, at: step.place) }
    }

    // MARK: The scope of templates

    /// A call with the params and captures of the scenario, from which the step's templates get their values.
    private func scope(_ flow: ScenarioFlow) -> Call { scope(flow, flow.each.scenario.scope, []) }

    private func scope(_ flow: ScenarioFlow, element: OrderedJSON, index: Int, of loop: StepLoop) -> Call {
        var call = scope(
            flow, flow.each.scenario.scope(with: loop),
            [
                ParameterArgument(name: loop.item, value: element),
                ParameterArgument(name: Placeholder.index, value: .int(index)),
            ])
        call.occasion += " \(index)"
        if let members = element.members { call.captures[loop.item] = members }
        return call
    }

    /// The scope of a loop whose elements are not known yet.
    private func scope(_ flow: ScenarioFlow, ofAwaited loop: StepLoop, of step: PlannedStep) -> Call {
        var call = scope(flow, flow.each.scenario.scope(with: loop), [])
        call.awaited.parameters = [loop.item, Placeholder.index]
        call.awaited.captures[loop.item] = step.definition.members(of: loop.item)
        return call
    }

    private func scope(_ flow: ScenarioFlow, _ endpoint: LocatedEndpoint, _ arguments: [ParameterArgument]) -> Call {
        var call = caller.call(endpoint)
        call.occasion = flow.each.occasion ?? flow.each.id
        call.arguments = flow.each.parameters.compactMap(\.readyArgument) + arguments
        call.captures = flow.captured
        call.awaited.captures = flow.awaited
        call.secretCaptures = flow.secrets
        call.redactor = secrets.redactor
        return call
    }
}

extension OrderedJSON {
    /// The members of an object by name; nil for any other value.
    var members: [String: OrderedJSON]? {
        guard case .object(let members) = self else { return nil }
        return Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// The value for a param. A string for a number or a boolean is converted.
    func argument(for parameter: Parameter?) -> ParameterArgument.Source {
        if case .string(let text) = self, let kind = parameter?.kind, [.integer, .number, .boolean].contains(kind) {
            return .text(text)
        }
        return .value(self)
    }
}

extension ValueTemplate {
    /// The placeholder without its braces or, if the template is not a single placeholder, the template as written.
    fileprivate var shown: String {
        if case .text(let text) = self, let placeholder = text.onlyPlaceholder { return placeholder.value.text }
        return source.compact
    }
}

extension ScenarioStep {
    /// The names of the members of a loop's element that the step uses.
    fileprivate func members(of item: String) -> Set<String> {
        Set(placeholders.compactMap { if case .capture(item, let name) = $0.value { name } else { nil } })
    }
}

extension LocatedScenario {
    /// The scope with the element of a loop and its position as params.
    func scope(with loop: StepLoop) -> LocatedEndpoint {
        var element = Parameter()
        element.kind = .json
        return scope.taking(
            scope.parameters + [loop.item, Placeholder.index].map { Named($0, at: loop.place, element) })
    }
}
