import ReqcliDefinitions
import ReqcliOpenAPI
import ReqcliText

extension OpenAPIReader {
    /// The place of a value in the request. The conversion of lists and objects depends on the place.
    enum ParamPlace {
        /// One string or several strings, in a query, a header or a form.
        case text
        /// A value of JSON.
        case json
        /// A part of a multipart body, which may be a file.
        case part
    }

    /// The type of a param for values of a schema.
    mutating func paramType(
        of schema: JSONValue?, _ shape: SchemaShape, in place: ParamPlace, title: String
    ) -> ParamType {
        var type = ParamType(kind(of: shape, in: place))
        switch type.kind {
        case .string, .integer, .number: addConstraints(of: shape, to: &type)
        case .list:
            let items = document.shape(of: shape["items"])
            var item = paramType(of: shape["items"], items, in: .text, title: title + "Item")
            if item.kind == .file || item.kind == .list { item = ParamType(item.kind == .file ? .string : .json) }
            type.items = [item]
            type.minItems = shape["minItems"].flatMap { Self.count($0) }
            type.maxItems = shape["maxItems"].flatMap { Self.count($0) }
            if let least = type.minItems, let most = type.maxItems, most < least { type.maxItems = nil }
        case .json:
            if let schema { type.schema = catalog.schema(schema, .request, title: title, in: &document) }
        case .boolean, .file: break
        }
        if type.isScalar, let allowed = shape.allowed {
            var values: [OrderedJSON] = []
            for value in allowed.prefix(Self.mostAllowed) {
                if let value = type.value(value), !values.contains(value) { values.append(value) }
            }
            // A longer list is left out as a whole, since a shortened list would reject valid values.
            if allowed.count <= Self.mostAllowed { type.allowed = values }
        }
        return type
    }

    private static let mostAllowed = 1000

    private func kind(of shape: SchemaShape, in place: ParamPlace) -> Parameter.Kind {
        if place == .part, shape.isBinary { return .file }
        let other: Parameter.Kind = place == .json ? .json : .string
        switch shape.type {
        case "string", "file": return .string
        case "integer": return .integer
        case "number": return .number
        case "boolean": return .boolean
        case "array": return place == .json ? .json : .list
        case "object": return .json
        case nil:
            if !shape.types.isEmpty {
                let isText = shape.types.allSatisfy { ["string", "integer", "number", "boolean"].contains($0) }
                return isText && shape.types.contains("string") && shape.alternatives.isEmpty ? .string : other
            }
            guard let allowed = shape.allowed, shape.alternatives.isEmpty else { return other }
            if allowed.allSatisfy({ $0.kind == .string }) { return .string }
            return allowed.allSatisfy { $0.number?.isInteger == true } ? .integer : other
        default: return other
        }
    }

    private mutating func addConstraints(of shape: SchemaShape, to type: inout ParamType) {
        if type.kind == .string {
            type.minLength = shape["minLength"].flatMap { Self.count($0) }.flatMap { $0 > 0 ? $0 : nil }
            type.maxLength = shape["maxLength"].flatMap { Self.count($0) }
            if let least = type.minLength, let most = type.maxLength, most < least { type.maxLength = nil }
            if shape.allowed == nil { type.format = shape["format"]?.string.flatMap { Parameter.Format(rawValue: $0) } }
            if shape["pattern"] == nil, shape["format"]?.string == "uuid", shape.allowed == nil {
                (type.pattern, type.minLength, type.maxLength) = (ForeignPattern.uuid, nil, nil)
            }
            if let pattern = shape["pattern"], let text = pattern.string?.withoutPatternSlashes {
                type.pattern = ForeignPattern.whole(text)
                if type.pattern == nil {
                    note(.lost, "a pattern can't be converted to a pattern of a param", text, at: pattern.place)
                }
            }
            return
        }
        (type.minimum, type.maximum) = (limit("inimum", shape, type), limit("aximum", shape, type))
        if let least = type.minimum.flatMap({ JSONNumber($0) }), let most = type.maximum.flatMap({ JSONNumber($0) }),
            most < least
        {
            type.maximum = nil
        }
        if let step = shape["multipleOf"], step.number != JSONNumber(1) {
            note(.lost, "\"multipleOf\" of a param is not converted", at: step.place)
        }
    }

