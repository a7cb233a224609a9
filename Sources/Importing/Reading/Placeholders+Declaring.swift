import SourceText

extension ImportedRequest {
    /// Makes params of the variables that its texts use, with their values as defaults.
    mutating func addDefaults(_ variables: [OrderedJSON.Member]) {
        guard !variables.isEmpty else { return }
        let used = Set(texts.flatMap { TemplateText($0).placeholders })
        for variable in variables where used.contains(variable.name) {
            if params.contains(where: { $0.name == variable.name }) { continue }
            params.append(
                OrderedJSON.Member(
                    variable.name,
                    .object(["type": .string(variable.value.parameterType), "default": variable.value])))
        }
    }
}

extension ImportedAPI {
    /// Makes params of the type `json` of placeholders that stand for JSON, where neither a variable nor a capture gives their values.
    ///
    /// - Parameter names: The names of each request.
    mutating func declareJSON(_ names: [Set<String>]) {
        keepTexts(notAmong: names)
        var given = Set(environments.flatMap { ($0.variables + $0.secrets).map(\.name) })
        for request in requests { given.formUnion(request.captures.map(\.name)) }
        for (index, names) in zip(requests.indices, names) {
            for name in names.sorted() where !given.contains(name) && !name.contains("$") && !name.contains(".") {
                if requests[index].params.contains(where: { $0.name == name }) { continue }
                requests[index].params.append(OrderedJSON.Member(name, .object(["type": "json"])))
            }
        }
    }
}

extension ImportedAPI {
    /// Makes texts of numbers that JSON has in quotes: without them another value would be sent.
    private mutating func keepTexts(notAmong bareNames: [Set<String>]) {
        var quoted: Set<String> = []
        for (index, bareNames) in zip(requests.indices, bareNames) {
            guard let body = requests[index].body, ["json", "graphql"].contains(body.name) else { continue }
            let names = body.value.wholePlaceholders.subtracting(bareNames)
            if names.isEmpty { continue }
            quoted.formUnion(names)
            requests[index].params = requests[index].params.map { names.contains($0.name) ? $0.withTextAsDefault : $0 }
        }
        quoted.subtract(bareNames.joined())
        for index in environments.indices {
            environments[index].variables = environments[index].variables.map { variable in
                guard quoted.contains(variable.name), let text = variable.value.scalarText else { return variable }
                return OrderedJSON.Member(variable.name, .string(text))
            }
        }
    }
}

extension OrderedJSON.Member {
    /// The param with a text in place of a number.
    fileprivate var withTextAsDefault: OrderedJSON.Member {
        guard let members = value.objectMembers, let value = members.first(where: { $0.name == "default" })?.value,
            let text = value.scalarText, value != .string(text)
        else { return self }
        let kept = members.filter { $0.name != "type" && $0.name != "default" }
        return OrderedJSON.Member(
            name,
            .object([Self("type", "string")] + kept + [Self("default", .string(text))]))
    }
}

extension OrderedJSON {
    /// The names of placeholders that are all of a string.
    fileprivate var wholePlaceholders: Set<String> {
        switch self {
        case .string(let text):
            let template = TemplateText(text)
            return template.isOnePlaceholder ? Set(template.placeholders) : []
        case .array(let elements): return elements.reduce(into: []) { $0.formUnion($1.wholePlaceholders) }
        case .object(let members): return members.reduce(into: []) { $0.formUnion($1.value.wholePlaceholders) }
        case .null, .bool, .number: return []
        }
    }

    /// A scalar as text; empty for any other value.
    var plainText: String {
        switch self {
        case .string(let text), .number(let text): text
        case .bool(let value): value ? "true" : "false"
        case .null, .array, .object: ""
        }
    }
}
