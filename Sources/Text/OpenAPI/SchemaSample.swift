import ReqcliJSONPath
package import ReqcliText

/// Makes a value that fits a schema: an example of the description, else the simplest value.
package struct SchemaSample {
    /// Whether the value is for a request. If so, the value has no members that are only for responses.
    package let isForRequests: Bool
    /// The number of values that may still be made.
    private var budget = 2000
    /// The schemas that contain the current schema. A schema inside itself gets no value.
    private var open: Set<Spot> = []

    private let usesExamples: Bool
    /// Whether the value is a sample for a secret. Secrets are masked at every place in the output, so the sample must not be an
    /// ordinary word.
    private let isSecret: Bool

    package init(isForRequests: Bool, usesExamples: Bool = true, isSecret: Bool = false) {
        self.isForRequests = isForRequests
        self.usesExamples = usesExamples && !isSecret
        self.isSecret = isSecret
    }

    private static let deepest = 16

    /// A value for the schema; nil if no value is found.
    package mutating func value(of schema: JSONValue?, _ document: inout OpenAPIDocument) -> OrderedJSON? {
        guard let schema, budget > 0, open.count < Self.deepest else { return nil }
        budget -= 1
        if schema.bool != nil { return .object([]) }
        guard let target = document.resolve(schema), open.insert(Spot(target)).inserted else { return nil }
        defer { open.remove(Spot(target)) }
        let shape = document.shape(of: schema)
        let shown = usesExamples ? [shape.example, shape["default"]] : []
        for known in [shape["const"]] + shown + [shape["enum"]?.elements.first { _ in true }] {
            if let known, shape.allows(known) { return OrderedJSON(known) }
        }
        if let first = shape.alternatives.first, shape.properties.isEmpty { return value(of: first, &document) }
        switch shape.type ?? shape.types.first {
        case "object": return object(shape, &document)
        case "array": return array(shape, &document)
        case "integer", "number": return number(shape)
        case "boolean": return true
        case "string": return text(shape).map { .string($0) }
        case nil where shape.isNullable && shape.types.isEmpty && shape.properties.isEmpty: return .null
        case nil: return text(shape).map { .string($0) }
        default: return nil
        }
    }

    private mutating func object(_ shape: SchemaShape, _ document: inout OpenAPIDocument) -> OrderedJSON? {
        var members: [OrderedJSON.Member] = []
        for property in shape.properties {
            let isRequired = shape.required.contains(property.name)
            if budget <= 0 && !isRequired { continue }
            let inner = document.shape(of: property.value)
            if isForRequests ? inner.isReadOnly : inner.isWriteOnly { continue }
            // A request gets only the required members, a response all members.
            if isForRequests, !isRequired { continue }
            guard let value = value(of: property.value, &document) else {
                if isRequired, !inner.isNullable { return members.isEmpty ? .object([]) : .object(members) }
                if isRequired { members.append(OrderedJSON.Member(property.name, .null)) }
                continue
            }
            members.append(OrderedJSON.Member(property.name, value))
        }
        return .object(members)
    }

    private mutating func array(_ shape: SchemaShape, _ document: inout OpenAPIDocument) -> OrderedJSON? {
        let least = shape["minItems"].flatMap { Int($0.numberText) } ?? 0
        let most = shape["maxItems"].flatMap { Int($0.numberText) } ?? .max
        guard most > 0, let items = shape["items"], let value = value(of: items, &document) else {
            return least > 0 ? nil : .array([])
        }
        guard least > 1, least <= 20 else { return .array([value]) }
        return .array(Array(repeating: value, count: least))
    }

    private func number(_ shape: SchemaShape) -> OrderedJSON? {
        func limit(_ name: String, _ exclusive: String, by step: Int) -> OrderedJSON? {
            let plain = shape[name].flatMap(\.number)
            let flag = shape[exclusive]?.bool == true
            guard let number = flag ? plain : shape[exclusive]?.number ?? plain else { return nil }
            let isExclusive = flag || shape[exclusive]?.number != nil
            if !isExclusive { return .number(number.text) }
            return Double(number.text).flatMap { Int(exactly: ($0 + Double(step)).rounded()) }.map { .int($0) }
        }
        if let least = limit("minimum", "exclusiveMinimum", by: 1) {
            if let step = shape["multipleOf"]?.number, case .number(let text) = least, let size = Double(step.text),
                let start = Double(text), size > 0, let count = Int(exactly: (start / size).rounded(.up)),
                let value = Int(exactly: Double(count) * size)
            {
                return .int(value)
            }
            return least
        }
        if let step = shape["multipleOf"]?.number { return .number(step.text) }
        guard let most = limit("maximum", "exclusiveMaximum", by: -1), case .number(let text) = most else {
            return isSecret ? .int(Self.secretNumber) : 1
        }
        return Double(text).map { $0 < 1 } == true ? most : 1
    }

    // MARK: Texts

    private static let formats: [String: String] = [
        "date-time": "2026-01-01T00:00:00Z", "date": "2026-01-01", "time": "00:00:00Z", "duration": "P1D",
        "email": "user@example.com", "idn-email": "user@example.com", "hostname": "example.com",
        "idn-hostname": "example.com", "ipv4": "192.0.2.1", "ip": "192.0.2.1", "ipv6": "2001:db8::1",
        "uri": "https://example.com/", "url": "https://example.com/", "iri": "https://example.com/",
        "uri-reference": "https://example.com/", "iri-reference": "https://example.com/",
        "uuid": "00000000-0000-4000-8000-000000000000", "byte": "ZXhhbXBsZQ==", "json-pointer": "/example",
        "relative-json-pointer": "0", "uri-template": "https://example.com/{id}", "regex": ".*",
    ]

    /// The sample for a secret that is a string.
    package static let secretText = "x7-stand-in-k2"
    package static let secretNumber = 724_901

    private func text(_ shape: SchemaShape) -> String? {
        let least = shape["minLength"].flatMap { Int($0.numberText) } ?? 0
        let most = shape["maxLength"].flatMap { Int($0.numberText) } ?? .max
        if let pattern = shape["pattern"]?.string?.withoutPatternSlashes, (try? IRegexp(ecma: pattern)) != nil {
            guard let text = IRegexp.sample(ecma: pattern, length: least) else { return nil }
            return text.unicodeScalars.count <= most ? text : nil
        }
        if let format = shape["format"]?.string, let text = Self.formats[format] { return text }
        guard least <= 1000 else { return nil }
        let word = isSecret ? Self.secretText : "example"
        let text = least > word.count ? String(repeating: word + " ", count: least / word.count + 1) : word
        return String(text.prefix(max(least, min(most, word.count))))
    }
}

extension SchemaShape {
    /// Whether the type of a value is one that the schema allows.
    fileprivate func allows(_ value: JSONValue) -> Bool {
        if types.isEmpty { return true }
        let names: [String] =
            switch value.kind {
            case .object: ["object"]
            case .array: ["array"]
            case .string: ["string"]
            case .number: value.number?.isInteger == true ? ["integer", "number"] : ["number"]
            case .true, .false: ["boolean"]
            case .null: ["null"]
            case .invalid: []
            }
        return names.contains { types.contains($0) } || value.isNull && isNullable
    }
}
