import ReqcliJSONSchema
import ReqcliText

extension Matcher.Operation {
    var summary: String {
        switch self {
        case .equals: "The value equals this value. The order of keys and the notation of numbers don't matter."
        case .includes: "The value has at least these members and elements."
        case .type: "The value has this type: object, array, string, number, integer, boolean or null."
        case .schema:
            "The value matches a JSON Schema: the schema itself, or the name of a file below schemas/, such as \"user.json#/$defs/id\"."
        case .matches: "A regular expression (RFC 9485) matches somewhere in the text."
        case .contains: "The text contains this text, or the list has this element."
        case .startsWith: "The text begins with this."
        case .endsWith: "The text ends with this."
        case .length: "The number of characters, elements or members: a number, or conditions on the number."
        case .exists: "Whether the value must exist."
        case .empty: "Whether the value must be empty."
        case .in: "The value is one of these values."
        case .less: "The value is a number less than this number."
        case .lessOrEqual: "The value is a number that is at most this number."
        case .greater: "The value is a number greater than this number."
        case .greaterOrEqual: "The value is a number that is at least this number."
        }
    }

    package var operand: OperandKind {
        switch self {
        case .equals, .includes, .contains: .value
        case .type: .type
        case .schema: .schema
        case .matches: .pattern
        case .startsWith, .endsWith: .text
        case .length: .length
        case .exists, .empty: .truth
        case .in: .list
        case .less, .lessOrEqual, .greater, .greaterOrEqual: .number
        }
    }
}

/// The type of an operator's operand. The operand is checked when a file is read and, if it has placeholders, again when
/// their values are known.
package enum OperandKind: Sendable {
    case value
    case list
    case type
    case schema
    case pattern
    case text
    case length
    case truth
    case number

    /// The operand that a file can have: a literal, or a template where the operator takes one.
    var shape: Shape<ValueTemplate> {
        switch self {
        case .value: .anyValue
        case .list: .listValue
        case .type: .typeName
        case .schema: .jsonSchema
        case .pattern, .text: .textValue
        case .length: .lengthValue
        case .truth: .truthValue
        case .number: .numberValue
        }
    }

    /// The operand as messages describe it.
    package var expects: String { self == .number ? Shape<JSONNumber>.number.expects : shape.expects }
}

extension Shape where Value == ValueTemplate {
    private static func template(_ expects: String, _ schema: SchemaNode, _ kinds: Set<JSONValue.Kind>) -> Shape {
        Shape(expects: expects, schema: schema) { value, decoding in
            guard kinds.contains(value.kind) else {
                decoding.mismatch(value, expects: expects)
                return nil
            }
            return ValueTemplate.decode(value, .anything, &decoding)
        }
    }

    fileprivate static let textValue = template("text", .text(), [.string])
    fileprivate static let truthValue = template("true or false", .boolean, [.true, .false])
    /// An empty list is rejected: the condition would never be met, and the negated condition would always be met.
    fileprivate static let listValue: Shape = {
        let list = template("a list of values", .list(.anything, isNeverEmpty: true), [.array])
        return Shape(expects: list.expects, schema: list.schema) { value, decoding in
            if value.reportIfEmptyList(&decoding) { return nil }
            return list.decode(value, &decoding)
        }
    }()
    fileprivate static let numberValue = Shape(
        expects: "a number, or a placeholder", schema: .either([.number(), .text(pattern: placeholderPattern)])
    ) { value, decoding in
        guard value.kind == .string else {
            return Shape<JSONNumber>.number.decode(value, &decoding).map { .scalar(.number($0.text), at: value.place) }
        }
        guard let template = TextTemplate.decode(value, &decoding) else { return nil }
        if template.onlyPlaceholder != nil { return .text(template) }
        decoding.mismatch(value, expects: "a number, or a placeholder", hint: "write a number without quotes")
        return nil
    }
    private static let placeholderPattern = #"^\{\{[^}]*\}\}$"#
    fileprivate static let typeName = Shape(expects: types.expects, schema: types.schema) { value, decoding in
        types.decode(value, &decoding).map { _ in .plain(value) }
    }

    private static let types = Shape<JSONTypeName>.word
    /// A schema. Schemas have no placeholders, so that each schema is compiled only once.
    static let jsonSchema = Shape(
        expects: "a file below schemas/, or a schema", schema: .either([.text(), .dictionary(keys: nil, .anything)])
    ) { value, decoding in
        guard value.kind == .string || value.kind == .object else {
            decoding.mismatch(value, expects: "a file below schemas/, or a schema")
            return nil
        }
        guard value.kind == .object || !(value.string ?? "").contains("{{") else {
            decoding.report(
                .valueInvalid, "the name of a schema cannot contain placeholders", at: value.place,
                hint: "schemas are compiled once for all cases: write the name of the file")
            return nil
        }
        return .plain(value)
    }
    fileprivate static let lengthValue = Shape(
        expects: "a number, or an object of comparisons",
        schema: .either([.integer(0...Int.max), lengthTable.shape.schema])
    ) { value, decoding in
        if value.kind == .object {
            _ = lengthTable.decode(value, &decoding)
            return ValueTemplate.decode(value, .anything, &decoding)
        }
        return Shape<Int>.integer(0...Int.max).decode(value, &decoding).map { .scalar(.int($0), at: value.place) }
    }

    private static let lengthTable = ObjectShape<Matchers>(
        "lengthMatchers", title: "\"length\"", summary: "Conditions on a length.",
        [Matcher.Operation.less, .lessOrEqual, .greater, .greaterOrEqual].map { operation in
            Field(operation.rawValue, Shape<Int>.integer(0...Int.max), operation.summary) { _, _ in }
        }, rules: [.atLeastOne(["<", "<=", ">", ">="])], initial: { _ in Matchers() })
}
