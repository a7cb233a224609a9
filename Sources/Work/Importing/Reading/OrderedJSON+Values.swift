package import ReqcliDefinitions
package import ReqcliText

extension OrderedJSON {
    /// A text without placeholders, written as in an endpoint file.
    package static func literal(_ text: String) -> OrderedJSON { .string(TextTemplate.escaped(text)) }

    /// The value itself if there is only one, else a list of the values.
    package static func oneOrMore(_ values: [OrderedJSON]) -> OrderedJSON {
        values.count == 1 ? values[0] : .array(values)
    }

    /// The value of a query item: a number or a boolean if the text has this form, else a string.
    package static func typed(_ text: String) -> OrderedJSON {
        if isPlainInteger(text) { return .number(text) }
        return text == "true" || text == "false" ? .bool(text == "true") : .string(text)
    }

    /// The type of the param that has this value.
    package var parameterKind: Parameter.Kind {
        switch self {
        case .string: .string
        case .number(let text): Self.isPlainInteger(text) ? .integer : .number
        case .bool: .boolean
        case .null, .array, .object: .json
        }
    }

    /// A scalar as text; nil for null, a list and an object.
    package var scalarText: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .bool(let value): value ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    /// The JSON value that is written in a string, such as a number for a string of digits. This value replaces a placeholder
    /// without quotes in JSON.
    var jsonOfText: OrderedJSON {
        guard case .string(let text) = self else { return self }
        let document = JSONDocument.read(
            SourceFile(name: "value", text: text), limits: JSONReader.Limits(depth: 100, problems: 1))
        guard let root = document.validRoot, !root.hasRepeatedKeys, root.kind != .string else { return self }
        return OrderedJSON(root).escapingBraces
    }

    /// Whether a string is a whole number of at most 15 characters in the usual form, so that it is sent unchanged as a param.
    private static func isPlainInteger(_ text: String) -> Bool {
        guard let number = Int(text), text.utf8.count <= 15 else { return false }
        return String(number) == text
    }
}

/// Members as headers. The case of their names makes no difference.
extension [OrderedJSON.Member] {
    func contains(_ name: String) -> Bool { contains { $0.name.lowercased() == name.lowercased() } }

    /// The value of a header; nil if the header is missing or has several values.
    func text(_ name: String) -> String? {
        let values = filter { $0.name.lowercased() == name.lowercased() }
        guard values.count == 1, case .string(let text) = values[0].value else { return nil }
        return text
    }

    mutating func remove(_ name: String) { removeAll { $0.name.lowercased() == name.lowercased() } }

    /// Adds a header unless there is one of this name.
    mutating func add(_ name: String, _ value: OrderedJSON) {
        if !contains(name) { append(OrderedJSON.Member(name, value)) }
    }
}

extension [OrderedJSON.Member] {
    /// The members whose values aren't nil.
    static func present(_ members: KeyValuePairs<String, OrderedJSON?>) -> [OrderedJSON.Member] {
        OrderedJSON.object(members).objectMembers ?? []
    }

    /// The members as an object; nil if there is none.
    var nonEmpty: OrderedJSON? { isEmpty ? nil : .object(self) }

    /// Makes one member for each name. Several values of a name become a list, at the position of the first value. Names are escaped
    /// as in a file.
    ///
    /// - Parameter ignoringCase: Whether names that differ only in case are the same name, as in headers.
    package static func grouped(
        _ items: [(name: String, value: OrderedJSON)], ignoringCase: Bool = false
    ) -> [OrderedJSON.Member] {
        var order: [String] = []
        var values: [String: [OrderedJSON]] = [:]
        var keys: [String] = []
        for (name, value) in items {
            let key = ignoringCase ? name.lowercased() : name
            if values[key] == nil {
                order.append(name)
                keys.append(key)
            }
            values[key, default: []].append(value)
        }
        return zip(order, keys).map { name, key in
            OrderedJSON.Member(TextTemplate.escaped(name), .oneOrMore(values[key] ?? []))
        }
    }
}
