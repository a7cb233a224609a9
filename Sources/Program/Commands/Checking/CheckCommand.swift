import Calling
import Checking
package import CommandLineKit
import ReqcliAssembly
import ReqcliDefinitions
package import ReqcliText

/// Runs the expectations of many endpoints.
package struct CheckCommand: Command {
    package static let spec = CommandSpec(
        "check", "Check the responses of many endpoints",
        examples: [
            Example("All cases", "reqcli check"),
            Example("Some cases, in another environment", "reqcli check 'user.*' tag:smoke --env staging"),
            Example("All cases except slow ones", "reqcli check --exclude tag:slow"),
            Example("One scenario, and only its first steps", "reqcli check scenario:checkout/pay"),
            Example("Without a server", "reqcli check --stub"),
            Example("Print only the cases that fail", "reqcli check --quiet"),
            Example("Run only the cases that failed before", "reqcli check --failed report.json"),
            Example("In CI", "reqcli check --report junit=report.xml --report github=-"),
            Example(
                "Run one part of the cases on each machine", "reqcli check --shard auto --report json=part.json"
            ),
            Example("Run each case once per row of a table", "reqcli check todos.get --data ids.csv"),
            Example("Check that the server rejects values that params forbid", "reqcli check --probe --env staging"),
            Example("Show what no check looks at, without a server", "reqcli check --mutate --min 80"),
            Example("Keep the run, to look into its failures elsewhere", "reqcli check --record run.reqcli"),
            Example("Check the kept responses again, without a server", "reqcli check --replay run.reqcli"),
            Example("Also compare responses with an OpenAPI description", "reqcli check --openapi openapi.yaml"),
            Example("Only the cases that use a file", "reqcli check --uses endpoints/user.json"),
            Example("Accept responses that differ from their snapshots", "reqcli check user --update-snapshots"),
            Example("Run again after each save", "reqcli check user --watch"),
            Example("Show what would run", "reqcli check --list"),
        ],
        arguments: ArgumentList(CheckOptions.selectors),
        options: [
            CheckOptions.running, MutationOptions.group, ReplayOptions.group, CheckOptions.reporting,
            OptionGroup("Environment", SharedOptions.environment, SendOptions.yes),
            RequestOptions.commonChanges, ConnectionOptions.manyCalls, RequestOptions.values,
        ],
        sections: [
            Selector.section,
            TextSection(
                "What is checked",
                """
                An endpoint's "expect" is one case, and each of its "checks" is another. Needed endpoints run first, once \
                each. The run fails if nothing is selected, a file has errors or a value can't be resolved. A request that may \
                change something (by its method, except GraphQL queries) is sent to a server only if its endpoint itself has \
                "expect" or "checks", or is selected by its id. Stubs get all requests.
                """),
            TextSection(
                "Scenarios",
                """
                A file below scenarios/ is a flow: its steps run in order until one of them fails. Its cleanup always runs. \
                Selectors:

                  scenario:checkout      one scenario; 'scenario:*' all of them
                  scenario:checkout/pay  only up to the step "pay", and then the cleanup
                  scenario:checkout#2    only with the second row of --data
                  tag:slow               cases and scenarios with this tag

                After Ctrl-C, a scenario has 10 s: at most 5 s for its current request, and the rest for its cleanup. A second \
                Ctrl-C ends the run at once.
                """),
            TextSection(
                "Several machines",
                """
                With --shard, each machine runs one part of the cases, and "reqcli report merge" merges the JSON reports of \
                all parts. --shard auto reads the part from REQCLI_SHARD_INDEX (from 0) and REQCLI_SHARD_COUNT, or from the \
                variables of GitLab, CircleCI, Buildkite, Bitbucket or Semaphore. In an indexed Job of Kubernetes, write \
                --shard auto/N. --balance needs the same report on all machines.
                """),
            TextSection(
                "Snapshots",
                """
                With "snapshot" in "expect", a response must match its snapshot in snapshots/. Snapshots are written only with \
                --update-snapshots, and only if the status and all other expectations are met. In a run of all cases, \
                --update-snapshots also removes snapshots without a case; --update-snapshots=new only writes missing \
                snapshots.
                """),
            TextSection(
                "Descriptions of APIs",
                """
                With "openapi" in "expect", or with --openapi for all cases, the status, Content-Type, headers and JSON body \
                of a response must match an operation of an OpenAPI 3.0, 3.1 or 3.2 description. The operation is found by \
                method and path, unless "operation" names it. At the end, check prints how many operations and documented \
                statuses the responses have covered.
                """),
            TextSection(
                "Probes",
                """
                If the case of an endpoint's own "expect" passes, --probe repeats its call with one param changed at a time. \
                Each change is a case, such as user.list/probe:limit=101. The server must reject these values with 4xx:

                  a value beyond "minimum", "maximum", "minLength" or "maxLength"
                  a fraction and abc for an integer, abc for a number or a boolean
                  a word that is not in "enum", a string that "pattern" doesn't match
                  a required query item, header, form field or JSON member that is left out

                The server must accept values at the limits, and the words of "enum". A 5xx fails the case; 401, 403 and \
                429 prove nothing. Only safe methods are probed, unless the environment has "policy": {"probe": true}. \
                "probe": false in a param or an endpoint excludes that param or endpoint.
                """),
        ],
        exitStatuses: [
            .success, .expectationFailed, .usage, .broken, .noAnswer, .timedOut,
            .refusedByPolicy, .outputFailed, .interrupted,
        ],
        essentials: ["env", "stub", "jobs", "report", "failed", "list", "verbose", "watch", "probe"],
        page: "reference/check.md")

    let arguments: ParsedArguments
    let reports: [ReportRequest]

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        do throws(Failure) {
            reports = try ReportRequest.parse(CheckOptions.requestedReports(arguments))
        } catch {
            throw UsageError(
                error.diagnostics.map { UsageError.Problem($0.message, hint: $0.hint) }, command: Self.spec.name)
        }
    }

    package func run(in context: Context) async throws(Failure) -> ExitStatus {
        var hasBegun = false
        do throws(Failure) {
            return try await run(in: context, &hasBegun)
        } catch {
            if !hasBegun {
                ReportFiles.removeEarlier(reports, context)
                if let path = arguments[ReplayOptions.record] { RunRecorder.removeEarlier(path, context) }
            }
            throw error
        }
    }

    /// - Parameter hasBegun: Set as soon as requests may be sent.
    private func run(in context: Context, _ hasBegun: inout Bool) async throws(Failure) -> ExitStatus {
        if let path = arguments[ReplayOptions.replay] { return try await replay(path, context) }
        let recorder = arguments[ReplayOptions.record].map { RunRecorder($0, context) }
        // The context in which definitions are read.
        let scene = recorder?.scene ?? context
        let opened = try scene.open(arguments)
        if arguments[Watching.flag] { return try watching(opened, context).run() }
        let environment = try context.environment(flag: arguments[SharedOptions.environment], in: opened)
        let workspace = opened.inside(environment)
        if arguments[CheckOptions.probe] { try refuseStubs(of: environment) }
        let catalogue = Catalogue(of: workspace, withScenarios: readsScenarios)
        if !arguments[CheckOptions.list] { try context.refuseShortage() }
        let preparation = preparation(for: environment, context)
        var flags = RequestFlags(arguments, endpoint: "", parameters: [])
        let seed = context.seed(flags.chosen) ?? RandomSeed(from: context.world.random())
        flags.chosen.seed = seed
        let selection = CaseSelection(
            arguments: arguments, workspace: workspace, environment: environment,
            isListing: arguments[CheckOptions.list], isProbing: arguments[CheckOptions.probe],
            description: arguments[CheckOptions.openAPI])
        let (plan, problems) = try selection.plan(catalogue, flags, scene)
        context.report(plan.warnings)
        if arguments[CheckOptions.list] {
            leakUntilExit([plan])
            context.output.write(PlanListing.text(plan))
            return .success
        }
        let interruption = Interruption()
        let confirmation = context.confirmation(
            in: environment, isAgreed: arguments[SendOptions.yes], mayAsk: flags.mayAsk)
        let network = try context.caller(
            workspace, environment, flags,
            stubs: try StubChoice(MutationOptions.stubs(arguments), in: workspace), asked: plan.selected,
            confirmation: confirmation,
            session: try context.session(flags.session, isSending: true),
            bodyLimit: arguments[CheckOptions.maxBody].bytes, standsInForSecrets: true)
        let judging = try flagsOfVerdicts(context)
        let files = ReportFiles(reports, in: workspace, context, interruption)
        let options: RunOptions
        let kept: FileSink?
        do throws(Failure) {
            try await rehearse(plan, network.caller, files, problems)
            await preparation?.value
            options = runOptions(for: plan, context)
            try confirmation.ask()
            kept = try recorder?.open(interruption)
        } catch {
            files.abandon()
            throw error
        }
        hasBegun = true
        let caller = recorder?.recording(network.caller) ?? network.caller
        if arguments[MutationOptions.mutate] { return try await mutate(plan, network, files, context) }
        // Whether certificates are checked may depend on values that are captured during the run. In this case, the answer is
        // known only at the end.
        let isKnownInsecure = network.isInsecure
        if isKnownInsecure { warnOfInsecurity(in: environment, context) }
        let snapshots = SnapshotFiles(
            workspace: workspace, context: context,
            owned: removesSnapshots ? Set(catalogue.endpoints.flatMap(\.snapshotNames)) : nil)
        let fingerprint =
            recorder != nil || reports.contains { $0.kind == .json }
            ? plan.fingerprint(in: environment, flags: judging) : nil
        let origin =
            reports.isEmpty && recorder == nil
            ? nil
            : RunOrigin(
                environment, in: workspace, baseURL: arguments[RequestOptions.baseURL],
                isStubbed: !MutationOptions.stubs(arguments).isEmpty, context)
        var result = await CheckShow(plan, reports, detail, context).result(until: interruption) { onEvent in
            var result = await CheckRun(
                plan, options: options, caller: caller, clock: context.world.clock
            ).result(onEvent: onEvent)
            result.plan = fingerprint
            if let origin { result.origin = origin }
            result.origin.seed = seed.used
            if network.isInsecure { result.warnings.append(Context.uncheckedCertificates(in: environment.name)) }
            snapshots.write(&result)
            return result
        }
        if network.isInsecure, !isKnownInsecure { warnOfInsecurity(in: environment, context) }
        if let hint = autoHint(result) { context.note(hint) }
        if let recorder, let kept,
            let problem = await recorder.write(kept, result, of: plan, arguments, in: workspace, seed: seed)
        {
            result.problems.append(problem)
        }
        leakUntilExit([plan, network, result])
        return try finish(result, files, context)
    }

    // MARK: Before

    /// The flags that can change the verdicts of the same cases: the stubs, and the content of an API description.
    private func flagsOfVerdicts(_ context: Context) throws(Failure) -> [[UInt8]] {
        let stubs = arguments[StubChoice.optionOfMany].map { Array("stub \($0 ?? "")".utf8) }
        guard let path = arguments[CheckOptions.openAPI] else { return stubs }
        return stubs + [Array("openapi".utf8), try context.read(path, upTo: 1 << 28, called: path)]
    }

    /// Whether scenarios may be selected. Otherwise no file below `scenarios/` is read.
    private var readsScenarios: Bool {
        let selectors = arguments[CheckOptions.selectors]
        return selectors.isEmpty || selectors.contains(where: \.mayBeScenario)
            || arguments[CheckOptions.exclude].contains(where: \.isScenario)
    }

    private func refuseStubs(of environment: EnvironmentChain) throws(Failure) {
        guard environment.stubs != nil else { return }
        throw Failure(
            .usage, code: .nothingProbed,
            "--probe needs a server, but the environment \(environment.name) responds from stubs",
            hint: "name another environment with --env")
    }

    private func watching(_ workspace: Workspace, _ context: Context) throws(Failure) -> Watching {
        let files = [CheckOptions.data, CheckOptions.failed, CheckOptions.balance, CheckOptions.openAPI].compactMap {
            arguments[$0]
        }
        let loops = readsScenarios ? workspace.filesOfLoops : []
        return try Watching(
            context, workspace, namedFiles: files + loops + arguments[RequestOptions.environmentFiles],
            hasCases: arguments[CheckOptions.failed] == nil)
    }

    /// Prepares the network while another core makes the plan, so that the first request needn't wait. Otherwise, `check` of 10
    /// cases takes 14 % longer. Nil if no request will be sent.
    private func preparation(for environment: EnvironmentChain, _ context: Context) -> Task<Void, Never>? {
        if arguments[CheckOptions.list] || !MutationOptions.stubs(arguments).isEmpty || environment.stubs != nil {
            return nil
        }
        return Task(executorPreference: globalConcurrentExecutor) { context.network.prepare() }
    }

    private func runOptions(for plan: CheckPlan, _ context: Context) -> RunOptions {
        RunOptions(
            jobs: arguments[CheckOptions.jobs], failsFast: arguments[CheckOptions.failFast],
            retries: arguments[CheckOptions.retry], retryInterval: arguments[CheckOptions.retryInterval],
            recordsPassed: detail == .exchanges || reports.contains { $0.kind.showsPassed },
            snapshots: snapshotUpdate, failsOnFlaky: arguments[CheckOptions.failOnFlaky],
            exchanges: exchangeKeeping(for: plan, context))
    }

    /// Only reports show requests and responses after the cases have ended.
    private func exchangeKeeping(for plan: CheckPlan, _ context: Context) -> ExchangeKeeping {
        if reports.isEmpty { return .nothing }
        if !ExchangeKeeping.needsFile(plan) { return .inMemory }
        do throws(FileProblem) {
            return .inFile(try ExchangeFile())
        } catch {
            context.note("the run keeps all responses in memory: \(error.reason)")
            return .inMemory
        }
    }

    /// A hint at `--jobs auto` after a long run in which requests have waited for each other; nil for other runs.
    private func autoHint(_ result: RunResult) -> String? {
        guard !arguments.isGiven(CheckOptions.jobs), !result.wasInterrupted, result.duration >= .seconds(10),
            result.meanParallelCases >= 3
        else { return nil }
        return
            "the run sent at most \(Jobs.usual.text) requests at a time; --jobs auto sends more, as long as the server keeps up"
    }

    private var snapshotUpdate: SnapshotUpdate? { arguments[CheckOptions.updateSnapshots].last.map { $0 ?? .all } }

    /// Whether the run includes all cases. Only such a run knows which snapshots have no case and can be removed.
    private var removesSnapshots: Bool {
        snapshotUpdate == .all && arguments[CheckOptions.selectors].isEmpty && arguments[CheckOptions.exclude].isEmpty
            && arguments[CheckOptions.failed] == nil && arguments[CheckOptions.uses].isEmpty
            && arguments[CheckOptions.shard] == nil
    }

    private var detail: HumanReport.Detail {
        if arguments[GlobalOptions.quiet] { return .failures }
        return arguments[CheckOptions.verbose] ? .exchanges : .cases
    }

    /// Finds every problem that keeps a case from being sent, before anything is sent. Reports them together with the known
    /// problems.
    private func rehearse(
        _ plan: CheckPlan, _ caller: Caller, _ files: ReportFiles<ReportKind>, _ known: PlanFailure?
    ) async throws(Failure) {
        let problems = (known?.problems ?? []) + files.problems + (await plan.rehearse(with: caller))
        if known == nil, problems.isEmpty { return }
        // Problems that stop only a single case are reported as well, so that the user sees all mistakes at once.
        let single = plan.flows.compactMap(\.problem)
        throw Failure(joining: problems + single, errorsInFiles: known?.errorsInFiles ?? [])
    }

    private func warnOfInsecurity(in environment: EnvironmentChain, _ context: Context) {
        context.warnOfUncheckedCertificates(
            in: environment.name,
            hint: "remove \"insecure\", and name the servers' certificate authority with \"ca\"")
    }

    // MARK: After

    /// The status of a run whose output couldn't be written: `status` or the status for failed output, whichever is worse.
    package static func statusIfUnwritten(_ status: ExitStatus) -> ExitStatus {
        ExitStatus.worst(of: [status, .outputFailed])
    }

    /// Writes every report, whatever the verdict and however the run ended.
    func finish(
        _ result: RunResult, _ files: ReportFiles<ReportKind>, _ context: Context
    ) throws(Failure) -> ExitStatus {
        let problems = result.problems + files.write(result)
        if problems.isEmpty { return result.exitStatus }
        throw Failure(
            ExitStatus.worst(of: [result.exitStatus] + problems.map(\.status)), problems.flatMap(\.diagnostics))
    }
}
