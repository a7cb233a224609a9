import Calling
import Checking
import CommandLineKit
import Exchange
import LoadTesting
import ReqcliAssembly
import ReqcliBasics
import ReqcliText

/// Runs a load, and shows it to a person: a line now and then while it runs, and the measurements at the end.
struct LoadShow {
    /// The time between two lines in a log.
    private static let interval = 10
    /// More logins are made only when they are needed.
    private static let mostLogins = 10_000

    private let plan: LoadPlan
    /// The number of threads that send requests; 0 for the thread of the program.
    private let threads: Int
    private let connections: ConnectionRules
    private let context: Context
    private let output: Output
    private let stream: Terminal.Stream

    /// - Parameter isOutputTaken: Whether a report goes to stdout, so that everything else goes to stderr.
    init(
        _ plan: LoadPlan, threads: Int, connections: ConnectionRules, _ context: Context, isOutputTaken: Bool
    ) {
        (self.plan, self.threads, self.connections, self.context) = (plan, threads, connections, context)
        output = isOutputTaken ? context.messages : context.output
        stream = isOutputTaken ? .error : .output
    }

    private var width: Int { context.terminal.isTerminal(stream) ? context.terminal.width() : 100 }

    /// The users of the load, logged in. Each endpoint has then been called once, and its response checked as `check` does.
    func readyUsers(_ cases: CheckPlan, _ caller: Caller) async throws(Failure) -> [LoadUser] {
        let users = (0..<plan.users).map { number in
            LoadUser(cases, number: number, most: plan.mostInFlight, caller: caller, clock: context.world.clock)
        }
        let rows = plan.actions.map(\.flows.count).max() ?? 1
        let logins = plan.logins(rows: rows, upTo: Self.mostLogins)
        // A part of the load leaves the users of the other parts alone.
        let first = logins.first ?? (user: 0, number: 0)
        let flows = plan.actions.map { $0.flows[first.number % $0.flows.count] }
        let failed = await flows.asyncMap { await users[first.user].check($0) }.filter { $0.verdict != .passed }
        if !failed.isEmpty {
            var report = HumanReport(ids: failed.map(\.id), width: width)
            for each in failed { output.write(report.text(of: each), inColour: context.isColoured(stream)) }
            throw Failure(
                ExitStatus.worst(of: failed.map(\.exitStatus)), code: .loadNotBegun,
                "the load did not begin, because the first call of \(failed.map(\.id).joined(separator: ", ")) did not pass"
            )
        }
        // The logins keep to the rate of the load, too. A row of data may have a login of its own.
        let pause = Duration.seconds(1 / max(plan.highestRate, 0.001))
        for (user, number) in logins {
            for action in plan.actions {
                let isNew = try await users[user].logIn(for: action.flows[number % action.flows.count])
                if isNew { try? await context.world.clock.sleep(min(pause, .seconds(60))) }
            }
        }
        return users
    }

    /// Runs until the end or until Ctrl-C. After Ctrl-C, responses are awaited for at most 10 s.
    func result(of users: [LoadUser], _ interruption: Interruption) async -> LoadResult {
        let isProgressing = context.terminal.isTerminal(.error) && context.variable("TERM") != "dumb"
        let isInterrupted = Mutex(false)
        let isQuiet = context.outputPreferences.isQuiet
        let lastLine = Mutex(0)
        let run = LoadRun(
            plan, users: users, threads: context.network.threads(threads, connections), clock: context.world.clock,
            sample: context.processorSample)
        var result = await interruption.givingUp(
            {
                isInterrupted.withLock { $0 = true }
                if isProgressing { context.messages.writeUnfiltered(HumanReport.erasing) }
                context.note("interrupted: waiting for responses for at most 10s; press Ctrl-C again to end at once")
            },
            during: {
                await run.result(isInterrupted: { isInterrupted.withLock(\.self) }) { [context] progress in
                    if isQuiet { return }
                    if isProgressing {
                        let line = TerminalText.truncated(
                            progress.line + progress.sparklines, to: context.terminal.width() - 1)
                        context.messages.writeUnfiltered(HumanReport.erasing)
                        context.messages.write(Styled(line, .dim), inColour: context.isColoured(.error))
                        return
                    }
                    let tens = Int(progress.time.components.seconds) / Self.interval
                    let isDue = lastLine.withLock { last in
                        defer { last = max(last, tens) }
                        return tens > last
                    }
                    if isDue { context.messages.write(progress.line + "\n") }
                }
            })
        if isProgressing { context.messages.writeUnfiltered(HumanReport.erasing) }
        if let signal = interruption.received { result.endOnInterruption = ExitStatus(signal: signal) }
        return result
    }

    func write(_ result: LoadResult) {
        if context.outputPreferences.isQuiet, result.exitStatus == .success { return }
        output.write(LoadSummary(result, width: width).text, inColour: context.isColoured(stream))
    }
}

extension Array where Element: Sendable {
    /// Transforms the elements one after the other.
    fileprivate func asyncMap<Result>(_ transform: (Element) async -> Result) async -> [Result] {
        var results: [Result] = []
        for element in self { results.append(await transform(element)) }
        return results
    }
}

extension Diagnostic.Code {
    static let loadNotBegun: Self = "load.notBegun"
}
