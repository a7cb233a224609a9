import SourceText

/// What a value may be, as data: JSON Schema and the format reference are written from it.
package indirect enum SchemaNode: Sendable {
    case anything
    case null
    case boolean
    case number
    case integer(ClosedRange<Int>)
    case text(pattern: String? = nil)
    case words([String])
    case list(SchemaNode)
    case dictionary(keys: String?, SchemaNode)
    case object(ObjectSchema)
    case either([SchemaNode])
    /// A `$switch` whose cases are such values.
    case choice(SchemaNode)
    /// A definition of its own, referred to by name; what it is is asked for once, so that it may contain itself.
    case named(String, @Sendable () -> SchemaNode)
}

/// An object with a fixed set of keys.
package struct ObjectSchema: Sendable {
    package let name: String
    package let title: String
    package let summary: String
    package let fields: [FieldSchema]
    package let rules: [KeySetRule]

    /// The keys that any object may have without their meaning anything here.
    package static func isAlwaysAllowed(_ key: String) -> Bool {
        key == "$schema" || key == "$comment" || key.hasPrefix("x-")
    }
}

/// One key of such an object.
package struct FieldSchema: Sendable {
    package let name: String
    package let expects: String
    package let summary: String
    package let isRequired: Bool
    package let value: SchemaNode
}
