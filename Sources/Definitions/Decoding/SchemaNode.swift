package import SourceText

/// What a value may be, as data: JSON Schema and the format reference are written from it.
package indirect enum SchemaNode: Sendable {
    case anything
    /// Any JSON with placeholders, and with `$switch` where one of several values is picked.
    case template
    case null
    case boolean
    case number(NumberBound = .none)
    case integer(ClosedRange<Int>)
    case text(pattern: String? = nil)
    case words([String])
    /// This value and no other.
    case constant(OrderedJSON)
    /// Any value but an object.
    case nonObject
    case list(SchemaNode, isNeverEmpty: Bool = false)
    case dictionary(keys: String?, SchemaNode)
    case object(ObjectSchema)
    case either([SchemaNode])
    /// A `$switch` whose cases are such values.
    case choice(SchemaNode)
    /// A definition of its own, referred to by name; what it is is asked for once, so that it may contain itself.
    case named(String, @Sendable () -> SchemaNode)
}

/// How small a number may be.
package enum NumberBound: Sendable {
    case none
    case atLeastZero
    /// In seconds: a millisecond.
    case atLeastOneThousandth
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

    /// The keys that an object with a fixed set of keys may have without their meaning anything here.
    package static func isAlwaysAllowed(_ key: String) -> Bool { isAside(key) || key.hasPrefix("x-") }

    /// The keys that mean nothing even where all others are names that the user chose.
    package static func isAside(_ key: String) -> Bool { key.utf8.first == UInt8(ascii: "$") && aside.contains(key) }

    static let aside = ["$schema", "$comment"]
}

/// One key of such an object.
package struct FieldSchema: Sendable {
    package let name: String
    package let expects: String
    package let summary: String
    package let isRequired: Bool
    package let value: SchemaNode
}
