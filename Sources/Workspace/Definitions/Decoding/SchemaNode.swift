package import ReqcliText

/// The type of a value as data. JSON Schema and the format reference are generated from this data.
package indirect enum SchemaNode: Sendable {
    case anything
    /// Any JSON with placeholders, and with `$switch` to pick one of several values.
    case template
    case null
    case boolean
    case number(minimum: OrderedJSON? = nil)
    case integer(ClosedRange<Int>)
    /// - names: The kind of thing that the text names.
    case text(pattern: String? = nil, names: NameRole? = nil)
    case words([String])
    /// Exactly this value.
    case constant(OrderedJSON)
    /// Any value except an object.
    case nonObject
    case list(SchemaNode, isNeverEmpty: Bool = false)
    case dictionary(keys: String?, SchemaNode)
    case object(ObjectSchema)
    case either([SchemaNode])
    /// A `$switch` whose cases are values of this type.
    case choice(SchemaNode)
    /// A type with its own definition, referred to by name. The definition is requested only once, so a definition may contain
    /// itself.
    case named(String, @Sendable () -> SchemaNode)
}

/// An object with a fixed set of keys.
package struct ObjectSchema: Sendable {
    package let name: String
    package let title: String
    package let summary: String
    package let rules: [KeySetRule]
    private let makeFields: @Sendable () -> [FieldSchema]

    init(
        name: String, title: String, summary: String, rules: [KeySetRule],
        fields: @escaping @Sendable () -> [FieldSchema]
    ) {
        self.name = name
        self.title = title
        self.summary = summary
        self.rules = rules
        makeFields = fields
    }

    package var fields: [FieldSchema] { makeFields() }

    /// Whether a key is accepted and ignored in every object with fixed keys.
    package static func isAlwaysAllowed(_ key: String) -> Bool { isMetadataKey(key) || key.hasPrefix("x-") }

    /// Whether a key is accepted and ignored even in objects whose keys the user chooses.
    package static func isMetadataKey(_ key: String) -> Bool {
        key.utf8.first == UInt8(ascii: "$") && metadataKeys.contains(key)
    }

    /// Whether a key in a file is accepted and ignored even in objects whose keys the user chooses. Compares the bytes of the key
    /// without making a string.
    static func isMetadataKey(_ key: JSONValue) -> Bool {
        // If the file ends right after the key's opening quote, the key has no first byte.
        key.place.file.bytes[key.innerRange].first == UInt8(ascii: "$") && metadataKeys.contains { key.equals($0) }
    }

    static let metadataKeys = ["$schema", "$comment"]
}

/// One key of an object.
package struct FieldSchema: Sendable {
    package let name: String
    package let expects: String
    package let summary: String
    package let isRequired: Bool
    package let value: SchemaNode
}
