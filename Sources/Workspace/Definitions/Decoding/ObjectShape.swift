import ReqcliBasics
import ReqcliText

/// The table of an object's keys. The decoder, suggestions, JSON Schema and the format reference are all made from this table.
package struct ObjectShape<Model: Sendable>: Sendable {
    package let description: ObjectSchema
    private let table: Deferred<Table>
    private let initial: @Sendable (JSONValue) -> Model
    private let check: @Sendable (Model, JSONValue, inout Decoding) -> Void

    /// - Parameters:
    ///   - title: The name of the object in messages: "a stub variant".
    ///   - fields: The keys, in the order in which a person would write them.
    ///   - rules: The rules about keys that exclude or need each other.
    ///   - initial: The model before any key is read.
    ///   - check: A check of the whole object after all keys were read.
    init(
        _ name: String, title: String, summary: String,
        _ fields: @autoclosure @escaping @Sendable () -> [Field<Model>], rules: [KeySetRule] = [],
        initial: @escaping @Sendable (JSONValue) -> Model,
        check: @escaping @Sendable (Model, JSONValue, inout Decoding) -> Void = { _, _, _ in }
    ) {
        let table = Deferred { Table(fields(), rules) }
        description = ObjectSchema(name: name, title: title, summary: summary, rules: rules) {
            table.value.fields.map(\.schema)
        }
        self.table = table
        self.initial = initial
        self.check = check
    }

    func decode(_ value: JSONValue, _ decoding: inout Decoding) -> Model? {
        guard value.kind == .object else {
            decoding.mismatch(value, expects: "an object")
            return nil
        }
        let table = table.value
        var model = initial(value)
        // If a key is repeated, its first occurrence is used.
        var given = KeySet()
        for member in value.members {
            guard let index = table.names.index(of: member.key) else {
                reportUnknown(member, known: table.names.all, &decoding)
                continue
            }
            let field = table.fields[index]
            guard given.insert(index) else {
                decoding.reportDuplicate(member, of: value.members.first { $0.key.equals(field.name) } ?? member)
                continue
            }
            // `under` is not used here, because its closure would capture the model, and the model would then be copied.
            let outer = decoding.subject
            decoding.subject = field.name
            field.decode(member, &model, &decoding)
            decoding.subject = outer
        }
        for (index, field) in table.fields.enumerated() where field.schema.isRequired && !given.contains(index) {
            decoding.report(
                .keyMissing, "\(description.title) needs \"\(field.name)\": \(field.schema.expects)",
                at: value.headPlace)
        }
        for (rule, keys) in table.rules where rule.mayBeBroken(given.intersection(keys)) {
            rule.verify(value, title: description.title, &decoding)
        }
        check(model, value, &decoding)
        return model
    }

    /// The keys, built once. The table is a class, because each decoded object reads the table, and a struct would be copied.
    private final class Table: Sendable {
        let fields: [Field<Model>]
        let names: KeyNames
        /// The rules, each with the keys that the rule is about.
        let rules: [(rule: KeySetRule, keys: KeySet)]

        init(_ fields: [Field<Model>], _ rules: [KeySetRule]) {
            let names = fields.map(\.name)
            self.fields = fields
            self.names = KeyNames(names)
            self.rules = rules.map { rule in (rule, KeySet(rule.names.compactMap(names.firstIndex(of:)))) }
        }
    }

    private func reportUnknown(_ member: JSONValue.Member, known: [String], _ decoding: inout Decoding) {
        let name = member.name
        if ObjectSchema.isAlwaysAllowed(name) { return }
        decoding.report(
            .keyUnknown, "unknown key \"\(name)\" in \(description.title)", at: member.key.place,
            hint: NearNames.question(for: name, among: known) ?? "allowed keys: " + known.joined(separator: ", "))
    }

    /// The table as a shape, for values that are objects with these keys.
    var shape: Shape<Model> {
        Shape(expects: "an object", schema: .object(description)) { value, decoding in decode(value, &decoding) }
    }
}

/// One key of an object: its name, type and description, and the property in which its value is stored.
package final class Field<Model: Sendable>: Sendable {
    let schema: FieldSchema
    let decode: @Sendable (JSONValue.Member, inout Model, inout Decoding) -> Void

    var name: String { schema.name }

    init<Value>(
        _ name: String, _ shape: Shape<Value>, required: Bool = false, _ summary: String,
        store: @escaping @Sendable (inout Model, consuming Value) -> Void
    ) {
        schema = FieldSchema(
            name: name, expects: shape.expects, summary: summary, isRequired: required, value: shape.schema)
        decode = { member, model, decoding in
            if let value = shape.decode(member.value, &decoding) { store(&model, value) }
        }
    }

    private init(
        _ schema: FieldSchema, decode: @escaping @Sendable (JSONValue.Member, inout Model, inout Decoding) -> Void
    ) {
        self.schema = schema
        self.decode = decode
    }

    /// A copy of this field for a larger object, of which `Model` is a part. The key stays the same.
    func lifted<Outer>(_ part: @escaping @Sendable (inout Outer, (inout Model) -> Void) -> Void) -> Field<Outer> {
        let decode = decode
        return Field<Outer>(schema) { member, outer, decoding in
            part(&outer) { decode(member, &$0, &decoding) }
        }
    }
}
