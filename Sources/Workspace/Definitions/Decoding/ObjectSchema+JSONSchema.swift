package import ReqcliText

extension ObjectSchema {
    /// This object as a JSON Schema document (draft 2020-12).
    package func jsonSchema(title: String) -> OrderedJSON {
        var writer = FormatSchemaWriter()
        let body = writer.body(of: self)
        return .object(
            [
                OrderedJSON.Member("$schema", "https://json-schema.org/draft/2020-12/schema"),
                OrderedJSON.Member("title", .string(title)),
            ] + body + [OrderedJSON.Member("$defs", .object(writer.definitions))])
    }

    /// A JSON Schema document for files that contain one of two objects: `first` if the file has the key `key`, otherwise
    /// `second`.
    package static func jsonSchema(
        title: String, if key: String, then first: ObjectSchema, else second: ObjectSchema
    ) -> OrderedJSON {
        var writer = FormatSchemaWriter()
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