    /// The limit for `minimum` or `maximum`. An exclusive limit is converted to an inclusive limit.
    private mutating func limit(_ word: String, _ shape: SchemaShape, _ type: ParamType) -> String? {
        let isMinimum = word == "inimum"
        let (plain, exclusive) = (shape[isMinimum ? "minimum" : "maximum"], shape["exclusiveM" + word])
        let excluded = exclusive?.bool == true ? plain : exclusive?.kind == .number ? exclusive : nil
        guard let excluded else { return plain.flatMap { $0.number?.text } }
        if type.kind == .integer, let number = Int(excluded.numberText), number.magnitude < 1 << 53 {
            return String(number + (isMinimum ? 1 : -1))
        }
        note(.approximated, "an exclusive limit becomes an inclusive limit", at: excluded.place)
        return excluded.number?.text
    }

    private static func count(_ value: JSONValue) -> Int? {
        Int(value.numberText).flatMap { $0 >= 0 ? $0 : nil }
    }

    // MARK: Values

    /// The definition of a param.
    ///
    /// - Parameters:
    ///   - examples: The values that the description shows for the param. They are used before the examples of the schema.
    ///   - isSecret: Whether the place or the name of the param shows that the value is a credential. The description may show a
    ///     real credential.
    ///   - isDeprecated: Whether the param itself is deprecated, and not only its schema.
    ///   - takesDefault: Whether the default of the schema becomes the default of the param. If so, the default is sent.
    mutating func param(
        _ name: String, _ type: ParamType, _ schema: JSONValue?, _ shape: SchemaShape, isRequired: Bool,
        isSecret: Bool = false, isDeprecated: Bool = false,
        description: String? = nil, examples: [JSONValue] = [], takesDefault: Bool = false
    ) -> ImportedParam {
        var param = ImportedParam(name, type)
        if isDeprecated || shape["deprecated"]?.bool == true { param.isDeprecated = true }
        let summary = (description ?? shape["description"]?.string)?.firstParagraph ?? ""
        if !summary.isEmpty { param.description = summary }
        if !isRequired { param.required = false }
        if isSecret {
            if isRequired { param.example = sampleValue(for: type, schema, shape, isSecret: true) }
            param.secret = true
            return param
        }
        let standard = shape["default"].flatMap { type.value($0) }.flatMap { $0.compact.contains("{{") ? nil : $0 }
        let candidates = examples + [shape.example].compactMap(\.self)
        if takesDefault, let standard {
            (param.defaultValue, param.required) = (standard, nil)
            return param
        }
        param.example = candidates.lazy.compactMap { type.value($0) }.first ?? standard
        if isRequired, param.example == nil, type.kind != .file {
            param.example = sampleValue(for: type, schema, shape)
        }
        return param
    }

    /// A value that a schema accepts, for a param that needs a value.
    ///
    /// - Parameter isSecret: Whether the value is a credential. If so, no example of the description is used.
    private mutating func sampleValue(
        for type: ParamType, _ schema: JSONValue?, _ shape: SchemaShape, isSecret: Bool = false
    ) -> OrderedJSON? {
        if let first = type.allowed.first { return first }
        var maker = SchemaSample(isForRequests: true, isSecret: isSecret)
        if type.kind == .list {
            guard let item = type.items.first else { return nil }
            let items = document.shape(of: shape["items"])
            let shown = isSecret ? nil : items.example.flatMap { item.value($0) }
            let value = shown ?? sampleValue(for: item, shape["items"], items, isSecret: isSecret)
            return value.map { .array(Array(repeating: $0, count: min(max(type.minItems ?? 1, 1), 10))) }
        }
        let value = maker.value(of: schema, &document)
        if let value, type.accepts(value) { return value }
        // The schema states no type, or the reference to the schema can't be resolved.
        let text: OrderedJSON? = value.flatMap { if case .string = $0 { nil } else { .string($0.compact) } }
        let word: OrderedJSON = isSecret ? .string(SchemaSample.secretText) : "example"
        let other: [OrderedJSON?] = type.kind == .json ? [.object([])] : [text, word, 1, true]
        return other.compactMap(\.self).first { type.accepts($0) }
    }
}
