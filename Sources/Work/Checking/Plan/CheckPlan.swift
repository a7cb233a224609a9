package import ReqcliDefinitions
package import ReqcliText

/// The cases of a run and the calls that they require, determined before any request is sent.
package struct CheckPlan: Sendable {
    package struct Request: Sendable {
        package var selectors: [Selector]
        /// The selected cases to leave out.
        package var exclusions: [Selector]
        package var environment: String
        package var data: DataTable?
        package var shard: Shard?
        /// The durations by which the cases are distributed to the shards; nil to distribute them by the hashes of their ids.
        package var balance: Balance?
        /// The report of an earlier run. Only the cases that didn't pass in the earlier run are run.
        package var earlier: EarlierRun?
        /// The files of `--uses`, as messages show them: only cases that use one of them are run.
        package var usedFiles: Set<String>?
        /// Whether requests go to a server, so that they may change something there. Stubs change nothing.
        package var isLive: Bool
        /// Whether cases of endpoints without stub variants are left out, because each endpoint is to respond from its stubs.
        package var leavesOutStubless: Bool
        /// Whether flags may override what the files say about the requests.
        package var hasOverrides: Bool
        /// Whether endpoints are called to compare their stubs, even if nothing is expected of their responses.
        package var comparesStubs: Bool
        /// Whether endpoints are called even if nothing is expected of their responses. They must then respond with 2xx.
        package var callsAll = false
        /// Scenarios that are not in a file of scenarios, and that are run in addition to the selected ones.
        package var added: [LocatedScenario] = []
        /// The methods that are probed; nil without `--probe`.
        package var probing: Probing?
        /// The path of an API description. All selected cases without their own description are checked against it.
        package var description: String?

        package init(
            selectors: [Selector] = [], exclusions: [Selector] = [], environment: String, data: DataTable? = nil,
            shard: Shard? = nil, balance: Balance? = nil, earlier: EarlierRun? = nil, usedFiles: Set<String>? = nil,
            isLive: Bool = true, leavesOutStubless: Bool = false, hasOverrides: Bool = false,
            comparesStubs: Bool = false, probing: Probing? = nil, description: String? = nil
        ) {
            self.description = description
            self.selectors = selectors
            self.exclusions = exclusions
            self.environment = environment
            self.data = data
            self.shard = shard
            self.balance = balance
            self.earlier = earlier
            self.usedFiles = usedFiles
            self.isLive = isLive
            self.leavesOutStubless = leavesOutStubless
            self.hasOverrides = hasOverrides
            self.comparesStubs = comparesStubs
            self.probing = probing
        }
    }

    /// An endpoint that has to be called before other endpoints that require it.
    package struct Dependency: Sendable {
        package let endpoint: LocatedEndpoint
        let expectation: CompiledExpectation?
        let captures: CaptureReader
    }

    /// The case that the probes of an endpoint change.
    struct Base: Sendable {
        let each: CheckCase
        /// Whether this case is itself a case of the run, and not only called for its probes.
        let isSelected: Bool
    }

    package let environment: String
    /// The cases in the order of the files. For each endpoint, its own case is first, then its checks, then its probes, each
    /// with all rows of data.
    package let cases: [CheckCase]
    /// The scenarios in the order of the files, each with all rows of data.
    package var scenarios: [ScenarioCase] = []
    /// The endpoints that a case or a step requires, directly or indirectly, by their ids.
    package let dependencies: [String: Dependency]
    package let shard: Shard?
    /// The cases of all shards together.
    let all: [CheckCase]
    /// The scenarios of all shards together.
    var allScenarios: [ScenarioCase] = []
    /// The expected total duration of each shard by the timings of `--balance`; nil without it.
    package let loads: [Duration]?
    /// The ids of the endpoints of all selected cases and steps. Each shard has the same ids.
    package let selected: Set<String>
    /// The selected endpoints that have stubs to compare and can't be called.
    package let uncalled: [LocatedEndpoint]
    package let warnings: [Diagnostic]
    /// The cases that probes change, by the ids of their endpoints.
    var bases: [String: Base] = [:]
    /// The cases and probes that the run leaves out, with the reasons, as sentences.
    package var leftOut: [String] = []
}

/// The reasons why there is no plan: all problems together.
package struct PlanFailure: Error, Sendable {
    package let problems: [Failure]
    /// The errors that `validate` finds in the files of the run, whether or not they affect a case.
    package let errorsInFiles: [Diagnostic]
    /// The valid part of the plan; nil if the selected cases can't be planned. It is never run, only rehearsed, so that all
    /// problems are reported at once.
    package let rest: CheckPlan?
}

extension Failure {
    /// Joins all problems to one failure with the worst status. Each diagnostic is reported only once, even if two selectors lead
    /// to one broken file, or if a mistake is found both in the file and in the case.
    package init(joining problems: [Failure], errorsInFiles: [Diagnostic] = []) {
        var collector = DiagnosticCollector()
        for problem in problems { collector.add(contentsOf: problem.diagnostics) }
        collector.add(contentsOf: errorsInFiles)
        let statuses = problems.map(\.status) + (errorsInFiles.isEmpty ? [] : [.broken])
        self.init(ExitStatus.worst(of: statuses), collector.sorted)
    }
}

