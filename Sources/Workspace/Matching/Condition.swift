package import ReqcliDefinitions
package import ReqcliJSONSchema
package import ReqcliText

/// A condition that is ready to check values. The type is a class, because all responses share the conditions.
package final class Condition: Sendable {
    package let operation: Matcher.Operation
    package let operand: Operand
    package let isNegated: Bool
    package let place: Place

    /// - Parameter value: The value of the matcher's operand.
    package convenience init(_ matcher: Matcher, _ value: OrderedJSON, _ schemas: SchemaStore) throws(Operand.Problem) {
        guard let root = JSONDocument.writing(value, name: "expected").root else {
            throw Operand.Problem(message: "there is no expected value in \(value.shortDescription)")
        }
        try self.init(matcher, root, schemas)
    }

    package init(_ matcher: Matcher, _ value: JSONValue, _ schemas: SchemaStore) throws(Operand.Problem) {
        operation = matcher.operation
        operand = try Operand(value, of: matcher.operation, schemas)
        isNegated = matcher.isNegated
        place = matcher.place
    }

    /// The condition that a value fits a schema.
    package init(_ schema: JSONSchema, at place: Place) {
        (operation, operand, isNegated, self.place) = (.schema, .schema(schema), false, place)
    }

    /// For `exists`: whether the value must exist, taking `not` into account; nil for any other operator.
    package var wantsExistence: Bool? {
        guard operation == .exists, case .truth(let truth) = operand else { return nil }
        return truth != isNegated
    }
}

/// The actual value that a condition checks.
package enum ActualValue: Sendable {
    /// A value that a path selects.
    case json(JSONValue)
    /// A header's value, or a body.
    case text([UInt8])

    /// The text for text operators; nil if the value is not text.
    package var textBytes: [UInt8]? {
        switch self {
        case .text(let bytes): bytes
        case .json(let value): value.string.map { Array($0.utf8) }
        }
    }

    package var number: JSONNumber? {
        switch self {
        case .text(let bytes): JSONNumber(String(decoding: bytes, as: UTF8.self))
        case .json(let value): value.number
        }
    }
}

/// The result of checking a value, before `not` is applied.
package enum Finding: Equatable {
    case holds
    case fails
    /// The operator doesn't apply to such a value, so neither the condition nor its negation is met. The text follows "found … ,"
    /// in a message.
    case unfit(String)

    init(_ holds: Bool) { self = holds ? .holds : .fails }
}
