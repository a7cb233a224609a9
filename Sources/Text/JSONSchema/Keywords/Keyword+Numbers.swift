import ReqcliBasics
package import ReqcliText

extension Keyword {
    static let numbers = [
        // In draft-04, the exclusive keywords are flags next to the limits.
        Keyword(["minimum": .number, "exclusiveMinimum": .flag], until: .draft04, for: .number) { _, program in
            Bound(program.schema.isSet("exclusiveMinimum") ? .above : .least, program.schema["minimum"])
        },
        Keyword(["maximum": .number, "exclusiveMaximum": .flag], until: .draft04, for: .number) { _, program in
            Bound(program.schema.isSet("exclusiveMaximum") ? .below : .most, program.schema["maximum"])
        },
        bound("minimum", .least, breakingStep: -1), bound("maximum", .most, breakingStep: 1),
        bound("exclusiveMinimum", .above, breakingStep: 0), bound("exclusiveMaximum", .below, breakingStep: 0),
        Keyword("multipleOf", .positiveNumber, for: .number) { value, program in Divisor(value, &program) }
            .broken { _, _, value in
                let next =
                    if case .number(let text) = value { JSONNumber(text)?.moved(by: 1) } else { OrderedJSON?.none }
                return [next, .number("0.5")].compactMap(\.self)
            },
    ]

    /// - Parameter step: The difference between the limit and a number that breaks it.
    private static func bound(_ name: String, _ kind: Bound.Kind, breakingStep step: Int) -> Keyword {
        Keyword(name, .number, since: .draft06, for: .number) { value, _ in Bound(kind, value) }
            .broken { _, limit, _ in [limit.number?.moved(by: step)].compactMap(\.self) }
    }
}

/// A lower or upper limit of a number.
struct Bound: Rule {
    /// The words in messages are the raw values.
    enum Kind: String { case least = "of at least", most = "of at most", above, below }

    private let kind: Kind
    private let number: JSONNumber
    /// The limit as an `Int`, if it is a small whole number. Such a limit needs no exact comparison.
    private let small: Int?

    init?(_ kind: Kind, _ value: JSONValue?) {
        guard let number = value?.number else { return nil }
        (self.kind, self.number) = (kind, number)
        small = number.int
    }

    func holds(_ value: JSONCursor, _ at: At, _ run: inout SchemaEvaluator) -> Bool {
        isMet(by: value) || run.fail(at, value, "a number \(kind.rawValue) \(number.text)")
    }

    private func isMet(by value: JSONCursor) -> Bool {
        if let small, let value = Self.smallNumber(value) { return allows(value, small) }
        return value.value.number.map { allows($0, number) } ?? false
    }

    private func allows<Number: Comparable>(_ value: Number, _ limit: Number) -> Bool {
        switch kind {
        case .least: value >= limit
        case .most: value <= limit
        case .above: value > limit
        case .below: value < limit
        }
    }

    /// The number, if it is written as a whole number with few digits.
    private static func smallNumber(_ value: JSONCursor) -> Int? {
        let range = value.range
        guard range.count <= 18 else { return nil }
        var number = 0
        let isNegative = value.bytes[range.lowerBound] == .minus
        for position in range.dropFirst(isNegative ? 1 : 0) {
            let byte = value.bytes[position]
            guard byte.isDigit else { return nil }
            number = number * 10 + Int(byte - .zero)
        }
        return isNegative ? -number : number
    }
}

/// The number that `multipleOf` states.
struct Divisor: Rule {
    private let number: JSONNumber

    init?(_ value: JSONValue, _ program: inout ProgramBuilder) {
        guard let number = value.number, JSONNumber(0) < number else { return nil }
        guard number.canDivide else {
            program.library.report(
                Diagnostic(
                    code: .schemaValue, "a multiple of a number with more than 18 digits can't be computed",
                    at: value.place))
            return nil
        }
        self.number = number
    }

    func holds(_ value: JSONCursor, _ at: At, _ run: inout SchemaEvaluator) -> Bool {
        value.value.number?.isMultiple(of: number) == true || run.fail(at, value, "a multiple of \(number.text)")
    }
}

extension JSONNumber {
    /// The exact sum of this number and an integer; nil if the number has an exponent or too many digits.
    package func moved(by step: Int) -> OrderedJSON? {
        let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
        let places = parts.count == 2 ? parts[1].utf8.count : 0
        guard places < 18, let mantissa = Int(parts.joined()) else { return nil }
        let unit = (0..<places).reduce(1) { unit, _ in unit * 10 }
        let (distance, isTooFar) = unit.multipliedReportingOverflow(by: step)
        let (sum, overflows) = mantissa.addingReportingOverflow(distance)
        if isTooFar || overflows { return nil }
        let digits = String(sum.magnitude)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.utf8.count)) + digits
        let point = padded.index(padded.endIndex, offsetBy: -places)
        let whole = (sum < 0 ? "-" : "") + padded[..<point]
        return .number(places == 0 ? whole : "\(whole).\(padded[point...])")
    }
}
