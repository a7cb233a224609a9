import ReqcliText

extension ScenarioDefinition: Walkable {
    package func walk(_ visit: (Mention) -> Void) {
        for parameter in parameters { parameter.value.walk(visit) }
        for step in all { step.walk(visit) }
    }
}

extension ScenarioStep: Walkable {
    package func walk(_ visit: (Mention) -> Void) {
        loop?.walk(visit)
        walkCall(visit)
    }

    /// Visits the mentions in the step's call, which may refer to an element of the loop.
    func walkCall(_ visit: (Mention) -> Void) {
        if let endpoint { visit(.endpoint(endpoint)) }
        parameters.walk(paramsOf: endpoint?.value, visit)
        for condition in conditions {
            condition.value?.walk(visit)
            condition.matchers.walk(visit)
        }
        for expectation in [expectation, poll?.until, poll?.giveUp].compactMap(\.self) { expectation.walk(visit) }
        for capture in captures { capture.value.walk(visit) }
    }

    /// The placeholders that may refer to an element of the loop.
    package var placeholdersOfCall: [Located<Placeholder>] { Mention.placeholders(walkCall) }
}

extension LoadDefinition: Walkable {
    package func walk(_ visit: (Mention) -> Void) {
        for entry in mix { entry.call.walk(visit) }
        if let data { visit(.file(TextTemplate(literal: data.value, at: data.place))) }
    }
}

extension StepLoop: Walkable {
    package func walk(_ visit: (Mention) -> Void) {
        switch list {
        case .values(let values): values.walk(visit)
        case .file(let path): visit(.file(TextTemplate(literal: path.value, at: path.place)))
        }
    }
}
