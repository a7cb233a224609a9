import Calling
import Checking
import CommandLineKit
import ReqcliAssembly
import ReqcliText

/// `check --mutate`.
enum MutationOptions {
    static let mutate = Flag(
        "mutate", "Change each stub's response in one point at a time, and show which changes no check notices")
    static let minimum = Option(
        "min", .integer("PERCENT", in: 0...100), "Fail if fewer changes than this are noticed")
    static let live = Flag("live", "With --mutate: change responses of the server, each requested once")

    static let group = OptionGroup("Changed responses", mutate, minimum, live).ruled(by: [
        .needs(minimum, mutate), .needs(live, mutate), .excludes(live, StubChoice.optionOfMany),
        .excludes(mutate, CheckOptions.list), .excludes(mutate, Watching.flag), .excludes(mutate, CheckOptions.probe),
        .excludes(mutate, CheckOptions.updateSnapshots), .excludes(mutate, CheckOptions.retry),
    ])

    /// The values of `--stub`. Without `--live`, each endpoint responds from its stubs.
    static func stubs(_ arguments: ParsedArguments) -> [String?] {
        let given = arguments[StubChoice.optionOfMany]
        return arguments[mutate] && !arguments[live] && given.isEmpty ? [nil] : given
    }
}

extension CheckCommand {
    /// Runs each case with changed responses, and reports which changes its checks did not notice.
    func mutate(
        _ plan: CheckPlan, _ network: NetworkCaller, _ files: ReportFiles<ReportKind>, _ context: Context
    ) async throws(Failure) -> ExitStatus {
        let (clock, began) = (context.world.clock, context.world.clock.elapsed())
        let startedAt = clock.date()
        let cases = await MutationRun(plan, caller: network.caller, clock: clock).result()
        let result = MutationResult(cases, minimum: arguments[MutationOptions.minimum])
        let run = result.run(of: plan, startedAt: startedAt, duration: clock.elapsed() - began)
        let problems = files.write { request, write in
            if request.kind == .json {
                write(result.record.pretty + "\n")
            } else {
                request.kind.report.write(run, to: write)
            }
        }
        let isTaken = reports.contains(where: \.isForStandardOutput)
        let output = isTaken ? context.messages : context.output
        if !arguments[GlobalOptions.quiet] || result.exitStatus != .success {
            output.write(.lines(result.lines), inColour: context.isColoured(isTaken ? .error : .output))
        }
        guard problems.isEmpty else {
            throw Failure(
                ExitStatus.worst(of: [result.exitStatus] + problems.map(\.status)), problems.flatMap(\.diagnostics))
        }
        return result.exitStatus
    }
}
