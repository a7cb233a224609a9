import ReqcliText

/// Writes nodes as JSON Schema. Each object and each named node is written once, to `$defs`; other places refer to it.
struct FormatSchemaWriter {
    private(set) var definitions: [OrderedJSON.Member] = []
    private var known: Set<String> = []

    mutating func schema(_ node: SchemaNode) -> OrderedJSON {
        switch node {
        case .anything: return true
        case .template:
            define("json") { $0.template() }
            return reference("json")
        case .nonObject: return .object(["not": type("object")])
        case .null: return type("null")
        case .boolean: return type("boolean")
        case .number(let minimum):
            return .object([
                "type": "number", "minimum": minimum,
            ])
        case .integer(let range):
            return .object([
                "type": "integer", "minimum": .int(range.lowerBound),
                "maximum": range.upperBound == .max ? nil : .int(range.upperBound),
            ])
        case .text(let pattern, _): return .object(["type": "string", "pattern": pattern.map { .string($0) }])
        case .words(let words): return .object(["enum": .array(words.map { .string($0) })])
        case .constant(let value): return .object(["const": value])
        case .list(let element, let isNeverEmpty):
            return .object([
                "type": "array", "items": schema(element), "minItems": isNeverEmpty ? 1 : nil,
            ])
        case .dictionary(let keys, let value):
            return .object([
                "type": "object",
                "propertyNames": keys.map { keys in
                    .object(["anyOf": [.object(["pattern": .string(keys)]), .object(["enum": metadataKeys])]])
                },
                "properties": .object(ObjectSchema.metadataKeys.map { OrderedJSON.Member($0, true) }),
                "additionalProperties": schema(value),
            ])
        case .either(let nodes): return .object(["anyOf": .array(nodes.map { schema($0) })])
        case .choice(let value):
            return choice(schema(value))
        case .object(let object):
            define(object.name) { .object($0.body(of: object)) }
            return reference(object.name)
        case .named(let name, let node):
            let inner = node()
            // A named object needs no second definition, because each object is defined under its own name.
            if case .object = inner { return schema(inner) }
            define(name) { $0.schema(inner) }
            return reference(name)
        }
    }

    mutating func body(of object: ObjectSchema) -> [OrderedJSON.Member] {
        var properties = ObjectSchema.metadataKeys.map { OrderedJSON.Member($0, true) }
        for field in object.fields {
            properties.append(OrderedJSON.Member(field.name, described(schema(field.value), field.summary)))
        }
        let required = object.fields.filter(\.isRequired).map { OrderedJSON.string($0.name) }
        return [
            OrderedJSON.Member("description", .string(object.summary)),
            OrderedJSON.Member("type", "object"),
            OrderedJSON.Member("properties", .object(properties)),
            OrderedJSON.Member("patternProperties", .object(["^x-": true])),
            OrderedJSON.Member("additionalProperties", false),
        ]
            + (required.isEmpty ? [] : [OrderedJSON.Member("required", .array(required))])
            + (object.rules.isEmpty ? [] : [OrderedJSON.Member("allOf", .array(object.rules.map(condition)))])
    }

    /// The schema for any JSON value, in which an object with `$switch` picks one of several values.
    private mutating func template() -> OrderedJSON {
        let inner = reference("json")
        return .object([
            "if": .object(["type": "object", "required": ["$switch"]]),
            "then": choice(inner),
            "else": .object([
                "propertyNames": .object(["pattern": .string("^\(PlainName.pattern)*$")]),
                "items": inner, "additionalProperties": inner,
            ]),
        ])
    }

    private func choice(_ value: OrderedJSON) -> OrderedJSON {
        .object([
            "type": "object",
            "required": ["$switch"],
            "propertyNames": .object(["pattern": .string(ValueTemplate.Switch.keyPattern)]),
            "properties": .object(
                [OrderedJSON.Member("$switch", .object(["type": "string", "pattern": "\\{\\{"]))]
                    + ObjectSchema.metadataKeys.map { OrderedJSON.Member($0, true) }),
            "additionalProperties": value,
            "minProperties": 2,
        ])
    }

    private var metadataKeys: OrderedJSON { .array(ObjectSchema.metadataKeys.map { .string($0) }) }

    private mutating func define(_ name: String, _ make: (inout FormatSchemaWriter) -> OrderedJSON) {
        guard known.insert(name).inserted else { return }
        let slot = definitions.count
        definitions.append(OrderedJSON.Member(name, .null))
        definitions[slot] = OrderedJSON.Member(name, make(&self))
    }

    private func reference(_ name: String) -> OrderedJSON { .object(["$ref": .string("#/$defs/\(name)")]) }

    private func type(_ name: String) -> OrderedJSON { .object(["type": .string(name)]) }

    private func described(_ schema: OrderedJSON, _ summary: String) -> OrderedJSON {
        guard case .object(let members) = schema else { return .object(["description": .string(summary)]) }
        return .object([OrderedJSON.Member("description", .string(summary))] + members)
    }

    private func condition(_ rule: KeySetRule) -> OrderedJSON {
        func required(_ name: String) -> OrderedJSON { .object(["required": [.string(name)]]) }
        func pairs(_ names: [String]) -> [OrderedJSON] {
            names.indices.flatMap { first in
                names.indices.dropFirst(first + 1).map { second in
                    .object(["required": [.string(names[first]), .string(names[second])]])
                }
            }
        }
        switch rule {
        case .exactlyOne(let names): return .object(["oneOf": .array(names.map(required))])
        case .atLeastOne(let names): return .object(["anyOf": .array(names.map(required))])
        case .atMostOne(let names): return .object(["not": .object(["anyOf": .array(pairs(names))])])
        case .needs(let name, let other):
            return .object(["dependentRequired": .object([OrderedJSON.Member(name, [.string(other)])])])
        case .excludes(let name, let others):
            return .object([
                "not": .object(["allOf": [required(name), .object(["anyOf": .array(others.map(required))])]])
            ])
        }
    }
}
