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
    init(_ value: JSONValue, of operation: Matcher.Operation) throws(Problem) {
        switch operation {
        case .equals, .includes, .contains: self = .value(value)
        case .in:
            guard value.kind == .array else { throw Self.mismatch(operation, "a list", value) }
            self = .list(Array(value.elements))
        case .type:
            guard let name = value.string, let type = JSONTypeName(rawValue: name) else {
                throw Self.mismatch(operation, "the name of a type", value)
            }
            self = .type(type)
        case .matches:
            guard let pattern = value.string else { throw Self.mismatch(operation, "text", value) }
            do throws(IRegexpProblem) {
                self = .pattern(try IRegexp(pattern))
            } catch {
                throw Problem(message: error.message, range: error.range, hint: error.hint)
            }
        case .startsWith, .endsWith: self = .text(try Self.text(of: value, operation))
        case .length: self = .lengths(try Self.lengths(value))
        case .exists, .empty:
            guard let truth = value.bool else { throw Self.mismatch(operation, "true or false", value) }
            self = .truth(truth)
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            // A number may come as text: out of a table of data, or out of a header.
            guard let number = value.numeric else { throw Self.mismatch(operation, "a number", value) }
            self = .number(number)
        }
    }

    private static func mismatch(_ operation: Matcher.Operation, _ expected: String, _ value: JSONValue) -> Problem {
        Problem(message: "\"\(operation.rawValue)\" takes \(expected); found \(value.shortDescription)")
    }

    private static func text(of value: JSONValue, _ operation: Matcher.Operation) throws(Problem) -> String {
        switch value.kind {
        case .string, .number, .true, .false: return value.plainText ?? ""
        case .null, .array, .object, .invalid: throw mismatch(operation, "text", value)
        }
    }

    private static func lengths(_ value: JSONValue) throws(Problem) -> [LengthBound] {
        func bound(_ name: String, _ value: JSONValue) throws(Problem) -> LengthBound {
            guard let length = value.numeric?.int, let operation = Matcher.Operation(rawValue: name) else {
                throw mismatch(.length, "whole numbers", value)
            }
            return LengthBound(operation: operation, length: length)
        }
        guard value.kind == .object else { return [try bound("equals", value)] }
        var bounds: [LengthBound] = []
        for member in value.members where !member.name.hasPrefix("$") && !member.name.hasPrefix("x-") {
            bounds.append(try bound(member.name, member.value))
        }
        return bounds
    }
}

extension JSONValue {
    /// A number, or a text that is one.
    fileprivate var numeric: JSONNumber? { number ?? string.flatMap { JSONNumber($0) } }
}
