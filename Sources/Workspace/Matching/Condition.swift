package import ReqcliDefinitions
package import ReqcliJSONSchema
package import ReqcliText

/// A condition on a value. Its operand may be open, which means that its value is not known yet: such a condition can't check a
/// value before ``filled(with:)``. The type is a class, because all responses share the conditions.
package final class Condition: Sendable {
    package let operation: Matcher.Operation
    package let operand: Operand
    package let isNegated: Bool
    package let place: Place

    private init(_ operation: Matcher.Operation, _ operand: Operand, isNegated: Bool, at place: Place) {
        (self.operation, self.operand, self.isNegated, self.place) = (operation, operand, isNegated, place)
    }

    package convenience init(_ matcher: Matcher, _ schemas: SchemaStore) throws(Operand.Problem) {
        let operand = try Operand(matcher.operand, of: matcher.operation, schemas)
        self.init(matcher.operation, operand, isNegated: matcher.isNegated, at: matcher.place)
    }

    /// The condition that a value fits a schema.
    package convenience init(_ schema: JSONSchema, at place: Place) {
        self.init(.schema, .schema(schema), isNegated: false, at: place)
    }

    /// The condition with a value for its open operand.
    package func filled(with value: OrderedJSON) throws(Operand.Problem) -> Condition {
        // Schemas have no placeholders, so the operand of `schema` is never open, and an empty store is enough.
        let operand = try Operand(value, of: operation, Self.noSchemas)
        return Condition(operation, operand, isNegated: isNegated, at: place)
    }

    private static let noSchemas = SchemaStore()

    /// The template of an operand whose value is not known yet; nil for any other operand.
    package var template: ValueTemplate? { if case .open(let template) = operand { template } else { nil } }

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
