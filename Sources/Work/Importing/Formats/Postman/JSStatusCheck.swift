import ReqcliText

/// A comparison of a status with several statuses and classes: `code === 404 || (code >= 200 && code <= 299)`.
enum JSStatusCheck {
    /// The statuses, such as 404 and "2xx"; nil for any other expression.
    ///
    /// - Parameter isStatus: Tells whether an expression is the status of the response.
    static func patterns(_ expression: JSExpression, _ isStatus: (JSExpression) -> Bool) -> [OrderedJSON]? {
        switch expression {
        case .binary("||", let left, let right):
            guard let one = patterns(left, isStatus), let other = patterns(right, isStatus) else { return nil }
            return one + other
        case .binary("===", let left, .number(let text)):
            guard isStatus(left), let status = Int(text), (100...599).contains(status) else { return nil }
            return [.int(status)]
        case .binary("&&", .binary(">=", let low, .number(let least)), .binary("<=", let high, .number(let most))):
            guard isStatus(low), isStatus(high), let start = Int(least), (1...5).contains(start / 100),
                start % 100 == 0, Int(most) == start + 99
            else { return nil }
            return [.string("\(start / 100)xx")]
        default: return nil
        }
    }

    static func isClass(_ value: OrderedJSON) -> Bool {
        if case .string(let text) = value { text.hasSuffix("xx") } else { false }
    }
}

extension ExpectDraft.Condition {
    /// The opposite condition; nil for a condition that can't be negated.
    var negated: ExpectDraft.Condition? {
        switch self {
        case .status, .maxTime: nil
        case .header(let name, let operation): .header(name, operation.negated)
        case .body(let operation): .body(operation.negated)
        case .json(let path, let operation): .json(path, operation.negated)
        }
    }
}

extension ExpectDraft.Operation {
    fileprivate var negated: ExpectDraft.Operation {
        ExpectDraft.Operation(name, operand, isNegated: !isNegated)
    }
}

extension JSValues {
    /// The part of a response that an expression reads; nil if a capture can't read it. The expression may be the first match of a
    /// pattern in a header: `(x.match(new RegExp("p", "u")) || [])[0]`.
    func captured(by expression: JSExpression) -> ImportedCapture.Source? {
        guard
            case .index(.binary("||", .call(.member(let base, "match"), let arguments), .array), .number("0")) =
                expression,
            arguments.count == 1, let pattern = JSAssertions.pattern(arguments[0]),
            case .header(let name)? = subject(base)
        else { return subject(expression)?.captured }
        return .header(name, match: pattern)
    }
}

extension JSValues.Subject {
    /// The part of a response; nil if a capture can't read it.
    var captured: ImportedCapture.Source? {
        switch self {
        case .json(let steps): ForeignPath.holdsToken(JSValues.path(steps)) ? nil : .json(JSValues.path(steps))
        case .header(let name): .header(name)
        case .cookie(let name): .cookie(name)
        case .body: .body
        case .status: .status
        case .time, .jsonLength, .variable, .constant: nil
        }
    }
}
