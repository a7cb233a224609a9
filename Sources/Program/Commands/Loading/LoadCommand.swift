import Calling
import Checking
package import CommandLineKit
import Foundation
import LoadTesting
import ReqcliAssembly
import ReqcliDefinitions
package import ReqcliText
@_spi(Generated) import RequestBuilding

/// Sends requests at a rate, and measures the responses.
package struct LoadCommand: Command {
    package static let spec = CommandSpec(
        "load", "Send many requests at a rate, and measure the responses",
        examples: [
            Example("200 requests a second, for half a minute", "reqcli load todos.get --rate 200/s --for 30s"),
            Example(
                "Fail if one in 20 takes 150 ms or longer",
                "reqcli load todos.get --rate 200/s --threshold 'p95 < 150ms'"),
            Example("Two endpoints, one called six times as often", "reqcli load todos.get=6 todos.list --rate 100/s"),
            Example("A rate that grows, and then stays", "reqcli load todos.get --stage 0..200/s:30s --stage 200/s:5m"),
            Example("50 users who wait for each response", "reqcli load todos.get --users 50 --think 1s..3s --for 1m"),
            Example("Params from a table", "reqcli load todos.get --rate 50/s --count 1000 --data ids.csv"),
            Example("In CI", "reqcli load todos.get --rate 50/s --report junit=load.xml"),
            Example("Show what would be sent", "reqcli load todos.get --rate 200/s --list"),
        ],
        arguments: ArgumentList(LoadOptions.mix),
        options: [
            LoadOptions.load, LoadOptions.verdict,
            OptionGroup("Environment", SharedOptions.environment, SendOptions.yes),
            RequestOptions.commonChanges, ConnectionOptions.manyCalls, RequestOptions.values,
        ],
        sections: [
            TextSection(
                "What is measured",
                """
                With a rate, each request has its time before the load begins. Its latency runs from this time to the last byte \
                of the response, so that waiting for a slow server counts. A response must meet "expect" of its endpoint, or have \
                a 2xx status. A request that fails is slower than any other. Needed endpoints, such as a login, run once for each \
                user before the load, and again if the server rejects what they captured. Requests are not retried, and have 30 s \
                unless a file or --timeout says otherwise.
                """),
            TextSection(
                "Conditions",
                """
                  p95 < 150ms            percentiles from p50 to p99.99; max and mean
                  errors < 0.1 %         the share of requests that failed; errors < 5: their number
                  rate >= 99 %           the share of planned requests that were sent; rate >= 50/s: their rate
                  todos.get: p95 < 50ms  only the requests of this endpoint

                Without a condition on errors, there must be none. With a rate, at least 99 % must be sent.
                """),
            TextSection(
                "A load that proves nothing",
                """
                The exit status is 2, whatever the conditions say, if more than 1 % of the requests of any 10 seconds began more \
                than 10 ms late, if this machine had too little processor time, descriptors or local ports, or if an endpoint was \
                never called.
                """),
            TextSection(
                "Other machines",
                """
                load asks before it sends to another machine, and before methods other than GET, HEAD, OPTIONS and TRACE. \
                Without "load" in the environment's policy, other machines get at most 50 requests a second, from 50 users, for \
                10 minutes. "policy": {"load": "500/s"} allows more, and false allows none.
                """),
        ],
        exitStatuses: [
            .success, .expectationFailed.meaning("a condition is not met, or the load was aborted"),
            .usage.meaning("wrong usage, or the load proves nothing"), .broken, .noAnswer, .timedOut,
            .refusedByPolicy, .outputFailed, .interrupted,
        ],
        essentials: ["env", "rate", "for", "count", "stage", "users", "threshold", "report", "list", "yes"],
        page: "reference/load.md")

    private let arguments: ParsedArguments
    private let reports: [RequestedReport<LoadReportKind>]

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        func invalid(_ message: String, hint: String? = nil) -> UsageError {
            UsageError([UsageError.Problem(message, hint: hint)], command: Self.spec.name)
        }
        let hasSchedule = arguments[LoadOptions.rate] != nil || !arguments[LoadOptions.stages].isEmpty
        if !hasSchedule, arguments[LoadOptions.users] == nil {
            throw invalid("load needs a rate or users", hint: "add --rate 10/s, or --users 10")
        }
        if hasSchedule, arguments[LoadOptions.count] != nil, arguments[LoadOptions.duration] != nil {
            throw invalid("--count and --for contradict each other", hint: "keep one of them")
        }
        let longest = DurationText.longest
        if let rate = arguments[LoadOptions.rate], let count = arguments[LoadOptions.count],
            Double(count) / rate.mean > longest.seconds
        {
            throw invalid(
                "\(count) requests at \(rate.text) last longer than \(longest.text)",
                hint: "send fewer, or at a higher rate")
        }
        if !hasSchedule, let users = arguments[LoadOptions.users], users > arguments[LoadOptions.inFlight] {
            throw invalid("\(users) users need as many requests under way", hint: "pass --in-flight \(users)")
        }
        let ids = arguments[LoadOptions.mix].map(\.id)
        if let twice = ids.first(where: { id in ids.count { $0 == id } > 1 }) {
            throw invalid("\(twice) is given twice", hint: "give it a weight: \(twice)=2")
        }
        let abouts = (arguments[LoadOptions.thresholds]).compactMap(\.action)
        if let unknown = abouts.first(where: { !ids.contains($0) }) {
            throw invalid(
                "--threshold is about \"\(unknown)\", which the load doesn't call",
                hint: "write it for \(Sentence.alternatives(ids)), or for all requests without a name")
        }
        do throws(Failure) {
            reports = try RequestedReport.parse(LoadOptions.requestedReports(arguments))
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
            if !hasBegun { ReportFiles.removeEarlier(reports, context) }
            throw error
        }
    }

    private func run(in context: Context, _ hasBegun: inout Bool) async throws(Failure) -> ExitStatus {
        let opened = try context.open(arguments)
        let environment = try context.environment(flag: arguments[SharedOptions.environment], in: opened)
        let workspace = opened.inside(environment)
        if !arguments[LoadOptions.list] { try context.refuseShortage() }
        var flags = RequestFlags(arguments, endpoint: "", parameters: [])
        let seed = context.seed(flags.chosen) ?? RandomSeed(from: context.world.random())
        flags.chosen.seed = seed
        let isStubbed = environment.stubs != nil || !arguments[StubChoice.optionOfMany].isEmpty
        let (cases, known) = try self.cases(of: Catalogue(of: workspace), environment, isStubbed: isStubbed, context)
        context.report(cases.warnings)
        let most = context.network.allowTransfers(arguments[LoadOptions.inFlight])
        let plan = try self.plan(of: cases, environment, LoadDice(seed: seed.text), isStubbed: isStubbed, most: most)
        if arguments[LoadOptions.list] {
            if let known { throw Failure(joining: known.problems, errorsInFiles: known.errorsInFiles) }
            context.output.write(plan.listing)
            return .success
        }
        let interruption = Interruption()
        let servers = LoadServers()
        let confirmation = context.confirmation(
            in: environment, isAgreed: arguments[SendOptions.yes], mayAsk: flags.mayAsk)
        let network = try context.caller(
            workspace, environment, flags, stubs: try StubChoice(arguments[StubChoice.optionOfMany], in: workspace),
            asked: cases.selected, confirmation: confirmation,
            session: try context.session(flags.session, isSending: true), standsInForSecrets: true,
            load: LoadRules(
                announce: servers.announce, refusal: servers.refusal,
                timeLimit: .seconds(30)))
        let files = ReportFiles(reports, in: workspace, context, interruption)
        let caller = network.caller.withoutRetries
        do throws(Failure) {
            let problems = (known?.problems ?? []) + files.problems + (await cases.rehearse(with: caller))
            let single = plan.actions.flatMap(\.cases).compactMap(\.problem)
            if known != nil || !problems.isEmpty || !single.isEmpty {
                throw Failure(joining: problems + single, errorsInFiles: known?.errorsInFiles ?? [])
            }
            let question = LoadQuestion(plan, servers, environment, isAgreed: arguments[SendOptions.yes], flags.mayAsk)
            let isAgreed = isStubbed ? false : try question.ask(context)
            if isAgreed { confirmation.agree() } else { try confirmation.ask() }
        } catch {
            files.abandon()
            throw error
        }
        if network.isInsecure { context.warnOfUncheckedCertificates(in: environment.name) }
        do throws(Failure) {
            let show = LoadShow(
                plan, threads: isStubbed ? 0 : arguments[LoadOptions.threads] ?? plan.usualThreads, context,
                isOutputTaken: reports.contains(where: \.isForStandardOutput))
            let users = try await show.readyUsers(cases, caller, interruption)
            hasBegun = true
            var result = await show.result(of: users, interruption)
            result.origin = RunOrigin(
                environment, in: workspace, baseURL: arguments[RequestOptions.baseURL], isStubbed: isStubbed, context)
            result.origin.seed = seed.text
            if network.isInsecure { result.warnings.append(Context.uncheckedCertificates(in: environment.name)) }
            show.write(result)
            leakUntilExit([plan, network, result])
            return try finish(result, files, context)
        } catch {
            files.abandon()
            throw error
        }
    }

    // MARK: The plan

    /// The cases of the endpoints, with a row of data each.
    private func cases(
        of catalogue: Catalogue, _ environment: EnvironmentChain, isStubbed: Bool, _ context: Context
    ) throws(Failure) -> (CheckPlan, PlanFailure?) {
        let mix = arguments[LoadOptions.mix]
        let data = try arguments[LoadOptions.data].map { (path) throws(Failure) in
            try context.rows(path, for: catalogue)
        }
        let whole = Set(mix.map(\.endpointID)).subtracting(mix.filter { $0.checkName != nil }.map(\.endpointID))
        let named = catalogue.endpoints.filter {
            whole.contains($0.id) && $0.definition.checks.contains { $0.name != nil }
        }
        var request = CheckPlan.Request(
            selectors: mix.map { Selector($0.id) }, exclusions: named.map { Selector("\($0.id)/*") },
            environment: environment.name, data: data, isLive: !isStubbed)
        request.callsAll = true
        do throws(PlanFailure) {
            return (try CheckPlan.make(request, from: catalogue), nil)
        } catch {
            guard let rest = error.rest, !error.problems.contains(where: { $0.status == .usage }) else {
                throw Failure(joining: error.problems, errorsInFiles: error.errorsInFiles)
            }
            return (rest, error)
        }
    }

    private func plan(
        of cases: CheckPlan, _ environment: EnvironmentChain, _ dice: LoadDice, isStubbed: Bool, most: Int
    ) throws(Failure) -> LoadPlan {
        let actions = try arguments[LoadOptions.mix].map { (mixed) throws(Failure) in
            let own = cases.cases.filter { $0.endpoint.id == mixed.endpointID && $0.checkName == mixed.checkName }
            if own.isEmpty {
                throw Failure(
                    .usage, code: .nothingSelected, "\"\(mixed.id)\" is not the id of an endpoint",
                    hint: "name each endpoint: a load calls no groups")
            }
            return LoadPlan.Action(id: mixed.id, weight: mixed.weight, cases: own)
        }
        let stages = self.stages
        let schedule = stages.isEmpty ? nil : Schedule(stages, dice: dice, isRandom: arguments[LoadOptions.poisson])
        let given = arguments[LoadOptions.thresholds]
        // A condition on the errors of one endpoint says nothing of the others.
        let aboutErrors = given.filter(\.isAboutErrors).map(\.action)
        let others = actions.map(\.id).filter { !aboutErrors.contains($0) }
        let noErrors =
            aboutErrors.isEmpty
            ? [Threshold.noErrors] : aboutErrors.contains(nil) ? [] : others.map(Threshold.noErrors(of:))
        let always = noErrors + (schedule == nil ? [] : [.fullRate])
        let abort = arguments[LoadOptions.abort]
        let users = arguments[LoadOptions.users] ?? 1
        return LoadPlan(
            environment: environment.name, actions: actions,
            pace: schedule.map { .schedule($0) } ?? .users(arguments[LoadOptions.duration] ?? usualLength),
            users: users,
            most: arguments[LoadOptions.count], think: arguments[LoadOptions.think], dice: dice,
            thresholds: isStubbed ? [] : given + always, abort: abort.isEmpty ? [.usualAbort] : abort,
            mostInFlight: most, isRehearsal: isStubbed)
    }

    /// The length of a load of users: without an end if the number of requests ends it.
    private var usualLength: Duration { arguments[LoadOptions.count] == nil ? .seconds(10) : DurationText.longest }

    private var stages: [Schedule.Stage] {
        guard let rate = arguments[LoadOptions.rate] else { return arguments[LoadOptions.stages] }
        if let count = arguments[LoadOptions.count] {
            return [Schedule.Stage(rate, for: .seconds(Double(count) / rate.mean))]
        }
        return [Schedule.Stage(rate, for: arguments[LoadOptions.duration] ?? .seconds(10))]
    }

    // MARK: After

    /// Writes every report, whatever the verdict and however the load ended.
    private func finish(
        _ result: LoadResult, _ files: ReportFiles<LoadReportKind>, _ context: Context
    ) throws(Failure) -> ExitStatus {
        let problems = files.write({ $0.kind.write(result, to: $1) })
        let findings = result.findings.map(\.diagnostic)
        if problems.isEmpty, findings.isEmpty { return result.exitStatus }
        throw Failure(
            ExitStatus.worst(of: [result.exitStatus] + problems.map(\.status)),
            problems.flatMap(\.diagnostics) + findings)
    }
}

