import Definitions
import SourceText

extension CheckPlan {
    /// Goes through everything that the plan is going to do, up to the sending: what can be known to be wrong with any case is
    /// known before the first request goes out. Only values that are captured on the way stay unknown.
    package func rehearse(with exchange: CheckExchange) async throws(PlanFailure) {
        let size = max(100, (cases.count + 3) / 4)
        let secrets = SecretBook()
        let starts = stride(from: 0, to: cases.count, by: size)
        let problems = await withTaskGroup(of: (Int, [CheckProblem]).self) { group in
            for start in starts {
                // Not where the caller runs: a command has one thread for itself.
                group.addTask(executorPreference: globalConcurrentExecutor) {
                    var rehearsal = Rehearsal(plan: self, exchange: exchange, secrets: secrets)
                    for each in cases[start..<min(start + size, cases.count)] { await rehearsal.rehearse(each) }
                    return (start, rehearsal.problems)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let ordered = problems.sorted { $0.0 < $1.0 }.flatMap(\.1)
        if !ordered.isEmpty { throw PlanFailure(problems: ordered.map { $0.redacted(secrets.redactor) }) }
    }

    /// The same for what one call needs, by alias.
    func rehearseNeeds(of call: CheckCall, with exchange: CheckExchange) async -> [(Named<Need>, [CheckProblem])] {
        var call = call
        call.awaitedCaptures = captures(for: call.endpoint) { _ in true }
        let secrets = SecretBook()
        var rehearsal = Rehearsal(plan: self, exchange: exchange, secrets: secrets)
        var result: [(Named<Need>, [CheckProblem])] = []
        for need in call.endpoint.needs { result.append((need, await rehearsal.problems(of: need, for: call))) }
        return result.map { need, problems in (need, problems.map { $0.redacted(secrets.redactor) }) }
    }
}

private struct Rehearsal {
    let plan: CheckPlan
    let exchange: CheckExchange
    private(set) var problems: [CheckProblem] = []
    private let secrets: SecretBook
    private var seen: Set<CheckCall.Identity> = []
    /// The calls that the case, or the one call, needs and that were not seen before.
    private var neededCount = 0

    init(plan: CheckPlan, exchange: CheckExchange, secrets: SecretBook) {
        self.plan = plan
        self.exchange = exchange
        self.secrets = secrets
    }

    mutating func rehearse(_ each: CheckCase) async {
        let place = each.row?.place ?? each.place
        neededCount = 0
        await rehearse(each.endpoint, each.parameters, each.expectation, at: place)
    }

    /// One call, and what it needs.
    ///
    /// - Parameter awaited: Params that it is given and whose values are yet to come.
    private mutating func rehearse(
        _ endpoint: LocatedEndpoint, _ parameters: [CaseParameter], awaiting awaited: Set<String> = [],
        _ expectation: CompiledExpectation?, at place: Place
    ) async {
        var call = CheckCall(endpoint: endpoint)
        call.awaitedCaptures = plan.captures(for: endpoint) { _ in true }
        call.awaitedParameters = awaited
        let scope = call
        for parameter in parameters {
            guard let template = parameter.waitingTemplate else {
                if let value = parameter.readyValue { call.add(parameter.name, value) }
                continue
            }
            switch await fill([template], scope, at: place) {
            case .filled(let values): if let value = values[0] { call.add(parameter.name, .json(value)) }
            // Nothing more is said about a param with whose value something is wrong.
            case .awaiting, .failed: call.awaitedParameters.insert(parameter.name)
            }
        }
        call.redactor = secrets.redactor
        for need in endpoint.needs { await rehearse(need, of: call) }
        if let expectation, case .filled(let values) = await fill(expectation.templates, call, .spoilAll, at: place) {
            do throws(CheckProblem) {
                _ = try expectation.filled(with: values, redactor: secrets.redactor)
            } catch {
                problems.append(error)
            }
        }
        if let problem = await exchange.rehearse(call) { problems.append(problem.placed(at: place)) }
    }

    /// Those of one need alone.
    mutating func problems(of need: Named<Need>, for call: CheckCall) async -> [CheckProblem] {
        problems = []
        await rehearse(need, of: call)
        return problems
    }

    private mutating func rehearse(_ need: Named<Need>, of call: CheckCall) async {
        guard let id = need.value.endpoint, let dependency = plan.dependencies[id.value] else { return }
        var parameters: [CaseParameter] = []
        var awaited: Set<String> = []
        for given in need.value.parameters {
            switch await fill([given.value], call, at: id.place) {
            case .filled(let values):
                guard let value = values[0] else { continue }
                let isSecret = dependency.endpoint.parameters[named: given.name]?.isSecret ?? false
                parameters.append(CaseParameter(name: given.name, value: .given(.json(value)), isSecret: isSecret))
            case .awaiting, .failed: awaited.insert(given.name)
            }
        }
        var needed = CheckCall(endpoint: dependency.endpoint)
        for parameter in parameters { if let value = parameter.readyValue { needed.add(parameter.name, value) } }
        guard neededCount <= Limits.neededCalls, seen.insert(needed.identity).inserted else { return }
        neededCount += 1
        guard neededCount <= Limits.neededCalls else {
            problems.append(
                CheckProblem(
                    .definitions, code: .needsCount,
                    "more than \(Limits.neededCalls) requests would be needed first: each of its own params is one",
                    at: id.place, hint: "let needs share their params"))
            return
        }
        await rehearse(
            dependency.endpoint, parameters, awaiting: awaited, dependency.expectation, at: id.place)
    }

    // MARK: Filling

    private enum Filling {
        case filled([OrderedJSON?])
        /// Some of it is made of values that are yet to come; nothing is wrong with the rest.
        case awaiting
        /// The problems are noted.
        case failed
    }

    private mutating func fill(
        _ templates: [ValueTemplate], _ call: CheckCall, _ gaps: CheckExchange.Gaps = .leftOut, at place: Place
    ) async -> Filling {
        if let literals = templates.literals { return .filled(literals) }
        let filled = await exchange.fill(templates, call, gaps)
        secrets.add(filled.secrets)
        switch filled.result {
        case .success(let values):
            return templates.flatMap(\.placeholders).contains { call.awaits($0.value) } ? .awaiting : .filled(values)
        case .failure(let problem):
            problems.append(problem.placed(at: place))
            return .failed
        }
    }
}

extension CheckPlan {
    /// The names of what the endpoints behind `needs` capture, by alias.
    func captures(
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

extension CheckCall {
    fileprivate func awaits(_ placeholder: Placeholder) -> Bool {
        switch placeholder {
        case .capture(let alias, _): awaitedCaptures[alias] != nil
        case .name(let name): awaitedParameters.contains(name)
        case .secret, .generated, .processVariable: false
        }
    }

    fileprivate mutating func add(_ name: String, _ value: CallValue) {
        parameters.append(Parameter(name: name, value: value))
    }
}

extension CheckProblem {
    /// What is wrong with a param's value is said where the value, or the case, stands.
    fileprivate func placed(at place: Place) -> CheckProblem {
        CheckProblem(
            meaning,
            diagnostics.map { diagnostic in
                guard diagnostic.code == .parameterInvalid, diagnostic.fileName == nil else { return diagnostic }
                return Diagnostic(
                    diagnostic.severity, code: diagnostic.code, diagnostic.message, at: place, hint: diagnostic.hint,
                    notes: diagnostic.notes)
            })
    }
}
