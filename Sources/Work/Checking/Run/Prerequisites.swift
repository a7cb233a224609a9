package import Calling
package import ReqcliAssembly
package import ReqcliDefinitions
package import ReqcliText

/// The calls that a single endpoint requires, made outside of a check. For example, `send user.feed` logs in first.
package struct Prerequisites: Sendable {
    private let endpoint: LocatedEndpoint
    private let runner: FlowRunner

    /// Plans the required calls. Throws the same errors as `CheckPlan.prerequisites`.
    package init(
        of endpoint: LocatedEndpoint, from catalogue: Catalogue, environment: String, caller: Caller,
        clock: WorldClock
    ) throws(Failure) {
        self.endpoint = endpoint
        let plan = try CheckPlan.prerequisites(of: endpoint, from: catalogue, environment: environment)
        runner = FlowRunner(plan, RunOptions(jobs: .fixed(1)), caller, clock)
    }

    /// The names of the captures, by alias.
    package func captures(where isMeant: (Capture) -> Bool) -> [String: Set<String>] {
        runner.plan.captures(for: endpoint, where: isMeant)
    }

    /// The exchanges whose cookies the endpoint sends.
    package func cookieSources(_ captured: GatheredCaptures) -> [Int] { captured.cookieSources(for: endpoint) }

    /// Prepares all requests without sending them, so that mistakes are reported before the first one is sent.
    package func rehearse(for parameters: [ParameterArgument]) async throws(Failure) {
        var call = runner.caller.call(endpoint)
        call.arguments = parameters
        let problems = await runner.problemsWithNeeds(of: call).flatMap { need, problems in
            problems.map { $0.naming(need, of: endpoint) }
        }
        if !problems.isEmpty { throw Failure(joining: problems) }
    }

    /// Makes each required call once. The error says which call failed and why.
    package func captured(for parameters: [ParameterArgument]) async throws(Failure) -> GatheredCaptures {
        var call = runner.caller.call(endpoint)
        call.arguments = parameters
        return try await cancelling { () async throws(Obstacle) in try await runner.gather(call) }
    }

    /// Repeats the required calls whose captures have expired. The status of the response shows whether a capture has expired.
    /// Nil if no capture has expired.
    package func refreshed(
        _ captured: GatheredCaptures, for parameters: [ParameterArgument], on status: Int
    ) async throws(Failure) -> GatheredCaptures? {
        var call = runner.caller.call(endpoint)
        call.arguments = parameters
        call.captures = captured.values
        return try await cancelling { () async throws(Obstacle) in
            try await runner.refresh(captured, call, on: status)
        }
    }

    /// The tasks of required calls are not child tasks, so they are cancelled explicitly.
    private func cancelling<Value: Sendable>(
        _ work: () async throws(Obstacle) -> Value
    ) async throws(Failure) -> Value {
        let result = await withTaskCancellationHandler {
            do throws(Obstacle) {
                return Result<Value, Obstacle>.success(try await work())
            } catch {
                return .failure(error)
            }
        } onCancel: {
            runner.halt.set()
            runner.dependencies.cancelAll()
        }
        switch result {
        case .success(let value): return value
        case .failure(let obstacle): throw problem(obstacle)
        }
    }

    private func problem(_ obstacle: Obstacle) -> Failure {
        switch obstacle {
        case .problem(let problem): return problem.redacted(runner.secrets.redactor)
        case .stopped: return Failure(.interrupted, code: .needFailed, "interrupted")
        case .blocked(let blocker):
            let need = endpoint.needs.first { $0.value.endpoint?.value == blocker.id }
            let redactor = runner.secrets.redactor
            let end = blocker.isItselfBlocked ? "is blocked" : "failed"
            let diagnostic = Diagnostic(
                code: .needFailed, "\(own: endpoint.id) needs \(own: blocker.id), which \(own: end): \(blocker.reason)",
                at: need?.value.endpoint?.place, hint: blocker.hint)
            return Failure(
                blocker.refusedStatus.flatMap(ExitStatus.init(refusal:)) ?? blocker.exitStatus, [diagnostic],
                details: blocker.exchange?.redacted(redactor).excerpt ?? []
            ).redacted(redactor)
        }
    }
}

extension Failure {
    /// Names the required endpoint in problems without a place, because the user asked for another endpoint.
    fileprivate func naming(_ need: Named<Need>, of endpoint: LocatedEndpoint) -> Failure {
        guard let id = need.value.endpoint else { return self }
        return Failure(
            status,
            diagnostics.map { diagnostic in
                guard diagnostic.fileName == nil else { return diagnostic }
                return Diagnostic(
                    diagnostic.severity, code: diagnostic.code,
                    "\(own: endpoint.id) needs \(own: id.value), which can't be sent: \(diagnostic.wording)",
                    at: id.place, hint: diagnostic.advice, notes: diagnostic.notes)
            })
    }
}

extension CheckPlan {
    /// A plan of the calls that an endpoint requires, without cases. Throws all problems that are already known.
    package static func prerequisites(
        of endpoint: LocatedEndpoint, from catalogue: Catalogue, environment: String
    ) throws(Failure) -> CheckPlan {
        var planner = Planner(Request(environment: environment), catalogue)
        let dependencies = planner.dependencies(of: [endpoint])
        if !planner.problems.isEmpty { throw Failure(joining: planner.problems) }
        return CheckPlan(
            environment: environment, cases: [], dependencies: dependencies, shard: nil, all: [],
            loads: nil, selected: [], uncalled: [], warnings: planner.warnings)
    }
}

extension Catalogue {
    /// A catalogue of an endpoint and all endpoints that it requires. Other files are not read.
    package init(following endpoint: LocatedEndpoint, in workspace: Workspace) {
        var found = [endpoint]
        var broken: [BrokenFile] = []
        var warnings: [Diagnostic] = []
        var seen: Set = [endpoint.id]
        var search = EndpointSearch(workspace)
        var next = 0
        while next < found.count {
            for id in found[next].needs.compactMap(\.value.endpoint) where seen.insert(id.value).inserted {
                let listed = search.endpoint(id.value)
                switch listed.value {
                case .found(let endpoint):
                    found.append(endpoint)
                    warnings += listed.diagnostics
                case .broken: broken.append(BrokenFile(id: id.value, diagnostics: listed.diagnostics))
                case .missing(let missing):
                    let problem = Diagnostic(code: .endpointUnknown, missing.message, at: id.place, hint: missing.hint)
                    broken.append(BrokenFile(id: id.value, diagnostics: [problem]))
                }
            }
            next += 1
        }
        self.init(endpoints: found, broken: broken, warnings: warnings, schemas: workspace.schemas)
    }
}

extension Diagnostic.Code {
    package static let needFailed: Self = "need.failed"
}
