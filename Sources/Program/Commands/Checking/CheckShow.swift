import Checking
import CommandLineKit
import ReqcliBasics
import ReqcliText

/// Shows a run to a person while it is running: a line for each case, a progress line on a terminal, a summary.
struct CheckShow {
    private let plan: CheckPlan
    private let context: Context
    private let output: Output
    private let stream: Terminal.Stream
    private let detail: HumanReport.Detail

    init(_ plan: CheckPlan, _ reports: [ReportRequest], _ detail: HumanReport.Detail, _ context: Context) {
        self.plan = plan
        self.detail = detail
        self.context = context
        // Keeps stdout for the report, because a program reads it. Everything else goes to stderr.
        let isTaken = reports.contains(where: \.isForStandardOutput)
        output = isTaken ? context.messages : context.output
        stream = isTaken ? .error : .output
    }

    /// Runs until the end or until Ctrl-C. After Ctrl-C, the results so far are still shown.
    func result(
        until interruption: Interruption, of run: @escaping @Sendable ((RunEvent) -> Void) async -> RunResult
    ) async -> RunResult {
        let isTerminal = context.terminal.isTerminal(stream)
        // Without a terminal, a progress line could not be erased and would stay in the output.
        let isProgressing =
            detail != .failures && isTerminal && context.terminal.isTerminal(.error)
            && context.variable("TERM") != "dumb"
        let inColour = context.isColoured(stream)
        let report = Mutex(
            HumanReport(
                plan, width: isTerminal ? context.terminal.width() : 100,
                isForTerminal: isTerminal, detail: detail))
        // Runs the events on the executor of the command, which has a single thread.
        let executor = withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() }
        let task = Task(executorPreference: executor) { [output, context] in
            await run { event in
                switch event {
                case .ended(let each):
                    let text = report.withLock { $0.text(of: each) }
                    if isProgressing { output.writeUnfiltered(HumanReport.erasing) }
                    output.write(text, inColour: inColour)
                case .progress(let progress):
                    if isProgressing {
                        context.messages.writeUnfiltered(HumanReport.erasing)
                        context.messages.write(
                            report.withLock { $0.progress(progress) }, inColour: context.isColoured(.error))
                    }
                }
            }
        }
        var result = await interruption.givingUp(
            {
                task.cancel()
                guard !plan.scenarios.isEmpty else { return }
                if isProgressing { context.messages.writeUnfiltered(HumanReport.erasing) }
                context.note("interrupted: scenarios clean up for at most 10s; press Ctrl-C again to end at once")
            }, during: { await task.value })
        if let signal = interruption.received { result.endOnInterruption = ExitStatus(signal: signal) }
        if isProgressing { context.messages.writeUnfiltered(HumanReport.erasing) }
        output.write(report.withLock { $0.summary(of: result) }, inColour: inColour)
        return result
    }
}
