package import Calling
import ReqcliAssembly
package import ReqcliDefinitions
package import ReqcliText

extension CheckPlan {
    /// Prepares all requests of the plan without sending them, so that every mistake that can be found is reported
    /// before the first request. Only values captured during the run are unknown.
    package func rehearse(with caller: Caller) async -> [Failure] {
        // A probe changes the call of another case. That case is rehearsed even if it is not selected itself.
        let unlisted = bases.values.filter { !$0.isSelected }.map(\.each).sorted { $0.id < $1.id }
        let cases = cases.filter { $0.probe == nil } + unlisted
        let count = cases.count + scenarios.count
        let size = max(100, (count + 3) / 4)
        let secrets = SecretBook()
        let starts = stride(from: 0, to: count, by: size)
        let problems = await withTaskGroup(of: (Int, [Failure]).self) { group in
            for start in starts {
                // Don't use the caller's executor, because the executor of a command has only one thread. On one of two cores,
                // `check` of 1,000 cases takes 15 % longer.
                group.addTask(executorPreference: globalConcurrentExecutor) {
                    var rehearsal = Rehearsal(plan: self, caller: caller, secrets: secrets)
                    for index in start..<min(start + size, count) {
                        if index < cases.count {
                            await rehearsal.rehearse(cases[index])
                        } else {
                            await rehearsal.rehearse(scenarios[index - cases.count])
                        }
                    }
                    return (start, rehearsal.problems)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        return problems.sorted { $0.0 < $1.0 }.flatMap(\.1).map { $0.redacted(secrets.redactor) }
    }

    /// The problems with the calls that one call requires.
    func rehearseNeeds(of call: Call, with caller: Caller) async -> [(Named<Need>, [Failure])] {
        var call = call
        call.awaited.captures = captures(for: call.endpoint) { _ in true }
        let secrets = SecretBook()
        var rehearsal = Rehearsal(plan: self, caller: caller, secrets: secrets)
        var result: [(Named<Need>, [Failure])] = []
        for need in call.endpoint.needs { result.append((need, await rehearsal.problems(of: need, for: call))) }
        return result.map { need, problems in (need, problems.map { $0.redacted(secrets.redactor) }) }
    }
}

/// Makes the requests of a plan as far as that is possible before the first one is sent.
struct Rehearsal {
    let plan: CheckPlan
    let caller: Caller
    let secrets: SecretBook
    var problems: [Failure] = []
    var seen: Set<CallIdentity> = []
    /// The number of new calls that the current case or call requires.
    var neededCount = 0

    mutating func rehearse(_ each: CheckCase) async {
        if each.problem != nil { return }
        let place = each.row?.place ?? each.place
        neededCount = 0
        await rehearse(each.endpoint, each.parameters, each.expectation, at: place)
    }

    /// Rehearses one call and all calls that it requires.
    ///
    /// - Parameters:
    ///   - awaited: The params whose values are not known yet.
    ///   - met: The captures of steps that make required calls, by alias.
    ///   - flow: The id of the scenario, if the call is one of its steps.
    mutating func rehearse(
        _ endpoint: LocatedEndpoint, _ parameters: [CaseParameter], awaiting awaited: Set<String> = [],
        _ expectation: CompiledExpectation?, at place: Place, met: [String: Set<String>] = [:], flow: String? = nil
    ) async {
        var call = caller.call(endpoint)
        call.flow = flow
        call.awaited.captures = plan.captures(for: endpoint) { _ in true }.merging(met) { $1 }
        call.awaited.parameters = awaited
        let scope = call
        for parameter in parameters {
            guard let template = parameter.waitingTemplate else {
                call.arguments += [parameter.readyArgument].compactMap(\.self)
                continue
            }
            switch await fill([template], scope, at: place) {
            case .filled(let values):
                call.arguments += values.compactMap { $0 }.map { ParameterArgument(name: parameter.name, value: $0) }
            // Counts as not known yet after a failure, because the problem was already reported.
            case .awaiting, .failed: call.awaited.parameters.insert(parameter.name)
            }
        }
        call.redactor = secrets.redactor
        for need in endpoint.needs where met[need.name] == nil { await rehearse(need, of: call) }
        await rehearse(expectation, call, at: place)
        if let problem = await caller.rehearse(call, expectation?.terms ?? CallTerms()) {
            problems.append(problem.placed(at: place))
        }
    }

    /// Fills an expectation in the scope of a call.
    mutating func rehearse(_ expectation: CompiledExpectation?, _ call: Call, at place: Place) async {
        guard let expectation,
            case .filled(let values) = await fill(expectation.templates, call, needsAll: true, at: place)
        else { return }
        do throws(Failure) {
            _ = try expectation.filled(with: values, redactor: secrets.redactor)
        } catch {
            problems.append(error)
        }
    }

    /// The problems found when rehearsing a single required call.
    mutating func problems(of need: Named<Need>, for call: Call) async -> [Failure] {
        problems = []
        await rehearse(need, of: call)
        return problems
    }

    private mutating func rehearse(_ need: Named<Need>, of call: Call) async {
        guard let id = need.value.endpoint, let dependency = plan.dependencies[id.value] else { return }
        var parameters: [CaseParameter] = []
        var awaited: Set<String> = []
        for given in need.value.parameters {
            switch await fill([given.value], call, at: id.place) {
            case .filled(let values):
                guard let value = values[0] else { continue }
                let isSecret = dependency.endpoint.parameters[named: given.name]?.isSecret ?? false
                parameters.append(CaseParameter(name: given.name, value: .given(.value(value)), isSecret: isSecret))
            case .awaiting, .failed: awaited.insert(given.name)
            }
        }
        let identity = CallIdentity(dependency.endpoint, parameters.compactMap(\.readyArgument))
        guard neededCount <= Limits.neededCalls, seen.insert(identity).inserted else { return }
        neededCount += 1
        guard neededCount <= Limits.neededCalls else {
            problems.append(
                Failure(
                    .broken, code: .needsCount,
                    "more than \(Limits.neededCalls) requests would be needed first: needs with different params are separate requests",
                    at: id.place, hint: "use the same params for the needs"))
            return
        }
        await rehearse(
            dependency.endpoint, parameters, awaiting: awaited, dependency.expectation, at: id.place)
    }

    // MARK: Filling

    enum Filling {
        case filled([OrderedJSON?])
        /// Some values are not known yet; the others are valid.
        case awaiting
        /// There are problems, which were reported.
        case failed
    }

    mutating func fill(
        _ templates: [ValueTemplate], _ call: Call, needsAll: Bool = false, at place: Place
    ) async -> Filling {
        if let literals = templates.literals { return .filled(literals) }
        do throws(Failure) {
            let filled = try await caller.fill(templates, call, needsAll)
            secrets.add(filled.secrets.map(\.redacted))
            let isAwaiting = templates.flatMap(\.placeholders).contains { call.awaits($0.value) }
            return isAwaiting ? .awaiting : .filled(filled.values)
        } catch {
            problems.append(error.placed(at: place))
            return .failed
        }
    }
}

extension CheckPlan {
    /// The names of the captures of the calls that an endpoint requires, by alias.
    package func captures(
        for endpoint: LocatedEndpoint, where isMeant: (Capture) -> Bool
    ) -> [String: Set<String>] {
        var result: [String: Set<String>] = [:]
        for need in endpoint.needs {
            guard let id = need.value.endpoint?.value, let target = dependencies[id]?.endpoint else { continue }
            result[need.name] = Set(target.definition.captures.filter { isMeant($0.value) }.map(\.name))
        }
        return result
    }
}

extension Call {
    fileprivate func awaits(_ placeholder: Placeholder) -> Bool {
        switch placeholder {
        case .capture(let alias, _): awaited.captures[alias] != nil
        case .name(let name): awaited.parameters.contains(name)
        case .secret, .generated, .processVariable: false
        }
    }
}

extension Failure {
    /// A copy in which each problem has a place: a problem with a param's value is reported at the value or at the case.
    fileprivate func placed(at place: Place) -> Failure {
        Failure(
            status,
            diagnostics.map { diagnostic in
                guard diagnostic.code == .parameterInvalid, diagnostic.fileName == nil else { return diagnostic }
                return Diagnostic(
                    diagnostic.severity, code: diagnostic.code, diagnostic.message, at: place, hint: diagnostic.hint,
                    notes: diagnostic.notes)
            })
    }
}
