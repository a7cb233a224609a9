import Calling
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// Runs flows: a scenario with its steps, or a case, which is a single step. Makes the calls that they require, each once for all
/// flows.
final class FlowRunner: Sendable {
    let plan: CheckPlan
    let options: RunOptions
    let caller: Caller
    let clock: WorldClock
    /// The time at which the run began.
    let origin: Duration
    let secrets: SecretBook
    let dependencies: DependencyRuns
    let slots: Slots
    let halt: Halt
    let scenarios: ScenarioTasks
    /// The problems found, if calls are only made and not sent; nil in a run.
    let rehearsal: Rehearsal?
    /// Measures the calls of steps in a load; nil in any other run.
    let observer: StepObserver?

    init(_ plan: CheckPlan, _ options: RunOptions, _ caller: Caller, _ clock: WorldClock) {
        self.plan = plan
        self.options = options
        self.caller = caller
        self.clock = clock
        origin = clock.elapsed()
        slots = Slots(options.jobs, clock)
        dependencies = DependencyRuns(forgetsFailures: options.user != nil)
        (secrets, halt, scenarios, rehearsal, observer) = (SecretBook(), Halt(), ScenarioTasks(), nil, nil)
    }

    /// A runner for a part of another runner's work.
    private init(
        of other: FlowRunner, secrets: SecretBook? = nil, rehearsal: Rehearsal? = nil, observer: StepObserver? = nil
    ) {
        (plan, options, caller, clock, origin) = (other.plan, other.options, other.caller, other.clock, other.origin)
        (dependencies, slots, halt, scenarios) = (other.dependencies, other.slots, other.halt, other.scenarios)
        self.secrets = secrets ?? other.secrets
        self.rehearsal = rehearsal ?? other.rehearsal
        self.observer = observer ?? other.observer
    }

    /// The same runner, which makes its calls without sending them.
    func rehearsing(_ rehearsal: Rehearsal) -> FlowRunner { FlowRunner(of: self, rehearsal: rehearsal) }

    /// The same runner with a copy of the secrets. Secrets that it meets are not added to those of this runner.
    var withOwnSecrets: FlowRunner { FlowRunner(of: self, secrets: secrets.copy) }

    /// The same runner, whose steps are measured.
    func observed(by observer: StepObserver) -> FlowRunner { FlowRunner(of: self, observer: observer) }

    func run(_ flow: Flow) async -> CaseResult { await FlowRunner(of: self, secrets: secrets.ofFlow).runFlow(flow) }

    private func runFlow(_ flow: Flow) async -> CaseResult {
        switch flow {
        case .check(let each): await run(each)
        case .scenario(let each): rehearsal == nil ? await scenarios.run { [self] in await run(each) } : await run(each)
        }
    }

    private func run(_ each: CheckCase) async -> CaseResult {
        let outcome = each.probe == nil ? await outcome(of: each) : await outcome(ofProbe: each)
        let result = CaseResult(
            number: each.number, id: each.id, endpointID: each.endpoint.id, checkName: each.checkName,
            row: each.row?.number, summary: each.summary, tags: each.tags, place: each.place, probe: each.probe,
            outcome: outcome)
        return options.failsOnFlaky ? result.failingIfFlaky() : result
    }

    private func outcome(of each: CheckCase) async -> Outcome {
        if let problem = each.problem { return .unsendable(problem) }
        if rehearsal != nil { return await perform(each.checkedCall).outcome }
        guard let key = sharedKey(of: each) else { return await perform(each.checkedCall).outcome }
        // Reports list this call as a required call if other cases require the endpoint, or if the case is called only for its
        // probes.
        let isListed = plan.dependencies[each.endpoint.id] != nil || plan.bases[each.endpoint.id]?.isSelected == false
        return await dependencies.generation(key) { [self] in
            isListed ? await perform(each.checkedCall, noting: key, number: $0) : await perform(each.checkedCall)
        }.checkedCall.outcome
    }

    /// The outcome of a probe. The probe is sent only after the case that it changes has passed.
    private func outcome(ofProbe each: CheckCase) async -> Outcome {
        guard let base = plan.bases[each.endpoint.id] else {
            return .notJudged("the endpoint has no case that the probe could change")
        }
        let outcome = await outcome(of: base.each)
        switch outcome.verdict {
        case .passed: return await perform(each.checkedCall).outcome
        case .notRun: return Outcome(.notRun)
        case .failed, .error, .blocked, .notJudged:
            // If the case is part of the run, reports show its reasons there.
            let reasons: Wording = base.isSelected ? "" : ": \(outcome.reasons.joined(separator: "; "))"
            return .notJudged("\(own: base.each.id) did not pass\(reasons)")
        }
    }

    /// The key by which a case runs only once, for a case that other cases or probes wait for; nil for other cases.
    private func sharedKey(of each: CheckCase) -> CallIdentity? {
        guard each.checkName == nil,
            plan.dependencies[each.endpoint.id] != nil || plan.bases[each.endpoint.id] != nil
        else { return nil }
        return key(each.endpoint, each.parameters)
    }

    /// The snapshot of the case that makes the same call, in any shard. The call is made only once, so the required call's result
    /// is also the result of this case.
    func snapshot(ofCaseWith key: CallIdentity, _ endpoint: LocatedEndpoint) -> CaseSnapshot? {
        plan.all.first { $0.snapshot != nil && $0.endpoint.id == endpoint.id && sharedKey(of: $0) == key }?.snapshot
    }

    /// The identity of a call; nil if some of its params are not known yet.
    func key(_ endpoint: LocatedEndpoint, _ parameters: [CaseParameter]) -> CallIdentity? {
        let arguments = parameters.compactMap(\.readyArgument)
        return arguments.count == parameters.count ? CallIdentity(endpoint, arguments) : nil
    }

    /// Makes a required call and records its result for the reports.
    func perform(_ checkedCall: CheckedCall, noting key: CallIdentity, number: Int) async -> CheckedCallOutcome {
        var checkedCall = checkedCall
        if number > 0 { checkedCall.occasion += " refresh \(number)" }
        let result = await perform(checkedCall)
        if result.outcome.verdict != .notRun, options.listsRequired {
            dependencies.note(
                DependencyResult(
                    callWording: checkedCall.parameters.reduce(Wording(own: checkedCall.endpoint.id)) {
                        "\($0) \($1.shown)"
                    },
                    endpointID: checkedCall.endpoint.id, place: checkedCall.endpoint.definition.place,
                    isRefresh: number > 0,
                    outcome: result.outcome))
        }
        return result
    }
}

extension CheckCase {
    var checkedCall: CheckedCall {
        CheckedCall(
            endpoint: endpoint, parameters: parameters, expectation: expectation, captures: captures,
            snapshot: snapshot, place: row?.place ?? place, probe: probe,
            // A required call without a case has the values of the endpoint's own case.
            occasion: id == endpoint.id ? "" : id)
    }
}

/// Whether the run should stop.
final class Halt: Sendable {
    private let isOn = Mutex(false)

    var isSet: Bool { isOn.withLock { $0 } }

    func set() { isOn.withLock { $0 = true } }
}
