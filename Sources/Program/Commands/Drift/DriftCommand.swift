import Calling
import Checking
package import CommandLineKit
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliJSONPath
import ReqcliMocking
import ReqcliRedaction
package import ReqcliText
import Shapes

/// Compares stubs with the responses of the real server.
package struct DriftCommand: Command {
    static let selectors = Selector.argument("The endpoints whose stubs are compared (default: all)")
    static let strict = Flag("strict", "Also fail on new members")
    static let update = Flag(
        "update",
        "Update the files of the stubs with the server's values, without secrets; the rest of each file stays unchanged"
    )

    static let json = SharedOptions.json("Print the findings as one JSON object")

    private static let comparison = OptionGroup("Comparison", strict, update, json, CheckOptions.maxBody)
    private static let running = OptionGroup(
        "Run", CheckOptions.exclude, CheckOptions.failed, CheckOptions.uses, CheckOptions.jobs, CheckOptions.data,
        CheckOptions.shard)

    package static let spec = CommandSpec(
        "drift", "Compare stubs with the server's responses",
        examples: [
            Example("All stubs", "reqcli drift --env staging"),
            Example("The stubs of a group", "reqcli drift user --env staging"),
            Example("Fail on new members, too", "reqcli drift --strict --env staging"),
            Example(
                "List the members that are gone",
                "reqcli drift --json | jq '.stubs[].findings[]? | select(.kind == \"gone\")'"),
            Example("Bring the stubs up to date", "reqcli drift user.get --update --env staging"),
        ],
        arguments: ArgumentList(selectors),
        options: [
            comparison, running,
            OptionGroup("Environment", SharedOptions.environment, SendOptions.yes),
            RequestOptions.commonChanges, ConnectionOptions.manyCalls, RequestOptions.values,
        ],
        sections: [
            Selector.section,
            TextSection(
                "What is compared",
                """
                drift calls endpoints as check does. It calls an endpoint without expectations only if its method changes \
                nothing. It compares each response with each stub variant that has a JSON body and the same status, by shape: \
                members, types, null and formats (UUID, date-time, date, email, URI, IP address). All elements of a list count \
                as one, and objects whose keys are ids or locales count as maps. A variant with "when" is compared only with \
                responses to requests that meet it, a variant without "when" with the other responses. A placeholder of a \
                variant with "fill" matches any value.
                """),
            TextSection(
                "What it finds",
                """
                  gone    the stub has a member, the response doesn't
                  type    the response has a type that the stub doesn't have
                  null    the response has null, the stub doesn't
                  format  the strings of the stub have a format, those of the response don't
                  new     the response has a member, the stub doesn't: a failure only with --strict
                """),
            TextSection(
                "In a variant",
                """
                  "drift": false                                         leaves the variant out
                  "drift": {"ignore": ["$.meta"], "maps": ["$.prices"]}  leaves out $.meta; the keys of $.prices are data
                """),
        ],
        exitStatuses: [
            .success, .expectationFailed.meaning("a stub differs from the server, or a needed endpoint failed"),
            .usage.meaning("wrong usage, or nothing was compared"), .broken, .noAnswer, .timedOut, .refusedByPolicy,
            .outputFailed.meaning("a file cannot be written"), .interrupted,
        ],
        essentials: ["env", "strict", "update", "json", "exclude", "jobs", "header"],
        page: "reference/drift.md")

    private let arguments: ParsedArguments

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
    }

    package func run(in context: Context) async throws(Failure) -> ExitStatus {
        let opened = try context.open(arguments)
        let environment = try context.environment(flag: arguments[SharedOptions.environment], in: opened)
        let workspace = opened.inside(environment)
        try refuseStubs(of: environment)
        try context.refuseShortage()
        let flags = RequestFlags(arguments, endpoint: "", parameters: [])
        let selection = CaseSelection(
            arguments: arguments, workspace: workspace, environment: environment, comparesStubs: true)
        let (plan, known) = try selection.plan(Catalogue(of: workspace), flags, context)
        context.report(plan.warnings)
        let confirmation = context.confirmation(
            in: environment, isAgreed: arguments[SendOptions.yes], mayAsk: flags.mayAsk)
        let network = try context.caller(
            workspace, environment, flags, stubs: try StubChoice([], in: workspace), asked: plan.selected,
            confirmation: confirmation, session: try context.session(flags.session, isSending: true),
            bodyLimit: arguments[CheckOptions.maxBody].bytes)
        let bodies = try workspace.stubBodies(of: plan)
        try await plan.rehearse(network.caller, knowing: known)
        try confirmation.ask()
        let answers = ServerResponses(of: plan.selected, try plan.conditionalStubs(workspace, environment, context))
        let result = await answers.result(of: plan, jobs: arguments[CheckOptions.jobs], network.caller, context)
        if network.isInsecure {
            context.warnOfUncheckedCertificates(in: environment.name)
        }
        return try finish(plan, bodies, answers, result, workspace, context)
    }

    private func refuseStubs(of environment: EnvironmentChain) throws(Failure) {
        guard environment.stubs != nil else { return }
        throw Failure(
            .usage, code: .nothingCompared,
            "drift compares stubs with a server, but the environment \(environment.name) responds from stubs",
            hint: "name another environment with --env")
    }

    private func finish(
        _ plan: CheckPlan, _ bodies: [String: [StubBody]], _ answers: ServerResponses, _ result: RunResult,
        _ workspace: Workspace, _ context: Context
    ) throws(Failure) -> ExitStatus {
        var rows: [DriftRow] = []
        for endpoint in plan.calledEndpoints {
            rows += try answers.rows(for: endpoint, bodies[endpoint.id] ?? [], result)
        }
        for endpoint in plan.uncalled {
            let method = endpoint.method(in: result.environment)
            rows.append(
                DriftRow(
                    endpoint: endpoint.id, label: endpoint.id,
                    outcome: .notCompared(
                        "\(method) may change something, and the endpoint has neither \"expect\" nor \"checks\""),
                    duration: nil))
        }
        if arguments[Self.update], !result.wasInterrupted { try StubUpdates(workspace, context).apply(to: &rows) }
        let report = DriftReport(rows: rows, environment: result.environment, isStrict: arguments[Self.strict])
        if arguments[Self.json] {
            context.output.write(report.json(wasInterrupted: result.wasInterrupted).pretty + "\n")
        } else {
            context.write(report.lines(width: context.outputWidth))
        }
        if result.wasInterrupted { return result.endOnInterruption }
        let unsent = result.cases.filter { $0.verdict == .error || $0.verdict == .blocked }.map(\.outcome.exitStatus)
        if !unsent.isEmpty || report.comparedCount > 0 {
            return ExitStatus.worst(of: unsent + [report.hasDrifted ? .expectationFailed : .success])
        }
        throw Failure(
            .usage, code: .nothingCompared, "nothing was compared",
            hint: "a stub is compared only if it has a JSON body and the same status as the server's response")
    }
}

