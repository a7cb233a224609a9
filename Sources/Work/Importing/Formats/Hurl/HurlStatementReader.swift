import ReqcliBasics
import ReqcliText

/// The part of a response that a query of Hurl selects.
enum HurlQuery: Equatable {
    case status, body, url, duration
    case header(String)
    case cookie(String)
    /// A JSONPath that selects at most one value.
    case json(String)
}

/// A predicate of Hurl, converted to an operator of `expect`.
struct HurlPredicate {
    var operation: String
    var operand: OrderedJSON
    var isNegated = false
    var approximation: String?

    /// The predicate as `empty`, if it requires a length of 0; else nil.
    var asEmptiness: HurlPredicate? {
        guard operand == 0 else { return nil }
        return HurlPredicate(operation: "empty", operand: .bool(true), isNegated: isNegated)
    }
}

/// Reads the query and the predicate of an assertion.
struct HurlStatementReader {
    private let tokens: [HurlToken]
    private var position = 0
    /// Whether the query ends with the filter `count`.
    private(set) var counts = false
    /// The part of the statement that can't be converted.
    private(set) var loss: String?

    init(_ tokens: [HurlToken]) { self.tokens = tokens }

    var isAtEnd: Bool { position == tokens.count }

    /// The word that the statement begins with.
    var word: String { if case .word(let word)? = tokens.first { word } else { "an unknown query" } }

    private mutating func next() -> HurlToken? {
        guard position < tokens.count else { return nil }
        position += 1
        return tokens[position - 1]
    }

    private mutating func literal() -> String? {
        if case .text(let text)? = next() { text.literal } else { nil }
    }

    // MARK: Queries

    /// The query; nil if the query or one of its filters can't be converted.
    mutating func query() -> HurlQuery? {
        guard case .word(let word)? = next() else { return nil }
        let query: HurlQuery?
        switch word {
        case "status": query = .status
        case "body": query = .body
        case "url": query = .url
        case "duration": query = .duration
        case "header": query = literal().map { .header($0) }
        case "cookie": query = literal().map { .cookie($0) }
        case "jsonpath": return jsonQuery()
        default: query = nil
        }
        guard let query, !hasFilter else { return nil }
        return query
    }

    private mutating func jsonQuery() -> HurlQuery? {
        guard let path = literal() else {
            loss = "jsonpath with a template"
            return nil
        }
        counts = position < tokens.count && tokens[position] == .word("count")
        if counts { position += 1 }
        // The number of all elements of a list is the length of the list, so `[*]` can be removed.
        let list = counts && path.hasSuffix("[*]") ? String(path.dropLast(3)) : path
        guard let singular = ForeignPath.singular(list) else {
            loss = "jsonpath that selects several values, or that is not valid in RFC 9535"
            return nil
        }
        return hasFilter ? nil : .json(singular)
    }

    private var hasFilter: Bool {
        mutating get {
            guard position < tokens.count, case .word(let word) = tokens[position], Self.filters.contains(word) else {
                return false
            }
            loss = "\(self.word) with the filter \(word)"
            return true
        }
    }

    private static let filters: Set = [
        "base64Decode", "base64Encode", "base64UrlSafeDecode", "base64UrlSafeEncode", "charsetDecode", "count",
        "daysAfterNow", "daysBeforeNow", "decode", "first", "format", "dateFormat", "htmlEscape", "htmlUnescape",
        "jsonpath", "last", "location", "nth", "regex", "replace", "replaceRegex", "split", "toDate", "toFloat",
        "toHex", "toInt", "toString", "urlDecode", "urlEncode", "urlQueryParam", "utf8Decode", "utf8Encode", "xpath",
    ]

    // MARK: Predicates

    mutating func predicate() -> HurlPredicate? {
        var isNegated = false
        if position < tokens.count, tokens[position] == .word("not") {
            isNegated = true
            position += 1
        }
        guard case .word(let word)? = next(), var predicate = predicate(word), isAtEnd else {
            loss = loss ?? "\(self.word) with an unknown predicate"
            return nil
        }
        if isNegated { predicate.isNegated.toggle() }
        if counts { return predicate.ofLength }
        return predicate.normalized
    }

