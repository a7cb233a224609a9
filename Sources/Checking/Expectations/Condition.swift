import Definitions
import SourceText

/// One condition on a value, ready to be held against it. Each answer goes by all of them, so they are shared.
final class Condition: Sendable {
    let operation: Matcher.Operation
    let operand: Operand
    let isNegated: Bool
    let place: Place

    /// - Parameter value: What the matcher's operand came to.
    convenience init(_ matcher: Matcher, _ value: OrderedJSON) throws(Operand.Problem) {
        guard let root = JSONDocument.writing(value, name: "expected").root else {
            throw Operand.Problem(message: "there is nothing to compare with in \(value.shortDescription)")
        }
        try self.init(matcher, root)
    }

    init(_ matcher: Matcher, _ value: JSONValue) throws(Operand.Problem) {
        operation = matcher.operation
        operand = try Operand(value, of: matcher.operation)
        isNegated = matcher.isNegated
        place = matcher.place
    }

    /// For `exists`: whether something has to be there, `not` taken into account; nil for any other operator.
    var wantsExistence: Bool? {
        guard operation == .exists, case .truth(let truth) = operand else { return nil }
        return truth != isNegated
    }
}

/// What a condition is held against.
enum ActualValue: Sendable {
    /// A value that a path selects.
    case json(JSONValue)
    /// A header's value, or a body.
    case text([UInt8])

    /// The text that text operators look at; nil if the value is none.
    var textBytes: [UInt8]? {
        switch self {
        case .text(let bytes): bytes
        case .json(let value): value.string.map { Array($0.utf8) }
        }
    }

    var number: JSONNumber? {
        switch self {
        case .text(let bytes): JSONNumber(String(decoding: bytes, as: UTF8.self))
        case .json(let value): value.number
        }
    }
}

/// What came of holding a condition, `not` left aside, against a value.
enum Finding: Equatable {
    case holds
    case fails
    /// The operator says nothing about such a value, so neither it nor its `not` holds; completes "found … ,".
    case unfit(String)

    init(_ holds: Bool) { self = holds ? .holds : .fails }
}
