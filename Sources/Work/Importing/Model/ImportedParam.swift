package import ReqcliDefinitions
package import ReqcliText

/// A param of a request: a value that the caller gives.
package struct ImportedParam: Sendable, Equatable {
    package var name: String
    package var kind: Parameter.Kind
    /// The keys that limit the values, and other keys that the import doesn't change.
    package var limits: [OrderedJSON.Member] = []
    package var description: String?
    /// Whether the caller must give a value. Nil if the definition doesn't say so: then the param is required without a default.
    package var required: Bool?
    package var defaultValue: OrderedJSON?
    package var example: OrderedJSON?
    package var secret: Bool?
    package var isDeprecated = false
    /// The keys in the order of the source, if the source is in the notation of endpoint files.
    var order: [String] = []

    package init(
        _ name: String, _ kind: Parameter.Kind = .string, description: String? = nil, required: Bool? = nil,
        defaultValue: OrderedJSON? = nil, example: OrderedJSON? = nil, secret: Bool? = nil
    ) {
        self.name = name
        self.kind = kind
        self.description = description
        self.required = required
        self.defaultValue = defaultValue
        self.example = example
        self.secret = secret
    }

    init(_ name: String, _ type: ParamType) {
        self.init(name, type.kind)
        limits = type.limits
    }

    /// A param of the default's type.
    init(_ name: String, defaultValue: OrderedJSON) {
        self.init(name, defaultValue.parameterKind, defaultValue: defaultValue)
    }

    /// A param of the example's type. Without an example, the param is a string.
    init(_ name: String, description: String? = nil, required: Bool? = nil, example: OrderedJSON?) {
        self.init(
            name, example?.parameterKind ?? .string, description: description, required: required, example: example)
    }

    /// A param for a file that only exists on the machine where the source was made.
    ///
    /// - Parameter filename: The name of this file.
    init(_ name: String, fileLike filename: String?) {
        self.init(name, .file, description: filename.map { "Such as \($0)" })
    }

    package var isRequired: Bool { required ?? (defaultValue == nil) }

    /// Removes the values from the param and marks it as secret, unless the reader has already decided whether it is secret. In
    /// that case, the example is made up by the reader and can stay.
    mutating func makeSecret() {
        if secret == nil { (defaultValue, example, secret) = (nil, nil, true) }
    }

    /// Changes the strings of the definition that are shown.
    mutating func mapTexts(_ change: (String) -> String) {
        description = description.map(change)
        limits = limits.map { OrderedJSON.Member($0.name, $0.value.mappingTexts(change)) }
        defaultValue = defaultValue?.mappingTexts(change)
        example = example?.mappingTexts(change)
    }
}
