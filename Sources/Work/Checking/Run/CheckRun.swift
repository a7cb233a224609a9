package import Calling
package import ReqcliAssembly
import ReqcliRedaction

/// Runs a plan. Cases run in parallel, each required call is made once, and events are reported in order.
package struct CheckRun: Sendable {
    private let plan: CheckPlan
    private let options: RunOptions
    private let caller: Caller
    private let clock: WorldClock

    package init(
        _ plan: CheckPlan, options: RunOptions = RunOptions(), caller: Caller, clock: WorldClock
    ) {
        self.plan = plan
        self.options = options
        self.caller = caller
        self.clock = clock
    }

    /// Runs the whole plan. `onEvent` is never called concurrently. If the task is cancelled, the current requests of cases are
    /// cancelled, and cases that have not begun are `notRun`. Scenarios end their current request and clean up. The result is
    /// still complete.
    package func result(onEvent: (RunEvent) -> Void = { _ in }) async -> RunResult {
        let startedAt = clock.date()
        let runner = FlowRunner(plan, options, caller, clock)
        var (cases, exchanges) = await withTaskCancellationHandler {
            await run(runner, onEvent)
        } onCancel: {
            runner.halt.set()
            runner.dependencies.cancelAll()
            guard !plan.scenarios.isEmpty else { return }
            runner.scenarios.end(by: clock)
        }
        let redactor = runner.secrets.redactor
        for index in cases.indices { cases[index].redact(redactor) }
        exchanges?.redactor = redactor
        var result = RunResult(
            environment: plan.environment, shard: plan.shard, selectedCount: plan.selectedCount, cases: cases,
            exchanges: exchanges,
            dependencies: runner.dependencies.results.map { $0.redacted(redactor) }, startedAt: startedAt,
            duration: clock.elapsed() - runner.origin, wasInterrupted: Task.isCancelled,
            leftOut: plan.leftOut)
        (result.secrets, result.began) = (redactor.secrets, runner.origin)
        return result
    }

    /// The number of cases to begin at the same time. A case that waits for a required call occupies no slot, so more cases than
    /// jobs are begun. With one job, cases run one after the other in the order of the files.
    private func mostBegun(_ runner: FlowRunner) -> Int {
        let limit = runner.slots.limit
        return options.jobs == .fixed(1) || plan.dependencies.isEmpty ? limit : limit * 2
    }

    private func run(
        _ runner: FlowRunner, _ onEvent: (RunEvent) -> Void
    ) async -> ([CaseResult], FiledExchanges?) {
        let flows = plan.flows
        var board = RunProgressBoard(flows)
        var results: [CaseResult] = []
        results.reserveCapacity(flows.count)
        var exchanges: FiledExchanges? =
            if case .inFile(let file) = options.exchanges { FiledExchanges(file) } else { nil }
        await withTaskGroup(of: (Int, CaseResult).self) { group in
            begin(flows, &board, runner, &group)
            onEvent(.progress(board.progress))
            while let (index, result) = await group.next() {
                if options.failsFast, result.verdict != .passed, result.verdict != .notJudged { runner.halt.set() }
                let redactor = runner.secrets.redactor
                for next in board.end(index, result) {
                    var next = next.redacted(redactor)
                    onEvent(.ended(next))
                    exchanges?.take(from: &next)
                    if case .nothing = options.exchanges { next.dropExchanges() }
                    results.append(next)
                }
                begin(flows, &board, runner, &group)
                onEvent(.progress(board.progress))
            }
        }
        return (results, exchanges)
    }

    /// Begins as many cases as may run now.
    private func begin(
        _ flows: [Flow], _ board: inout RunProgressBoard, _ runner: FlowRunner,
        _ group: inout TaskGroup<(Int, CaseResult)>
    ) {
        while board.runningCount < mostBegun(runner), let index = board.begin() {
            let flow = flows[index]
            group.addTask { (index, await runner.run(flow)) }
        }
    }
}

