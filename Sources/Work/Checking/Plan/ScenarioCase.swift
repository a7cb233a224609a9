package import ReqcliDefinitions
package import ReqcliText

/// A unit of a run with one result: a scenario with its steps, or a case, which is a single step.
package enum Flow: Sendable {
    case check(CheckCase)
    case scenario(ScenarioCase)

    package var id: String {
        switch self {
        case .check(let each): each.id
        case .scenario(let each): each.id
        }
    }

    /// The problem that keeps only this flow from being run.
    package var problem: Failure? {
        switch self {
        case .check(let each): each.problem
        case .scenario(let each): each.problem
        }
    }

    package var place: Place {
        switch self {
        case .check(let each): each.place
        case .scenario(let each): each.place
        }
    }

    /// The name that flows share that run one after the other; nil for a flow that waits for no other.
    var turn: String? { if case .check(let each) = self { each.turn } else { nil } }
}

/// A scenario of a run, for one row of data. Its steps are ready, except for values that are captured during the run.
package struct ScenarioCase: Sendable {
    /// The id, such as `scenario:checkout`, with `#2` for the second row of data.
    package let id: String
    /// The position among the cases and scenarios of all shards, from 1.
    package var number = 0
    package let scenario: LocatedScenario
    package let parameters: [CaseParameter]
    package let row: DataRow?
    /// Tells repetitions of a scenario apart in a load; nil in any other run. See `Call.occasion`.
    var occasion: String?
    /// The steps to run: all steps, or the steps up to the step that a selector names.
    package let steps: [PlannedStep]
    package let cleanup: [PlannedStep]
    /// The problem that keeps only this scenario from being run: a required param has no value.
    package let problem: Failure?

    package var allSteps: [PlannedStep] { steps + cleanup }

    package var place: Place { scenario.definition.place }

    /// A name that only this step has, and that it keeps when other steps are added.
    func name(of step: PlannedStep) -> String {
        guard step.isCleanup else { return step.label }
        let same = cleanup.filter { $0.label == step.label }
        return "cleanup \(step.label)#\(same.firstIndex { $0.place == step.place } ?? 0)"
    }
}

/// One step of a scenario, with its endpoint and everything that can be prepared without values.
///
/// A class, like ``StepScope``: functions that wait for a response keep copies of their structs, and a load waits for thousands.
package final class PlannedStep: Sendable {
    /// A condition of a step. If it is not met, the step is skipped.
    struct Condition: Sendable {
        let value: ValueTemplate
        let expectation: CompiledExpectation
    }

    struct Poll: Sendable {
        let definition: StepPoll
        let until: CompiledExpectation
        let giveUp: CompiledExpectation?
    }

    let definition: ScenarioStep
    package let endpoint: LocatedEndpoint
    package let isCleanup: Bool
    /// The step's own expectation, else the endpoint's; nil if neither has one.
    let expectation: CompiledExpectation?
    let captures: CaptureReader
    /// The captures that the step must make: captures that the step itself defines, and captures that other steps use.
    let wanted: Set<String>
    let conditions: [Condition]
    let poll: Poll?
    /// The elements of a loop over a file; nil for a step without such a loop.
    let elements: [OrderedJSON]?

    init(
        definition: ScenarioStep, endpoint: LocatedEndpoint, isCleanup: Bool, expectation: CompiledExpectation?,
        captures: CaptureReader, wanted: Set<String>, conditions: [Condition], poll: Poll?, elements: [OrderedJSON]?
    ) {
        (self.definition, self.endpoint, self.isCleanup, self.expectation) =
            (definition, endpoint, isCleanup, expectation)
        (self.captures, self.wanted, self.conditions, self.poll) = (captures, wanted, conditions, poll)
        self.elements = elements
    }

    package var label: String { definition.label }

    package var place: Place { definition.place }

    /// Whether the expectation takes its values from the scenario, and not from the endpoint's params.
    var hasOwnExpectation: Bool { definition.expectation != nil }

    /// The endpoint with only those entries of its `needs` that the step doesn't take from another step.
    var endpointWithUnmetNeeds: LocatedEndpoint {
        definition.needs.isEmpty ? endpoint : endpoint.needing { definition.needs[named: $0] == nil }
    }
}