extension CheckPlan {
    /// The stubs of the called endpoints that have variants for some requests only.
    fileprivate func conditionalStubs(
        _ workspace: Workspace, _ environment: EnvironmentChain, _ context: Context
    ) throws(Failure) -> [String: EndpointStubs] {
        var stubs: [String: EndpointStubs] = [:]
        for endpoint in calledEndpoints
        where endpoint.definition.stubs?.variants.contains(where: { $0.value.condition != nil }) == true {
            stubs[endpoint.id] = try EndpointStubs(
                endpoint, of: workspace, in: environment, world: context.world, version: Program.version, chosen: nil,
                rest: nil, ifUnknown: .broken)
        }
        return stubs
    }

    /// The endpoints that the plan's cases call, each once, in the order of the files.
    fileprivate var calledEndpoints: [LocatedEndpoint] {
        var seen: Set<String> = []
        return cases.map(\.endpoint).filter { seen.insert($0.id).inserted }
    }

    /// Before anything is sent, finds every problem that keeps a case from being sent.
    fileprivate func rehearse(_ caller: Caller, knowing known: PlanFailure?) async throws(Failure) {
        let problems = (known?.problems ?? []) + (await rehearse(with: caller))
        if known == nil, problems.isEmpty { return }
        throw Failure(joining: problems + cases.compactMap(\.problem), errorsInFiles: known?.errorsInFiles ?? [])
    }
}

extension Diagnostic.Code {
    static let nothingCompared: Self = "drift.nothingCompared"
}