extension Caller {
    /// A caller that sends each request once, because retries hide errors and delays.
    fileprivate var withoutRetries: Caller {
        var caller = self
        caller.call = { [call] endpoint in
            var call = call(endpoint)
            call.overrides.append(CommandLineOverride(.setting(.retryTimes, 0), flag: "load"))
            return call
        }
        return caller
    }
}

extension LoadPlan {
    /// The requests that would be sent, for `--list`.
    fileprivate var listing: String {
        let total = actions.reduce(0) { $0 + $1.weight }
        let rows = actions.map { action in
            let endpoint = action.cases[0].endpoint
            return [
                action.id, endpoint.method(in: environment), endpoint.definition.request.path?.set?.source ?? "",
                total == action.weight ? "" : "\(action.weight) of \(total)",
            ].map { TerminalText.harmless($0) }
        }
        let widths = rows[0].indices.map { column in rows.map { TerminalText.width(of: $0[column]) }.max() ?? 0 }
        let lines = rows.map { row in
            zip(row, widths).map { TerminalText.padded($0, to: $1) }.joined(separator: "  ")
        }
        let conditions = "conditions: \(thresholds.map(\.text).joined(separator: ", "))"
        return (lines.map(\.trimmingSpacesAtEnd) + [summary] + (thresholds.isEmpty ? [] : [conditions])).map {
            $0 + "\n"
        }.joined()
    }

    /// One thread makes 20,000 small requests a second at most, and fewer with conditions on the response. More threads than needed take
    /// 10 to 20 % more processor time.
    fileprivate var usualThreads: Int {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        return Int(min(Double(cores), max(1, (highestRate / 2_000).rounded(.up))))
    }

    /// The length, the rate and the users in one line.
    var summary: String {
        let count = expectedCount.map { "\(schedule?.isRandom == true ? "about " : "")\($0) requests" }
        let stages = schedule.map { schedule in
            schedule.stages.map { "\($0.rates.text) for \($0.length.text)" }.joined(separator: ", then ")
        }
        let length = schedule != nil || most != nil ? nil : "for \(self.length.text)"
        let logins = schedule == nil || users > 1 ? "\(users) user\(users == 1 ? "" : "s")" : nil
        return [count, stages, logins, length].compactMap(\.self).joined(separator: ", ")
    }
}

extension String {
    fileprivate var trimmingSpacesAtEnd: String {
        String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)])
    }
}
