import Calling
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

extension Rehearsal {
    /// Rehearses all steps of a scenario. The values that steps capture during the run are not known yet.
    mutating func rehearse(_ each: ScenarioCase) async {
        if each.problem != nil { return }
        neededCount = 0
        var captures: [String: Set<String>] = [:]
        for step in each.allSteps {
            var scope = caller.call(each.scenario.scope)
            scope.arguments = each.parameters.compactMap(\.readyArgument)
            scope.awaited.captures = captures
            await rehearse(step, of: each, scope)
            if let name = step.definition.name { captures[name.value] = Set(step.captures.names) }
        }
    }

    private mutating func rehearse(_ step: PlannedStep, of each: ScenarioCase, _ scope: Call) async {
        guard let loop = step.definition.loop else { return await rehearse(once: step, of: each, scope) }
        let endpoint = each.scenario.scope(with: loop)
        guard let elements = await elements(of: loop, step, scope) else {
            var open = scope.with(endpoint, caller)
            open.awaited.parameters = [loop.item, Placeholder.index]
            open.awaited.captures[loop.item] = step.definition.members(of: loop.item)
            return await rehearse(once: step, of: each, open)
        }
        for (index, element) in elements.enumerated() {
            var known = scope.with(endpoint, caller)
            known.arguments += [
                ParameterArgument(name: loop.item, value: element),
                ParameterArgument(name: Placeholder.index, value: .int(index)),
            ]
            known.captures[loop.item] = element.members
            await rehearse(once: step, of: each, known)
        }
    }

    /// The elements of a loop. Nil if the elements are not known yet, or if the list is wrong; the problem is then reported.
    private mutating func elements(of loop: StepLoop, _ step: PlannedStep, _ scope: Call) async -> [OrderedJSON]? {
        if let elements = step.elements { return elements }
        guard case .values(let template) = loop.list,
            case .filled(let values) = await fill([template], scope, needsAll: true, at: step.place),
            case .array(let elements)? = values.first ?? nil
        else { return nil }
        return elements
    }

    private mutating func rehearse(once step: PlannedStep, of each: ScenarioCase, _ scope: Call) async {
        for condition in step.conditions {
            _ = await fill([condition.value], scope, at: step.place)
            await rehearse(condition.expectation, scope, at: step.place)
        }
        await rehearse(step.poll?.until, scope, at: step.place)
        await rehearse(step.poll?.giveUp, scope, at: step.place)
        if step.hasOwnExpectation { await rehearse(step.expectation, scope, at: step.place) }
        var parameters: [CaseParameter] = []
        var awaited: Set<String> = []
        for given in step.definition.parameters {
            switch await fill([given.value], scope, at: step.place) {
            case .filled(let values):
                guard let value = values[0] else { continue }
                let parameter = step.endpoint.parameters[named: given.name]
                parameters.append(
                    CaseParameter(
                        name: given.name, value: .given(value.argument(for: parameter)),
                        isSecret: parameter?.isSecret ?? false))
            case .awaiting, .failed: awaited.insert(given.name)
            }
        }
        let met = step.definition.needs.map { need in
            (need.name, scope.awaited.captures[need.value.value] ?? [])
        }
        await rehearse(
            step.endpoint, parameters, awaiting: awaited, step.hasOwnExpectation ? nil : step.expectation,
            at: step.place,
            met: Dictionary(met) { first, _ in first }, flow: each.id)
    }
}

extension Call {
    /// A copy of this call with another endpoint.
    fileprivate func with(_ endpoint: LocatedEndpoint, _ caller: Caller) -> Call {
        var call = caller.call(endpoint)
        call.arguments = arguments
        call.awaited = awaited
        return call
    }
}

extension ScenarioStep {
    /// The names of the members of a loop's element that the step uses.
    fileprivate func members(of item: String) -> Set<String> {
        Set(
            placeholders.compactMap {
                if case .capture(item, let name) = $0.value { name } else { nil }
            })
    }
}
