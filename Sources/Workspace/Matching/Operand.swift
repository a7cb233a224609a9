package import ReqcliDefinitions
package import ReqcliJSONPath
package import ReqcliJSONSchema
package import ReqcliText

/// The operand of an operator, parsed once.
package enum Operand: Sendable {
    /// A template whose value is known only when a call is made.
    case open(ValueTemplate)
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
    init(_ template: ValueTemplate, of operation: Matcher.Operation, _ schemas: SchemaStore) throws(Problem) {
        // A plain value is already a parsed tree, like the value that it is compared with, so it is not converted.
        if case .plain(let value) = template {
            self = try Operand(value, of: operation, schemas)
        } else if let literal = template.literal {
            self = try Operand(literal, of: operation, schemas)
        } else {
            self = .open(template)
        }
    }

    init(_ value: OrderedJSON, of operation: Matcher.Operation, _ schemas: SchemaStore) throws(Problem) {
        guard let root = JSONDocument.writing(value, name: "expected").root else {
            throw Problem(message: "\(value.shortDescription) cannot be used as the expected value")
        }
        self = try Operand(root, of: operation, schemas)
    }

    private init(_ value: JSONValue, of operation: Matcher.Operation, _ schemas: SchemaStore) throws(Problem) {
        // Words are made only for a value that is wrong.
        var mismatch: Problem {
            Problem(
                message: "\"\(operation.rawValue)\" takes \(operation.operand.expects); found \(value.shortDescription)"
            )
        }
        switch operation.operand {
        case .value: self = .value(value)
        case .list:
            guard value.kind == .array else { throw mismatch }
            self = .list(Array(value.elements))
        case .type:
            guard let type = value.string.flatMap(JSONTypeName.init) else { throw mismatch }
            self = .type(type)
        case .schema:
            let read = schemas.schema(value)
            guard let schema = read.value else {
                throw Problem(message: "the schema cannot be used", ofSchema: read.diagnostics)
            }
            self = .schema(schema)
        case .pattern:
            guard let pattern = value.string else { throw mismatch }
            do throws(IRegexpProblem) {
                self = .pattern(try IRegexp(pattern))
            } catch {
                throw Problem(message: error.message, range: error.range, hint: error.hint)
            }
        case .text:
            guard value.kind != .null, let text = value.plainText else { throw mismatch }
            self = .text(text)
        case .length:
            guard let bounds = Self.bounds(value) else { throw mismatch }
            self = .lengths(bounds)
        case .truth:
            guard let truth = value.bool else { throw mismatch }
            self = .truth(truth)
        case .number:
            // A number may also be given as text, for example by a data table or a header.
            guard let number = value.numeric else { throw mismatch }
            self = .number(number)
        }
    }

    /// The bounds of a length; nil if one of them is not a comparison with a whole number.
    private static func bounds(_ value: JSONValue) -> [LengthBound]? {
        func bound(_ name: String, _ value: JSONValue) -> LengthBound? {
            guard let length = value.numeric?.int, let operation = Matcher.Operation(rawValue: name) else { return nil }
            return LengthBound(operation: operation, length: length)
        }
        guard value.kind == .object else { return bound("equals", value).map { [$0] } }
        let members = value.members.filter { !$0.name.hasPrefix("$") && !$0.name.hasPrefix("x-") }
        let bounds = members.compactMap { bound($0.name, $0.value) }
        return bounds.count == members.count ? bounds : nil
    }
}

extension JSONValue {
    /// The value as a number. A text that contains a number is converted to this number.
    fileprivate var numeric: JSONNumber? { number ?? string.flatMap { JSONNumber($0) } }
}
