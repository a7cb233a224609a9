import ReqcliDefinitions
import ReqcliText

/// The values that a param accepts: its type and its limits.
struct ParamType {
    var kind: Parameter.Kind
    var allowed: [OrderedJSON] = []
    var pattern: String?
    var format: Parameter.Format?
    var minimum: String?
    var maximum: String?
    var minLength: Int?
    var maxLength: Int?
    var minItems: Int?
    var maxItems: Int?
    var join: String?
    /// The schema of a `json` param.
    var schema: OrderedJSON?
    /// The type of a list's items.
    var items: [ParamType] = []

    init(_ kind: Parameter.Kind) { self.kind = kind }

    /// Whether a value of the type is a single string, number or boolean.
    var isScalar: Bool { [.string, .integer, .number, .boolean].contains(kind) }

    /// The keys of a param, or of a list param's items, other than the type.
    var limits: [OrderedJSON.Member] {
        .present([
            "items": items.first.map { .object([OrderedJSON.Member("type", .string($0.kind.rawValue))] + $0.limits) },
            "minItems": minItems.map { .int($0) }, "maxItems": maxItems.map { .int($0) },
            "join": join.map { .string($0) },
            "enum": allowed.isEmpty ? nil : .array(allowed), "pattern": pattern.map { .string($0) },
            "format": format.map { .string($0.rawValue) }, "schema": schema, "minLength": minLength.map { .int($0) },
            "maxLength": maxLength.map { .int($0) },
            "minimum": minimum.map { .number($0) }, "maximum": maximum.map { .number($0) },
        ])
    }

    /// Whether the param accepts a value. The schema of the param isn't checked.
    func accepts(_ value: OrderedJSON) -> Bool {
        if kind == .list {
            guard case .array(let elements) = value, let item = items.first else { return false }
            return elements.count >= minItems ?? 0 && elements.count <= maxItems ?? .max
                && elements.allSatisfy { item.accepts($0) }
        }
        let place = Place(SourceFile(name: "", bytes: []), 0..<0)
        var parameter = Parameter()
        parameter.kind = kind
        parameter.allowed = allowed.isEmpty ? nil : allowed.map { Located($0, at: place) }
        parameter.pattern = pattern.map { Located($0, at: place) }
        parameter.format = format
        parameter.minimum = minimum.flatMap { JSONNumber($0) }
        parameter.maximum = maximum.flatMap { JSONNumber($0) }
        parameter.minimumLength = minLength
        parameter.maximumLength = maxLength
        return parameter.complaint(about: value) == nil
    }

    /// A value of the source, converted for the param: a number to a string, a single value to a list. Nil if the param doesn't
    /// accept the value.
    func value(_ source: JSONValue) -> OrderedJSON? {
        let value: OrderedJSON? =
            switch kind {
            case .string, .file:
                switch source.kind {
                case .string, .number, .true, .false: .string(source.string ?? source.text)
                default: nil
                }
            case .integer, .number:
                source.kind == .string
                    ? source.string.flatMap { JSONNumber($0) }.map { .number($0.text) } : OrderedJSON(source)
            case .boolean:
                source.string == "true" || source.string == "false"
                    ? .bool(source.string == "true") : OrderedJSON(source)
            case .json: OrderedJSON(source)
            case .list:
                items.first.flatMap { item in
                    let elements = source.kind == .array ? Array(source.elements) : [source]
                    let values = elements.compactMap { item.value($0) }
                    return values.count == elements.count ? .array(values) : nil
                }
            }
        return value.flatMap { accepts($0) ? $0 : nil }
    }
}
