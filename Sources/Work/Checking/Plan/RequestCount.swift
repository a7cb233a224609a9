import ReqcliDefinitions

/// The most requests of an arrival of a load, as far as the files tell.
package struct RequestCount: Sendable, Equatable {
    package fileprivate(set) var ofArrival = 1
    /// The requests between two waits of a user: those of the longest step, and those that clean up.
    package fileprivate(set) var betweenWaits = 1
    /// Whether all are counted. The elements of a list that another step captures are not known.
    package fileprivate(set) var areKnown = true

    package init() {}
}

extension CheckPlan {
    /// The requests of a flow: each element of `forEach` and each repetition of `poll` is one, and so are required calls that may be
    /// made again for an arrival.
    package func requests(of flow: Flow) -> RequestCount {
        var count = RequestCount()
        switch flow {
        case .check(let each):
            count.ofArrival = requests(of: each.endpoint)
            count.betweenWaits = count.ofArrival
        case .scenario(let each):
            let steps = each.steps.map { requests(of: $0, &count) }
            let cleanup = each.cleanup.reduce(0) { $0 + requests(of: $1, &count) }
            count.ofArrival = steps.reduce(cleanup, +)
            count.betweenWaits = (steps.max() ?? 0) + cleanup
        }
        return count
    }

    private func requests(of step: PlannedStep, _ count: inout RequestCount) -> Int {
        var number = requests(of: step.endpointWithUnmetNeeds)
        if let poll = step.poll?.definition {
            number *= 2 + Int((poll.within / max(poll.every, .milliseconds(1))).rounded(.up))
        }
        guard let loop = step.definition.loop else { return number }
        if let elements = step.elements { return number * max(1, elements.count) }
        guard case .values(let list) = loop.list, let elements = list.elementCount else {
            count.areKnown = false
            return number
        }
        return number * max(1, elements)
    }

    /// The call and the required calls that may be made again for it: after the server has rejected their captures, and with params,
    /// which may be other ones for each arrival.
    private func requests(of endpoint: LocatedEndpoint, depth: Int = 0) -> Int {
        let again = endpoint.needs.filter { !$0.value.refreshOn.isEmpty || !$0.value.parameters.isEmpty }
        let isRepeated = again.contains { !$0.value.refreshOn.isEmpty }
        // Planning has found circles of required calls.
        guard depth < 20 else { return 1 }
        return again.reduce(isRepeated ? 2 : 1) { sum, need in
            let required = need.value.endpoint.flatMap { dependencies[$0.value]?.endpoint }
            return sum + (required.map { requests(of: $0, depth: depth + 1) } ?? 1)
        }
    }
}