extension CheckPlan {
    package static func make(_ request: Request, from catalogue: Catalogue) throws(PlanFailure) -> CheckPlan {
        var planner = Planner(request, catalogue)
        let (selected, chosen) = planner.usingFiles(
            planner.selection(), planner.chosenScenarios + request.added.map(planner.whole))
        let selection = selected
        let compiled = selection.mapInParallel { CompiledExpectation.compile($0.expectation, catalogue.schemas) }
        var (all, flows) = planner.notPassed(
            in: zip(selection, compiled).flatMap { planner.cases(of: $0, $1) }, chosen.flatMap { planner.cases(of: $0) }
        )
        for index in all.indices { all[index].number = index + 1 }
        for index in flows.indices { flows[index].number = all.count + index + 1 }
        let steps = flows.flatMap(\.allSteps)
        planner.ownCases = Set(selection.filter { $0.check == nil && $0.probe == nil }.map(\.endpoint.id))
        let dependencies = planner.dependencies(of: selection.map(\.endpoint) + steps.map(\.endpointWithUnmetNeeds))
        planner.checkColumns(selection.map(\.endpoint) + chosen.map(\.scenario.scope))
        let (cases, scenarios, loads) = request.part(of: all, flows)
        planner.noteForeignTimings(of: all.map(\.id) + flows.map(\.id))
        let bases = planner.bases(of: cases)
        planner.checkFiles(
            of: selection.map(\.endpoint) + steps.map(\.endpoint) + dependencies.values.map(\.endpoint),
            by: chosen.map(\.scenario),
            assembled: request.hasOverrides ? [] : Set(cases.map(\.endpoint.id)))
        let plan = CheckPlan(
            environment: request.environment, cases: cases, scenarios: scenarios, dependencies: dependencies,
            shard: request.shard, all: all, allScenarios: flows, loads: loads,
            selected: Set(selection.map(\.endpoint.id) + steps.map(\.endpoint.id)),
            uncalled: planner.uncalled, warnings: catalogue.warnings + planner.warnings, bases: bases,
            leftOut: planner.leftOut)
        if planner.problems.isEmpty, planner.errorsInFiles.isEmpty { return plan }
        let isPlannable = planner.problems.allSatisfy { $0.status == .usage }
        throw PlanFailure(
            problems: planner.problems, errorsInFiles: planner.errorsInFiles, rest: isPlannable ? plan : nil)
    }

    package var flows: [Flow] { Self.flows(cases, scenarios) }

    static func flows(_ cases: [CheckCase], _ scenarios: [ScenarioCase]) -> [Flow] {
        cases.map { .check($0) } + scenarios.map { .scenario($0) }
    }

    /// The number of cases and scenarios in all shards together.
    package var selectedCount: Int { all.count + allScenarios.count }

    /// Whether the shard got none of the cases. An empty shard is not an error, but nothing is checked.
    package var isEmptyShard: Bool { cases.isEmpty && scenarios.isEmpty && selectedCount > 0 }
}

extension CheckPlan.Request {
    /// The cases and scenarios of the shard, with the expected duration of each shard. Without a shard, all cases and scenarios
    /// are returned.
    fileprivate func part(
        of all: [CheckCase], _ scenarios: [ScenarioCase]
    ) -> (cases: [CheckCase], scenarios: [ScenarioCase], loads: [Duration]?) {
        guard let shard else { return (all, scenarios, nil) }
        // The probes of an endpoint belong to the shard of the case that they change.
        let firstRow = data?.rows.first.map { "#\($0.number)" } ?? ""
        let units = all.map { $0.unit(firstRow: firstRow) }
        let flows = scenarios.map(\.id)
        let dealing = ShardAssignment(ids: all.map(\.id) + flows, units: units + flows, among: shard.count, by: balance)
        func own<Unit>(_ all: [Unit], _ parts: ArraySlice<Int>) -> [Unit] {
            zip(all, parts).filter { $1 == shard.index }.map(\.0)
        }
        return (
            own(all, dealing.parts.prefix(all.count)), own(scenarios, dealing.parts.dropFirst(all.count)), dealing.loads
        )
    }
}

extension Planner {
    /// Warns if the timings of `--balance` belong to other cases, because then they have no effect.
    fileprivate mutating func noteForeignTimings(of ids: [String]) {
        guard let balance = request.balance, !ids.isEmpty, !ids.contains(where: balance.knows) else {
            return
        }
        warnings.append(
            Diagnostic(
                .warning, code: .earlierReportInvalid,
                "\"\(balance.name)\" has no durations of these cases, so all cases count as equally long",
                at: nil,
                hint: "name a report of a run with these cases"))
    }
}

extension Diagnostic.Code {
    package static let nothingSelected: Self = "check.nothingSelected"
    package static let nothingProbed: Self = "check.nothingProbed"
    package static let nothingExpected: Self = "check.nothingExpected"
    package static let dataInvalid: Self = "data.invalid"
    package static let captureEmpty: Self = "capture.empty"
    package static let shardInvalid: Self = "check.shardInvalid"
    package static let reportInvalid: Self = "report.invalid"
    package static let reportUnwritable: Self = "report.unwritable"
}
