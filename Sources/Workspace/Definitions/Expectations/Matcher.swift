package import ReqcliText

/// One condition on a value: an operator and its operand.
package struct Matcher: Sendable {
    package enum Operation: String, CaseIterable, Sendable {
        case equals
        case includes
        case type
        case schema
        case matches
        case contains
        case startsWith
        case endsWith
        case length
        case exists
        case empty
        case `in`
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }

    package let operation: Operation
    package let operand: ValueTemplate
    package let isNegated: Bool
    package let place: Place
}

/// Conditions on a value, which must all be met.
package struct Matchers: Sendable {
    package var all: [Matcher] = []
}

// MARK: - Tables

extension Matchers {
    /// The operators for JSON values.
    static let json = table(
        "jsonMatchers", title: "a condition on a value",
        [
            .equals, .includes, .type, .schema, .matches, .contains, .startsWith, .endsWith, .length, .exists, .in,
            .less, .lessOrEqual, .greater, .greaterOrEqual,
        ])
    static let header = table(
        "headerMatchers", title: "a condition on a header",
        [.equals, .contains, .startsWith, .endsWith, .matches, .exists, .in])
    static let body = table(
        "bodyMatchers", title: "a condition on the body",
        [.equals, .contains, .startsWith, .endsWith, .matches, .empty, .length])

    private static func table(
        _ name: String, title: String, _ operations: [Matcher.Operation]
    ) -> ObjectShape<Matchers> {
        ObjectShape<Matchers>(
            name, title: title, summary: "Conditions that must all be met.", fields(name, operations),
            rules: [rule(operations)], initial: { _ in Matchers() },
            check: { matchers, _, decoding in matchers.reportContradiction(&decoding) })
    }

    /// A key for each operator, and the key "not", whose object takes the same operators.
    ///
    /// - Parameter name: The name of the table with these keys.
    static func fields(_ name: String, _ operations: [Matcher.Operation]) -> [Field<Matchers>] {
        let inner = ObjectShape<Matchers>(
            name + "Not", title: "\"not\"", summary: "Conditions that must not be met.",
            operations.map { field($0, isNegated: true) }, rules: [.atLeastOne(operations.map(\.rawValue))],
            initial: { _ in Matchers() })
        let not = Field<Matchers>("not", inner.shape, "Conditions that must not be met.") { $0.all += $1.all }
        return operations.map { field($0, isNegated: false) } + [not]
    }

    /// The rule that at least one condition is given.
    static func rule(_ operations: [Matcher.Operation]) -> KeySetRule {
        .atLeastOne(operations.map(\.rawValue) + ["not"])
    }

    private static func field(_ operation: Matcher.Operation, isNegated: Bool) -> Field<Matchers> {
        Field(operation.rawValue, operation.operand.shape, operation.summary) { matchers, operand in
            matchers.all.append(
                Matcher(operation: operation, operand: operand, isNegated: isNegated, place: operand.place))
        }
    }
}

extension Shape where Value == Matchers {
    /// An object of conditions, or a plain value to which the actual value must be equal.
    static func matchers(_ table: ObjectShape<Matchers>, orEqualTo plain: Shape<ValueTemplate>) -> Shape {
        object(table, or: plain, expects: "a value to compare with, or an object of conditions", isSwitch: true) {
            Matchers(all: [Matcher(operation: .equals, operand: $0, isNegated: false, place: $1)])
        }
    }
}
