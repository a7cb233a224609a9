import ReqcliDefinitions
import ReqcliJSONSchema
import ReqcliText

/// A value for a param, and whether the rules of the param allow the value.
struct ParameterChange: Sendable {
    /// The value; nil to leave the param out.
    var value: OrderedJSON?
    let isAllowed: Bool
    /// The rule as the rest of a sentence that begins with the param's name.
    let rule: String
    /// The path to the keyword of the param's JSON Schema that forbids the value.
    var keyword: String?
}

/// Values that break exactly one of a param's rules, and values at the limit of what the rules allow.
struct ParameterChanges {
    private let parameter: Parameter
    /// The value in a call that passes, if it is known.
    private let valid: OrderedJSON?
    private let schemas: SchemaStore

    init(_ parameter: Parameter, _ valid: OrderedJSON?, _ schemas: SchemaStore) {
        self.schemas = schemas
        self.parameter = parameter
        self.valid = valid ?? parameter.example?.value ?? parameter.defaultValue?.value
    }

    /// All changes in the order of the rules, without the value that is known to pass.
    var all: [ParameterChange] {
        switch parameter.kind {
        case .string: words ?? lengths + forbidden([unmatched])
        case .integer: forbidden([fraction, .string("abc")]) + (words ?? bounds)
        case .number: forbidden([.string("abc")]) + (words ?? bounds)
        case .boolean: forbidden([.string("abc")])
        case .list: items
        // Without a schema, any JSON value is allowed, even a string.
        case .json: words ?? unfit
        case .file: []
        }
    }

    /// The values that the param rejects, each with the reason as its rule.
    private func forbidden(_ values: [OrderedJSON?]) -> [ParameterChange] {
        values.compactMap { value in
            value.flatMap { value in
                parameter.complaint(about: value).map { ParameterChange(value: value, isAllowed: false, rule: $0) }
            }
        }
    }

    private func allowed(_ values: [OrderedJSON?]) -> [ParameterChange] {
        values.compactMap { value in
            guard let value, value != valid, parameter.complaint(about: value) == nil else { return nil }
            return ParameterChange(value: value, isAllowed: true, rule: "may be \(parameter.shown(value))")
        }
    }

    // MARK: enum

    private var words: [ParameterChange]? {
        guard let allowed = parameter.allowed?.map(\.value) else { return nil }
        return forbidden([unlisted(allowed)]) + self.allowed(allowed)
    }

    private func unlisted(_ allowed: [OrderedJSON]) -> OrderedJSON? {
        switch parameter.kind {
        case .integer, .number:
            let numbers = allowed.compactMap { if case .number(let text) = $0 { JSONNumber(text)?.int } else { nil } }
            guard let (next, overflows) = numbers.max()?.addingReportingOverflow(1), !overflows else { return nil }
            return .int(next)
        case .string, .json:
            let candidates = (0...allowed.count).lazy.map { "abc" + String(repeating: "x", count: $0) }
            return candidates.map { OrderedJSON.string($0) }.first { !allowed.contains($0) }
        case .boolean, .list, .file: return nil
        }
    }

    // MARK: Numbers

    /// A number that is not an integer, within the bounds of the param if there is room.
    private var fraction: OrderedJSON? {
        let known = valid.flatMap { if case .number(let text) = $0 { JSONNumber(text)?.int } else { nil } }
        let highest = parameter.maximum?.int
        let lowest = parameter.minimum?.int ?? min(1, (highest ?? 2) &- 1)
        // Stays below the maximum, because otherwise the server could reject the number as too large.
        let whole = known.flatMap { $0 < highest ?? Int.max ? $0 : nil } ?? lowest
        return .number(whole >= 0 ? "\(whole).5" : "-\(-(whole + 1)).5")
    }

    private var bounds: [ParameterChange] {
        let (minimum, maximum) = (parameter.minimum, parameter.maximum)
        return forbidden([minimum?.moved(by: -1), maximum?.moved(by: 1)])
            + allowed([minimum, maximum].map { $0.map { .number($0.text) } })
    }

    // MARK: Text

    /// The maximum length of a string that is sent. A server may refuse a longer URL only because of its length.
    private static let mostCharacters = 1000

    private var lengths: [ParameterChange] {
        let (least, most) = (parameter.minimumLength ?? 0, parameter.maximumLength ?? Int.max)
        var isMatched = parameter
        (isMatched.minimumLength, isMatched.maximumLength) = (nil, nil)
        // Breaks only one rule at a time. If a string of a wrong length didn't match the pattern either, the response would say
        // nothing about the length.
        let wrong = [least - 1, most < Self.mostCharacters ? most + 1 : -1].map(text).filter { text in
            text.map { isMatched.complaint(about: $0) == nil } ?? false
        }
        return forbidden(wrong) + allowed([least > 0 ? text(least) : nil, text(most)])
    }

    /// A string of this length, made from the value that is known to pass.
    private func text(_ count: Int) -> OrderedJSON? {
        guard (0...Self.mostCharacters).contains(count) else { return nil }
        var scalars = Array(sample.unicodeScalars.prefix(count))
        let last = scalars.last ?? "a"
        scalars += repeatElement(last, count: count - scalars.count)
        return .string(String(String.UnicodeScalarView(scalars)))
    }

    private var sample: String { if case .string(let text)? = valid, !text.isEmpty { text } else { "abc" } }

    /// A string of an allowed length that the pattern doesn't match, or that hasn't the format. None of its characters has a special meaning in a URL.
    private var unmatched: OrderedJSON? {
        guard parameter.pattern != nil || parameter.format != nil else { return nil }
        var isOfAnyText = parameter
        (isOfAnyText.pattern, isOfAnyText.format) = (nil, nil)
        let least = max(parameter.minimumLength ?? 0, 1)
        let count = min(max(sample.unicodeScalars.count, least), max(parameter.maximumLength ?? Int.max, least))
        guard count <= Self.mostCharacters else { return nil }
        return ["~", "a", "0", "-"].lazy.map { OrderedJSON.string(String(repeating: $0, count: count)) }.first {
            parameter.complaint(about: $0) != nil && isOfAnyText.complaint(about: $0) == nil
        }
    }

    // MARK: JSON

    private var unfit: [ParameterChange] {
        guard let valid, let schema = parameter.schema.flatMap({ schemas.text(of: $0) }) else { return [] }
        let violations = SchemaViolations(target: schemas.target) { parameter.schemaComplaint(about: $0, schemas) }
        return violations.all(of: valid, schema).map {
            ParameterChange(value: $0.value, isAllowed: false, rule: $0.complaint, keyword: $0.keyword)
        }
    }

    // MARK: Lists

    /// The list that is known to pass, with its first item changed. If no such list is known, a list with one item.
    private var items: [ParameterChange] {
        guard let items = parameter.items else { return [] }
        var others: [OrderedJSON] = []
        if case .array(let elements)? = valid { others = elements }
        return ParameterChanges(items, others.first, schemas).all.flatMap { change -> [ParameterChange] in
            guard let item = change.value else { return [] }
            let list = OrderedJSON.array([item] + others.dropFirst())
            if let keyword = change.keyword {
                return [ParameterChange(value: list, isAllowed: false, rule: change.rule, keyword: keyword)]
            }
            return change.isAllowed ? allowed([list]) : forbidden([list])
        }
    }
}
