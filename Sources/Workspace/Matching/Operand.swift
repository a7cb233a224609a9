package import ReqcliDefinitions
package import ReqcliJSONPath
package import ReqcliJSONSchema
package import ReqcliText

/// The operand of an operator, parsed once.
package enum Operand: Sendable {
    case value(JSONValue)
    case list([JSONValue])
    case type(JSONTypeName)
    case schema(JSONSchema)
    case pattern(IRegexp)
    case text(String)
    case lengths([LengthBound])
    case truth(Bool)
    case number(JSONNumber)

    /// A bound on the length: `3`, or one member of `{">": 0, "<=": 20}`.
    package struct LengthBound: Sendable {
        /// The operator: `equals` or a comparison.
        package let operation: Matcher.Operation
        package let length: Int
    }

    /// The reason why a value is not a valid operand.
    package struct Problem: Error {
        package let message: String
        /// The place of the mistake in the value's text, in UTF-8 offsets; nil if the mistake has no place.
        package var range: Range<Int>?
        package var hint: String?
        /// The mistakes in a schema, each with its own place.
        package var ofSchema: [Diagnostic] = []
    }
}

extension Operand {
    init(_ value: JSONValue, of operation: Matcher.Operation, _ schemas: SchemaStore) throws(Problem) {
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
        case .schema:
            let read = schemas.schema(value)
            guard let schema = read.value else {
                throw Problem(message: "the schema cannot be used", ofSchema: read.diagnostics)
            }
            self = .schema(schema)
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
            // A number may also be given as text, for example by a data table or a header.
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
    /// The value as a number. A text that contains a number counts as this number.
    fileprivate var numeric: JSONNumber? { number ?? string.flatMap { JSONNumber($0) } }
}
