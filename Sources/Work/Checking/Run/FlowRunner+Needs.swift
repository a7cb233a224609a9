import Calling
import ReqcliAssembly
import ReqcliDefinitions
package import ReqcliText

/// The captures of the calls that an endpoint requires, by alias and name. `numbers` says which run of each call has given them.
package struct GatheredCaptures: Sendable {
    package fileprivate(set) var values: [String: [String: OrderedJSON]] = [:]
    fileprivate var numbers: [String: Int] = [:]
    fileprivate var cookies: [String: Int] = [:]
    /// The aliases of required calls that are not sent, because steps of a scenario have made them.
    fileprivate var met: Set<String> = []

    /// The exchanges whose cookies the endpoint sends.
    func cookieSources(for endpoint: LocatedEndpoint) -> [Int] { endpoint.needs.compactMap { cookies[$0.name] } }
}

extension GatheredCaptures {
    fileprivate mutating func take(_ captures: [String: OrderedJSON], for need: Named<Need>) {
        values[need.name] = captures
        met.insert(need.name)
    }
}

extension LocatedEndpoint {
    /// Tells required calls with different params apart; see `Call.occasion`. Empty for the params of the endpoint's own case.
    fileprivate func occasion(of given: [CaseParameter]) -> String {
        let members = given.compactMap(\.readyArgument).compactMap { argument -> OrderedJSON.Member? in
            let parameter = parameters[named: argument.name]
            // A secret could be guessed from a random value.
            if parameter?.isSecret == true { return nil }
            let value = argument.source.asJSON
            if let parameter, parameter.isRequired, parameter.example?.value == value { return nil }
            return OrderedJSON.Member(argument.name, value)
        }
        return members.isEmpty ? "" : OrderedJSON.object(members.sorted { $0.name < $1.name }).compact
    }
}

extension ParameterArgument.Source {
    fileprivate var asJSON: OrderedJSON {
        switch self {
        case .text(let text): .string(text)
        case .file(let path): .string("@\(path)")
        case .value(let value): value
        }
    }
}

extension FlowRunner {
    /// The captures of the calls that a call requires. Makes those calls that have not been made before.
    ///
    /// - Parameter user: The checked call that the captures are for, if there is one.
    func gather(_ call: Call, for user: CheckedCall? = nil) async throws(Obstacle) -> GatheredCaptures {
        var gathered = GatheredCaptures()
        for need in call.endpoint.needs {
            if let met = user?.step?.met[need.name] {
                gathered.take(met, for: need)
            } else {
                try await run(need, for: call, user, into: &gathered, after: -1)
            }
        }
        return gathered
    }

    /// The problems with each call that a call requires, found without sending one.
    func problemsWithNeeds(of call: Call) async -> [(Named<Need>, [Failure])] {
        var call = call
        call.awaited.captures = plan.captures(for: call.endpoint) { _ in true }
        let rehearsal = Rehearsal()
        var result: [(Named<Need>, [Failure])] = []
        for need in call.endpoint.needs {
            var gathered = GatheredCaptures()
            try? await rehearsing(rehearsal).run(need, for: call, into: &gathered, after: -1)
            result.append((need, rehearsal.takeProblems().map { $0.redacted(secrets.redactor) }))
        }
        return result
    }

    /// Repeats the required calls whose captures have expired. The status of the response shows whether a capture has expired.
    /// Nil if no capture has expired.
    func refresh(_ gathered: GatheredCaptures, _ call: Call, on status: Int) async throws(Obstacle) -> GatheredCaptures?
    {
        let outdated = call.endpoint.needs.filter {
            $0.value.refreshOn.contains(status) && !gathered.met.contains($0.name)
        }
        if outdated.isEmpty { return nil }
        var refreshed = gathered
        for need in outdated {
            try await run(need, for: call, into: &refreshed, after: gathered.numbers[need.name] ?? -1, isRefresh: true)
        }
        return refreshed
    }