    private mutating func predicate(_ word: String) -> HurlPredicate? {
        switch word {
        case "exists": return HurlPredicate(operation: "exists", operand: true)
        case "isEmpty": return HurlPredicate(operation: "length", operand: 0)
        case "isCollection":
            return HurlPredicate(
                operation: "type", operand: "array", approximation: "a collection is expected to be a list")
        case "isFloat":
            return HurlPredicate(
                operation: "type", operand: "number", approximation: "a float is expected to be any number")
        case "matches": return matching()
        default: break
        }
        if let type = Self.types[word] { return HurlPredicate(operation: "type", operand: .string(type)) }
        guard let operation = Self.operations[word], let operand = operand() else { return nil }
        if word == "!=" || word == "notEquals" {
            return HurlPredicate(operation: operation, operand: operand, isNegated: true)
        }
        return HurlPredicate(operation: operation, operand: operand)
    }

    private static let types = [
        "isInteger": "integer", "isNumber": "number", "isBoolean": "boolean", "isString": "string", "isList": "array",
        "isObject": "object",
    ]

    private static let operations = [
        "==": "equals", "equals": "equals", "!=": "equals", "notEquals": "equals", ">": ">", "greaterThan": ">",
        ">=": ">=", "greaterThanOrEquals": ">=", "<": "<", "lessThan": "<", "<=": "<=", "lessThanOrEquals": "<=",
        "startsWith": "startsWith", "endsWith": "endsWith", "contains": "contains", "includes": "contains",
    ]

    private mutating func matching() -> HurlPredicate? {
        let pattern: String?
        switch next() {
        case .pattern(let text)?: pattern = text
        case .text(let text)?: pattern = text.literal
        default: pattern = nil
        }
        guard let spelled = pattern.flatMap({ ForeignPattern.spelledOut($0) }) else {
            loss = "\(word) matches a regular expression that RFC 9485 doesn't have"
            return nil
        }
        return HurlPredicate(operation: "matches", operand: .literal(spelled))
    }

    private mutating func operand() -> OrderedJSON? {
        switch next() {
        case .text(let text)?: return .string(text.text)
        case .word("true")?: return true
        case .word("false")?: return false
        case .word("null")?: return .null
        case .word(let word)?: return Self.number(word)
        default: return nil
        }
    }

    /// A JSON number. A duration with a unit is converted to milliseconds.
    private static func number(_ word: String) -> OrderedJSON? {
        if let number = Int(word) { return .int(number) }
        if let milliseconds = HurlDuration.milliseconds(word, unit: 1) { return .int(milliseconds) }
        let parts = word.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
        guard word.utf8.count < 64, parts.count == 2,
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }),
            parts[0] == "0" || !parts[0].hasPrefix("0"), word.drop(while: { $0 == "-" }).count >= word.count - 1
        else { return nil }
        return .number(word)
    }
}

enum HurlDuration {
    /// A whole number with `ms`, `s`, `m` or `h`.
    ///
    /// - Parameter unit: The unit for numbers without a unit, in milliseconds; nil if a unit is required.
    static func milliseconds(_ text: String, unit: Int?) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int(digits), count >= 0 else { return nil }
        let factor: Int?
        switch text.dropFirst(digits.count) {
        case "": factor = unit
        case "ms": factor = 1
        case "s": factor = 1000
        case "m": factor = 60_000
        case "h": factor = 3_600_000
        default: factor = nil
        }
        guard let factor else { return nil }
        let product = count.multipliedReportingOverflow(by: factor)
        return product.overflow ? nil : product.partialValue
    }
}

extension HurlPredicate {
    /// The predicate as a condition on a length.
    fileprivate var ofLength: HurlPredicate? {
        guard case .number(let text) = operand, let count = Int(text), count >= 0 else { return nil }
        switch operation {
        case "equals": return HurlPredicate(operation: "length", operand: operand, isNegated: isNegated)
        case "<", "<=", ">", ">=":
            return HurlPredicate(
                operation: "length", operand: .object([OrderedJSON.Member(operation, operand)]), isNegated: isNegated)
        default: return nil
        }
    }

    /// The predicate in the form that `expect` has: `exists` without negation, other operators only with operands that `expect`
    /// accepts. Nil for other operands.
    fileprivate var normalized: HurlPredicate? {
        switch operation {
        case "exists": return HurlPredicate(operation: operation, operand: .bool(!isNegated))
        case "<", "<=", ">", ">=":
            if case .number = operand { return self }
            if case .string(let text) = operand, TemplateText(text).pieces.count == 1,
                !TemplateText(text).placeholders.isEmpty
            {
                return self
            }
            return nil
        case "startsWith", "endsWith":
            if case .string = operand { return self }
            return nil
        default: return self
        }
    }
}
