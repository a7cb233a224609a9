import Calling
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// The value of a template, if it is known.
enum Filled<Value> {
    case known(Value)
    /// In a rehearsal only: some values are captured during the run, or there is a problem, which is noted.
    case awaited
}

extension FlowRunner {
    /// The values of templates. If all templates are literals, they are returned without calling `caller.fill`.
    func fill(
        _ templates: [ValueTemplate], _ call: inout Call, needsAll: Bool = false, at place: Place
    ) async throws(Obstacle) -> Filled<[OrderedJSON?]> {
        if let literals = templates.literals { return .known(literals) }
        // Another call may have passed a secret, and functions may make a value of it.
        call.redactor = secrets.redactor
        do throws(Failure) {
            let filled = try await caller.fill(templates, call, needsAll)
            secrets.add(filled.secrets.map(\.redacted))
            if rehearsal != nil, templates.flatMap(\.placeholders).contains(where: { call.awaits($0.value) }) {
                return .awaited
            }
            call.drawn = filled.drawn
            return .known(filled.values)
        } catch {
            try obstruct(error, at: place)
            return .awaited
        }
    }

    /// The values of templates, one by one. In a run they are filled together, since none is awaited.
    func fillEach(
        _ templates: [ValueTemplate], _ call: inout Call, at place: Place
    ) async throws(Obstacle) -> [Filled<OrderedJSON?>] {
        if rehearsal == nil, case .known(let values) = try await fill(templates, &call, at: place) {
            return values.map { .known($0) }
        }
        var result: [Filled<OrderedJSON?>] = []
        for template in templates {
            let filled = try await fill([template], &call, at: place)
            if case .known(let values) = filled { result.append(.known(values[0])) } else { result.append(.awaited) }
        }
        return result
    }

    /// The params that a need or a step gives to an endpoint, and the names of those whose values are awaited.
    func given(
        _ templates: [Named<ValueTemplate>], to endpoint: LocatedEndpoint, _ scope: inout Call, at place: Place,
        as source: (OrderedJSON, Parameter?) -> ParameterArgument.Source
    ) async throws(Obstacle) -> (parameters: [CaseParameter], awaited: Set<String>) {
        var parameters: [CaseParameter] = []
        var awaited: Set<String> = []
        for (given, filled) in zip(templates, try await fillEach(templates.map(\.value), &scope, at: place)) {
            let parameter = endpoint.parameters[named: given.name]
            switch filled {
            case .known(let value?):
                parameters.append(
                    CaseParameter(
                        name: given.name, value: .given(source(value, parameter)),
                        isSecret: parameter?.isSecret ?? false)
                )
            case .known(nil): break
            case .awaited: awaited.insert(given.name)
            }
        }
        return (parameters, awaited)
    }

    /// Ends a call because of a problem. A rehearsal notes the problem and goes on, so that it finds all problems.
    func obstruct(_ problem: Failure, at place: Place) throws(Obstacle) {
        guard let rehearsal else { throw .problem(problem) }
        rehearsal.note(problem, at: place)
    }
}

extension Call {
    fileprivate func awaits(_ placeholder: Placeholder) -> Bool {
        switch placeholder {
        case .capture(let alias, _): awaited.captures[alias] != nil
        case .name(let name): awaited.parameters.contains(name)
        case .secret, .generated, .processVariable, .computed: false
        }
    }
}