    private func run(
        _ need: Named<Need>, for call: Call, _ user: CheckedCall? = nil, into gathered: inout GatheredCaptures,
        after number: Int, isRefresh: Bool = false
    ) async throws(Obstacle) {
        let checkedCall = try await self.checkedCall(of: need, for: call)
        guard let key = key(checkedCall.endpoint, checkedCall.parameters) else { return }
        if let rehearsal {
            if rehearsal.isNew(key, at: checkedCall.place) { _ = await perform(checkedCall) }
            return
        }
        if let captures = user?.step?.earlier[key] { return gathered.take(captures, for: need) }
        let kept = kept(need, checkedCall, for: call)
        if isRefresh {
            kept?.remove()
        } else if let captures = kept?.load() {
            gathered.values[need.name] = captures
            secrets.add(checkedCall.captures.secrets(among: captures))
            return
        }
        var generation = await dependencies.generation(key, after: number) { [self] in
            await perform(checkedCall, noting: key, number: $0)
        }
        if generation.checkedCall.outcome.verdict == .notRun, user?.outlivesRun == true {
            var late = checkedCall
            late.outlivesRun = true
            generation = DependencyRuns.Generation(number: 0, checkedCall: await perform(late, noting: key, number: 0))
        }
        let captures = try captures(of: generation.checkedCall, checkedCall.endpoint.id)
        // Another flow with its own secrets may have made the call.
        secrets.add(checkedCall.captures.secrets(among: captures))
        kept?.save(captures, generation.checkedCall.cookies != nil)
        gathered.values[need.name] = captures
        gathered.numbers[need.name] = generation.number
        gathered.cookies[need.name] = generation.checkedCall.cookies
    }

    private func kept(_ need: Named<Need>, _ checkedCall: CheckedCall, for user: Call) -> KeptCaptures? {
        var call = caller.call(checkedCall.endpoint)
        call.arguments = checkedCall.parameters.compactMap(\.readyArgument)
        var user = user
        user.awaited.captures = plan.captures(for: user.endpoint) { _ in true }
        user.awaited.areNamed = true
        return caller.kept(need.value, call, user)
    }

    private func checkedCall(of need: Named<Need>, for call: Call) async throws(Obstacle) -> CheckedCall {
        guard let id = need.value.endpoint?.value, let dependency = plan.dependencies[id] else {
            // Planning has already checked that all required endpoints exist.
            throw .problem(
                Failure(
                    .broken, code: .endpointUnknown, "there is no endpoint for \"\(own: need.name)\"",
                    at: need.namePlace))
        }
        var scope = call
        let place = need.value.endpoint?.place ?? need.namePlace
        let (parameters, awaited) = try await given(
            need.value.parameters, to: dependency.endpoint, &scope, at: place
        ) { value, _ in .value(value) }
        let key = self.key(dependency.endpoint, parameters)
        var checkedCall = CheckedCall(
            endpoint: dependency.endpoint, parameters: parameters, expectation: dependency.expectation,
            captures: dependency.captures, snapshot: key.flatMap { snapshot(ofCaseWith: $0, dependency.endpoint) },
            place: place)
        checkedCall.awaited = awaited
        checkedCall.occasion = dependency.endpoint.occasion(of: parameters)
        if let user = options.user { checkedCall.occasion += " user \(user)" }
        return checkedCall
    }

    private func captures(of result: CheckedCallOutcome, _ id: String) throws(Obstacle) -> [String: OrderedJSON] {
        let outcome = result.outcome
        func blocked(_ reason: Wording, _ status: ExitStatus = .expectationFailed) -> Obstacle {
            .blocked(
                Blocker(
                    id: id, reason: reason,
                    hint: outcome.problem?.diagnostics.compactMap(\.advice).first ?? outcome.blocker?.hint,
                    exitStatus: status, isItselfBlocked: outcome.verdict == .blocked,
                    refusedStatus: outcome.refusedStatus, exchange: outcome.exchange ?? outcome.blocker?.exchange))
        }
        switch outcome.verdict {
        case .notJudged, .notRun: throw .stopped
        case .passed:
            if let stub = outcome.stub, stub.mustFail {
                throw blocked("its stub variant \"\(own: stub.name)\" has \"expect\": \"fail\"")
            }
            guard let problem = result.captured.problems.first else { return result.captured.values }
            throw blocked([problem.wording, problem.advice].compactMap(\.self).joined(separator: "; "))
        case .failed, .error, .blocked: throw blocked(outcome.reasons.joined(separator: "; "), outcome.exitStatus)
        }
    }
}
