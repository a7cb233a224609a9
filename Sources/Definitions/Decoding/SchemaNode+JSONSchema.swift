package import SourceText

extension ObjectSchema {
    /// This object as a JSON Schema document (draft 2020-12).
    package func jsonSchema(title: String) -> OrderedJSON {
        var writer = SchemaWriter()
        let body = writer.body(of: self)
        return .object(
            [
                OrderedJSON.Member("$schema", "https://json-schema.org/draft/2020-12/schema"),
                OrderedJSON.Member("title", .string(title)),
            ] + body + [OrderedJSON.Member("$defs", .object(writer.definitions))])
    }
}

extension ObjectSchema {
    /// A document that takes one of two objects, told apart by a key.
    package static func jsonSchema(
        title: String, if key: String, then first: ObjectSchema, else second: ObjectSchema
    ) -> OrderedJSON {
        var writer = SchemaWriter()
        let references = [first, second].map { writer.schema(.object($0)) }
        return .object([
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": .string(title),
            "if": .object(["required": [.string(key)]]),
            "then": references[0],
            "else": references[1],
            "$defs": .object(writer.definitions),
        ])
    }
}

/// Writes nodes as JSON Schema; objects and named nodes go to `$defs` once and are referred to from there.
private struct SchemaWriter {
    private(set) var definitions: [OrderedJSON.Member] = []
    private var known: Set<String> = []

    mutating func schema(_ node: SchemaNode) -> OrderedJSON {
        switch node {
        case .anything: return true
        case .null: return type("null")
        case .boolean: return type("boolean")
        case .number: return type("number")
        case .integer(let range):
            return .object([
                "type": "integer", "minimum": .int(range.lowerBound),
                "maximum": range.upperBound == .max ? nil : .int(range.upperBound),
            ])
        case .text(let pattern): return .object(["type": "string", "pattern": pattern.map { .string($0) }])
        case .words(let words): return .object(["enum": .array(words.map { .string($0) })])
        case .list(let element): return .object(["type": "array", "items": schema(element)])
        case .dictionary(let keys, let value):
            return .object([
                "type": "object",
                // "$comment" may stand anywhere, whatever the keys otherwise are.
                "propertyNames": keys.map {
                    .object(["anyOf": [.object(["pattern": .string($0)]), .object(["const": "$comment"])]])
                },
                "properties": .object(["$comment": true]),
                "additionalProperties": schema(value),
            ])
        case .either(let nodes): return .object(["anyOf": .array(nodes.map { schema($0) })])
        case .choice(let value):
            return .object([
                "type": "object", "required": ["$switch"],
                "properties": .object(["$switch": type("string"), "$comment": true]),
                "additionalProperties": schema(value), "minProperties": 2,
            ])
        case .object(let object):
            define(object.name) { .object($0.body(of: object)) }
            return reference(object.name)
        case .named(let name, let node):
            let inner = node()
            // An object has a name of its own.
            if case .object = inner { return schema(inner) }
            define(name) { $0.schema(inner) }
            return reference(name)
        }
    }

    mutating func body(of object: ObjectSchema) -> [OrderedJSON.Member] {
        var properties = [OrderedJSON.Member("$schema", type("string")), OrderedJSON.Member("$comment", true)]
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

    private mutating func define(_ name: String, _ make: (inout SchemaWriter) -> OrderedJSON) {
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
        case .atMostOne(let names): return .object(["not": .object(["anyOf": .array(pairs(names))])])
        case .excludes(let name, let others):
            return .object([
                "not": .object(["allOf": [required(name), .object(["anyOf": .array(others.map(required))])]])
            ])
        }
    }
}
