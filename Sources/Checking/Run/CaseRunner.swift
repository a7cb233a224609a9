import Definitions
import SourceText
import Synchronization

/// Runs single cases, and what they need.
struct CaseRunner: Sendable {
    let plan: CheckPlan
    let options: RunOptions
    let exchange: CheckExchange
    let clock: CheckClock
    /// When the run began.
    let origin: Duration
    let secrets = SecretBook()
    let dependencies = DependencyRuns()
    let slots: Slots
    let halt = Halt()

    init(_ plan: CheckPlan, _ options: RunOptions, _ exchange: CheckExchange, _ clock: CheckClock) {
        self.plan = plan
        self.options = options
        self.exchange = exchange
        self.clock = clock
        origin = clock.now()
        slots = Slots(options.jobs)
    }

    func run(_ each: CheckCase) async -> CaseResult {
        let trial = Trial(
            endpoint: each.endpoint, parameters: each.parameters, expectation: each.expectation,
            captures: each.captures)
        let outcome: Outcome
        if let key = sharedKey(of: each) {
            outcome = await dependencies.generation(key) { await perform(trial, noting: key, number: $0) }.trial.outcome
        } else {
            outcome = await perform(trial).outcome
        }
        return CaseResult(
            id: each.id, endpointID: each.endpoint.id, checkName: each.checkName, row: each.row?.number,
            summary: each.summary, tags: each.tags, place: each.place, outcome: outcome)
    }

    /// What others need runs once, whether or not it is a case as well.
    private func sharedKey(of each: CheckCase) -> CheckCall.Identity? {
        guard each.checkName == nil, plan.dependencies[each.endpoint.id] != nil else { return nil }
        return key(each.endpoint, each.parameters)
    }

    /// The identity of a call, unless it takes values that are yet to come.
    func key(_ endpoint: LocatedEndpoint, _ parameters: [CaseParameter]) -> CheckCall.Identity? {
        var call = CheckCall(endpoint: endpoint)
        for parameter in parameters {
            guard let value = parameter.readyValue else { return nil }
            call.parameters.append(CheckCall.Parameter(name: parameter.name, value: value))
        }
        return call.identity
    }

    /// Something that is needed: remembered for the reports.
    func perform(_ trial: Trial, noting key: CheckCall.Identity, number: Int) async -> TrialOutcome {
        let result = await perform(trial)
        if result.outcome.verdict != .notRun {
            dependencies.note(
                DependencyResult(
                    id: ([trial.endpoint.id] + trial.parameters.map(\.shown)).joined(separator: " "),
                    endpointID: trial.endpoint.id, place: trial.endpoint.definition.place, isRefresh: number > 0,
                    outcome: result.outcome))
        }
        return result
    }
}

extension CaseParameter {
    /// The value of a param that waits for nothing.
    var readyValue: CallValue? {
        switch value {
        case .given(let value): value
        case .example(let value): .json(value)
        case .template(let template): template.literal.map { .json($0) }
        }
    }
}

/// Whether a run has seen enough.
final class Halt: Sendable {
    private let isOn = Mutex(false)

    var isSet: Bool { isOn.withLock { $0 } }

    func set() { isOn.withLock { $0 = true } }
}
