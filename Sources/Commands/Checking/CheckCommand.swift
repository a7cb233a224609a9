import Assembly
import Checking
package import CommandLineKit
import Definitions
import SourceText

/// Runs the expectations of many endpoints.
package struct CheckCommand: Command {
    package static let spec = CommandSpec(
        "check", "Check the responses of many endpoints",
        examples: [
            Example("All cases", "reqcli check"),
            Example("Some cases, in another environment", "reqcli check 'user.*' tag:smoke --env staging"),
            Example("Without a server", "reqcli check --stub"),
            Example("In CI", "reqcli check --report junit=report.xml --report github=-"),
            Example("Each case once per row of a table", "reqcli check todos.get --data ids.csv"),
            Example("Show what would run", "reqcli check --list"),
        ],
        arguments: ArgumentList(CheckOptions.selectors),
        options: [
            CheckOptions.running, CheckOptions.reporting,
            OptionGroup("Environment", SharedOptions.environment, SendOptions.loader, SendOptions.yes),
            RequestOptions.commonChanges, ConnectionOptions.manyCalls, RequestOptions.values,
        ],
        sections: [
            Selector.section,
            TextSection(
                "What is checked",
                """
                An endpoint's "expect" is one case, and each of its "checks" is another. Needed endpoints run first, once \
                each. The run fails if nothing is selected, a file has errors or a value can't be resolved.
                """),
        ],
        exitStatuses: [
            .success, .expectationFailed, .usage, .broken, .noAnswer, .timedOut,
            .refusedByPolicy, .outputFailed, .interrupted,
        ])

    private let arguments: ParsedArguments
    private let reports: [ReportRequest]

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        try ConnectionOptions.refuseContradictions(arguments)
        do throws(Failure) {
            reports = try ReportRequest.parse(arguments[CheckOptions.reports])
        } catch {
            throw UsageError(
                error.diagnostics.map { UsageError.Problem($0.message, hint: $0.hint) }, command: Self.spec.name)
        }
    }

    package func run(in context: Context) async throws(Failure) -> ExitStatus {
        let workspace = try context.open(WorkspaceChoice(arguments))
        let environment = try context.environment(flag: arguments[SharedOptions.environment], in: workspace)
        let catalogue = Catalogue(of: workspace)
        if !arguments[CheckOptions.list] { try context.refuseShortage() }
        let preparation = preparation(for: environment, context)
        let flags = RequestFlags(arguments, endpoint: "", parameters: [])
        let (plan, problems) = try plan(environment, catalogue, flags, context)
        context.tell(plan.warnings)
        if arguments[CheckOptions.list] {
            context.keepUntilTheEnd(plan)
            context.output.write(PlanListing.text(plan))
            return .success
        }
        let loader = try context.loader(flag: arguments[SendOptions.loader])
        try flags.refuseWhatFoundationCannot(loader)
        let interruption = Interruption()
        let confirmation = Confirmation(
            environment.name, context.terminal, isAgreed: arguments[SendOptions.yes], mayAsk: flags.mayAsk)
        let exchange = try CallExchange(
            context, workspace, environment, flags,
            stubs: try StubChoice(arguments[StubChoice.optionOfMany], in: workspace), asked: plan.selected,
            confirmation: confirmation, loader: loader,
            session: try context.session(flags.session, isSending: true),
            bodyLimit: arguments[CheckOptions.maxBody].bytes)
        let files = ReportFiles(reports, in: workspace, context, interruption)
        do throws(Failure) {
            try await rehearse(plan, exchange, files, problems)
            await preparation?.value
            try confirmation.ask()
        } catch {
            files.abandon()
            throw error
        }
        // Where it depends on values that are captured on the way, it is known at the end.
        let isKnownInsecure = exchange.isInsecure
        if isKnownInsecure { warnOfInsecurity(in: environment, context) }
        let result = await CheckShow(plan, reports, context).result(until: interruption) { tell in
            var result = await CheckRun(
                plan, options: options, exchange: exchange.exchange, clock: context.world.clock
            ).result(tell: tell)
            if exchange.isInsecure { result.warnings.append(Self.insecurity(in: environment)) }
            return result
        }
        if exchange.isInsecure, !isKnownInsecure { warnOfInsecurity(in: environment, context) }
        context.keepUntilTheEnd((plan, exchange, result))
        return try finish(result, files, context)
    }

    // MARK: Before

    /// Does what the first request would wait for, while the plan is made, which keeps one core busy. Nil where no request goes
    /// out.
    private func preparation(for environment: EnvironmentChain, _ context: Context) -> Task<Void, Never>? {
        if arguments[CheckOptions.list] || !arguments[StubChoice.optionOfMany].isEmpty || environment.stubs != nil {
            return nil
        }
        return Task(executorPreference: globalConcurrentExecutor) { context.network.prepare() }
    }

    /// The plan, and what is known to be wrong by now; with a plan of the rest there is more to be found out.
    private func plan(
        _ environment: EnvironmentChain, _ catalogue: Catalogue, _ flags: RequestFlags, _ context: Context
    ) throws(Failure) -> (CheckPlan, PlanFailure?) {
        let request = CheckPlan.Request(
            selectors: arguments[CheckOptions.selectors], environment: environment.name,
            data: try data(for: catalogue, context), shard: arguments[CheckOptions.shard],
            hasOverrides: flags.replaceFields)
        do throws(PlanFailure) {
            return (try CheckPlan.make(request, from: catalogue), nil)
        } catch {
            guard let rest = error.rest, !arguments[CheckOptions.list] else {
                throw Failure(joining: error.problems, errorsInFiles: error.errorsInFiles)
            }
            return (rest, error)
        }
    }

    private func data(for catalogue: Catalogue, _ context: Context) throws(Failure) -> DataTable? {
        guard let path = arguments[CheckOptions.data] else { return nil }
        let bytes: [UInt8]
        do throws(FileProblem) {
            bytes = path == "-" ? try context.world.standardInput() : try context.files.read(path, 1 << 26)
        } catch {
            throw Failure(.usage, code: .fileUnreadable, "\(path) can't be read: \(error.reason)")
        }
        var table = DataTable.read(SourceFile(name: path, bytes: bytes))
        if catalogue.mayTakeSecrets(from: table.value) {
            table = DataTable.read(SourceFile(name: path, bytes: bytes, isSecret: true))
        }
        guard let rows = table.value else { throw Failure(.usage, table.diagnostics) }
        context.tell(table.diagnostics)
        return rows
    }

    private var options: RunOptions {
        RunOptions(
            jobs: arguments[CheckOptions.jobs], failsFast: arguments[CheckOptions.failFast],
            retries: arguments[CheckOptions.retry], retryInterval: arguments[CheckOptions.retryInterval],
            recordsPassed: reports.contains { $0.kind.showsPassed })
    }

    /// Finds out before anything is sent what keeps a case from being sent, and tells it with what is known by now.
    private func rehearse(
        _ plan: CheckPlan, _ exchange: CallExchange, _ files: ReportFiles, _ known: PlanFailure?
    ) async throws(Failure) {
        let problems = (known?.problems ?? []) + files.problems + (await plan.rehearse(with: exchange.exchange))
        if known == nil, problems.isEmpty { return }
        throw Failure(joining: problems, errorsInFiles: known?.errorsInFiles ?? [])
    }

    private static func insecurity(in environment: EnvironmentChain) -> String {
        "certificates are not checked in \(environment.name): any server could answer"
    }

    private func warnOfInsecurity(in environment: EnvironmentChain, _ context: Context) {
        context.tell(
            .warning, code: .insecure, Self.insecurity(in: environment),
            hint: "leave out \"insecure\" or --insecure, and name the servers' authority with \"ca\" or --ca")
    }

    // MARK: After

    /// A verdict that nobody could read stands all the same.
    package static func statusIfUnwritten(_ status: ExitStatus) -> ExitStatus {
        ExitStatus.worst(of: [status, .outputFailed])
    }

    /// Every report is written, whatever the verdict and however the run ended.
    private func finish(
        _ result: RunResult, _ files: ReportFiles, _ context: Context
    ) throws(Failure) -> ExitStatus {
        let problems = files.write(result)
        if problems.isEmpty { return result.exitStatus }
        throw Failure(
            ExitStatus.worst(of: [result.exitStatus] + problems.map(\.status)), problems.flatMap(\.diagnostics))
    }
}
