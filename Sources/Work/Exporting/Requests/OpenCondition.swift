import ReqcliDefinitions
import ReqcliText

/// A condition of `expect`. The operand of the condition is filled with the values of a request; open values stay open.
struct OpenCondition {
    enum Subject {
        case header(String)
        case body
        case json(path: String, steps: [MemberPath.Step])
    }

    let subject: Subject
    let operation: Matcher.Operation
    let operand: OrderedJSON
    let isNegated: Bool
    let place: Place

    private func with(_ operation: Matcher.Operation, _ operand: OrderedJSON, isNegated: Bool) -> OpenCondition {
        OpenCondition(subject: subject, operation: operation, operand: operand, isNegated: isNegated, place: place)
    }

    /// Simpler conditions with the same meaning: a length instead of emptiness, and two conditions for two limits of a length.
    /// Nil if there are no such conditions.
    fileprivate var simple: [OpenCondition]? {
        switch (operation, operand) {
        case (.type, "null"): return [with(.equals, .null, isNegated: isNegated)]
        case (.empty, _):
            guard case .json = subject else { return [self] }
            let isEmpty = (operand == true) != isNegated
            return [with(.length, isEmpty ? 0 : .object([">": 0]), isNegated: false)]
        case (.length, .object(let limits)):
            if isNegated, limits.count > 1 { return nil }
            return limits.map { with(.length, .object([$0]), isNegated: isNegated) }
        default: return [self]
        }
    }
}

extension OpenRequest {
    /// The expected statuses and classes of statuses, in ascending order; empty if the request has no expectation.
    var statuses: [ClosedRange<Int>] {
        guard let expectation else { return [] }
        guard let stated = expectation.status?.value else { return [200...299] }
        return stated.map { $0.range.lowerBound...$0.range.upperBound }.sorted { $0.lowerBound < $1.lowerBound }
    }
}

extension RequestMaker {
    /// The conditions of a request that another tool can check. Adds notes about the other conditions.
    ///
    /// - Parameter operations: The operators that the other tool has.
    func conditions(
        of request: OpenRequest, _ operations: Set<Matcher.Operation>, takesEveryItem: Bool,
        _ notes: inout [ConversionNote]
    ) -> [OpenCondition] {
        guard let expectation = request.expectation else { return [] }
        var conditions: [OpenCondition] = []
        func lose(_ what: String, _ place: Place) {
            notes.append(ConversionNote(.lost, "\(what) are not converted", request.endpoint.id, at: place))
        }
        func add(_ subject: OpenCondition.Subject, _ matchers: Matchers) {
            let values = fill(matchers.all.map(\.operand), for: request)
            for (matcher, value) in zip(matchers.all, values) {
                guard operations.contains(matcher.operation), let value else {
                    lose("conditions with \"\(matcher.operation.rawValue)\"", matcher.place)
                    continue
                }
                let condition = OpenCondition(
                    subject: subject, operation: matcher.operation, operand: value, isNegated: matcher.isNegated,
                    place: matcher.place)
                if let simple = condition.simple {
                    conditions += simple
                } else {
                    lose("conditions with \"\(matcher.operation.rawValue)\"", matcher.place)
                }
            }
        }
        for header in expectation.headers { add(.header(header.name), header.value) }
        if let body = expectation.body { add(.body, body) }
        for condition in expectation.json {
            guard let path = MemberPath(condition.name), takesEveryItem || !path.steps.contains(.everyItem) else {
                lose("JSONPaths that select several values", condition.namePlace)
                continue
            }
            add(.json(path: condition.name, steps: path.steps), condition.value)
        }
        return conditions
    }
}
