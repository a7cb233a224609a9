import Definitions
import IRegexp
import SourceText

/// What an operator compares with, read once and made ready.
enum Operand: Sendable {
    case value(JSONValue)
    case list([JSONValue])
    case type(JSONTypeName)
    case pattern(IRegexp)
    case text(String)
    case lengths([LengthBound])
    case truth(Bool)
    case number(JSONNumber)

    /// `3`, or one member of `{">": 0, "<=": 20}`.
    struct LengthBound: Sendable {
        /// `equals` or a comparison.
        let operation: Matcher.Operation
        let length: Int
    }

    /// Why a value can't be what an operator compares with.
    struct Problem: Error {
        let message: String
        /// UTF-8 offsets in the value's text, where the mistake has a place in it.
        var range: Range<Int>?
        var hint: String?
    }
}

extension Operand {
    init(_ value: OrderedJSON, of operation: Matcher.Operation) throws(Problem) {
        switch operation {
        case .equals, .includes, .contains: self = .value(try Self.tree(value))
        case .in:
            let tree = try Self.tree(value)
            guard tree.kind == .array else { throw Self.mismatch(operation, "a list", value) }
            self = .list(Array(tree.elements))
        case .type:
            guard case .string(let name) = value, let type = JSONTypeName(rawValue: name) else {
                throw Self.mismatch(operation, "the name of a type", value)
            }
            self = .type(type)
        case .matches:
            guard case .string(let pattern) = value else { throw Self.mismatch(operation, "text", value) }
            do throws(IRegexpProblem) {
                self = .pattern(try IRegexp(pattern))
            } catch {
                throw Problem(message: error.message, range: error.range, hint: error.hint)
            }
        case .startsWith, .endsWith: self = .text(try Self.text(of: value, operation))
        case .length: self = .lengths(try Self.lengths(value))
        case .exists, .empty:
            guard case .bool(let truth) = value else { throw Self.mismatch(operation, "true or false", value) }
            self = .truth(truth)
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            // A number may come as text: out of a table of data, or out of a header.
            guard let number = value.numeric else { throw Self.mismatch(operation, "a number", value) }
            self = .number(number)
        }
    }

    /// The value as a tree, so that both sides of a comparison are the same kind of thing.
    private static func tree(_ value: OrderedJSON) throws(Problem) -> JSONValue {
        guard let root = JSONDocument.writing(value, name: "expected").root else {
            throw Problem(message: "there is nothing to compare with in \(value.shortDescription)")
        }
        return root
    }

    private static func mismatch(
        _ operation: Matcher.Operation, _ expected: String, _ value: OrderedJSON
    ) -> Problem {
        Problem(message: "\"\(operation.rawValue)\" takes \(expected); found \(value.shortDescription)")
    }

    private static func text(of value: OrderedJSON, _ operation: Matcher.Operation) throws(Problem) -> String {
        switch value {
        case .string(let text): return text
        case .number, .bool: return value.compact
        case .null, .array, .object: throw mismatch(operation, "text", value)
        }
    }

    private static func lengths(_ value: OrderedJSON) throws(Problem) -> [LengthBound] {
        func bound(_ name: String, _ value: OrderedJSON) throws(Problem) -> LengthBound {
            guard let length = value.numeric?.int, let operation = Matcher.Operation(rawValue: name) else {
                throw mismatch(.length, "whole numbers", value)
            }
            return LengthBound(operation: operation, length: length)
        }
        guard case .object(let members) = value else { return [try bound("equals", value)] }
        var bounds: [LengthBound] = []
        for member in members where !member.name.hasPrefix("$") && !member.name.hasPrefix("x-") {
            bounds.append(try bound(member.name, member.value))
        }
        return bounds
    }
}

extension OrderedJSON {
    /// A number, or a text that is one.
    fileprivate var numeric: JSONNumber? {
        switch self {
        case .number(let text), .string(let text): JSONNumber(text)
        default: nil
        }
    }
}