/// The state of all cases: begun, ended, reported.
private struct RunProgressBoard {
    private let ids: [String]
    /// The turn of each case: a name that some cases share. Cases of one turn run one after the other, in order. Cases without a
    /// turn (nil) don't wait for each other.
    private let turns: [String?]
    /// The results of cases that have ended before an earlier case.
    private var ended: [Int: CaseResult] = [:]
    /// The next case to look at. All cases before it have begun or wait for their turn.
    private var next = 0
    /// The waiting cases, by turn. A turn has an entry only while one of its cases runs.
    private var waiting: [String: ArraySlice<Int>] = [:]
    /// Cases that have waited for their turn and may begin now.
    private var ready: [Int] = []
    private var running: [Int] = []
    private var reportedCount = 0
    private var doneCount = 0
    private var notPassed = 0

    init(_ flows: [Flow]) {
        ids = flows.map(\.id)
        turns = flows.map(\.turn)
    }

    var runningCount: Int { running.count }

    /// Begins the next case that doesn't have to wait for its turn, and returns its index; nil if there is none.
    mutating func begin() -> Int? {
        guard let index = ready.popLast() ?? nextWithoutWaiting() else { return nil }
        running.append(index)
        return index
    }

    private mutating func nextWithoutWaiting() -> Int? {
        while next < ids.count {
            defer { next += 1 }
            guard let turn = turns[next] else { return next }
            if waiting[turn] == nil {
                waiting[turn] = []
                return next
            }
            waiting[turn]?.append(next)
        }
        return nil
    }

    /// Records the result of a case. Returns the results that can now be reported in order.
    mutating func end(_ index: Int, _ result: CaseResult) -> [CaseResult] {
        ended[index] = result
        running.removeAll { $0 == index }
        if let turn = turns[index] {
            if let following = waiting[turn]?.popFirst() { ready.append(following) } else { waiting[turn] = nil }
        }
        doneCount += 1
        if result.verdict != .passed, result.verdict != .notJudged { notPassed += 1 }
        var ready: [CaseResult] = []
        while let result = ended.removeValue(forKey: reportedCount) {
            ready.append(result)
            reportedCount += 1
        }
        return ready
    }

    var progress: RunProgress {
        RunProgress(total: ids.count, done: doneCount, notPassed: notPassed, running: running, of: ids)
    }
}

/// Options for running a plan.
package struct RunOptions: Sendable {
    /// The maximum number of parallel requests.
    package var jobs: Jobs
    /// Whether no more cases are begun after the first case that doesn't pass.
    package var failsFast: Bool
    /// Whether a case that passes only on a later attempt counts as failed.
    package var failsOnFlaky: Bool
    /// The number of retries of a case that doesn't pass.
    package var retries: Int
    package var retryInterval: Duration
    /// Whether requests and responses of passed cases are recorded.
    package var recordsPassed: Bool
    package var exchanges: ExchangeKeeping
    /// The snapshots that the run may write; nil for none.
    package var snapshots: SnapshotUpdate?
    /// Whether the result lists the required calls. A load doesn't, because it may repeat them many times.
    var listsRequired = true
    /// The number of the user of a load, who has random values of their own; nil in a check.
    var user: Int?

    package init(
        jobs: Jobs = .usual, failsFast: Bool = false, retries: Int = 0, retryInterval: Duration = .seconds(1),
        recordsPassed: Bool = true, snapshots: SnapshotUpdate? = nil, failsOnFlaky: Bool = false,
        exchanges: ExchangeKeeping = .inMemory
    ) {
        self.exchanges = exchanges
        self.failsOnFlaky = failsOnFlaky
        self.snapshots = snapshots
        self.jobs = jobs
        self.failsFast = failsFast
        self.retries = max(0, retries)
        self.retryInterval = retryInterval
        self.recordsPassed = recordsPassed
    }
}
