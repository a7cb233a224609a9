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

extension OrderedJSON {
    /// A scalar as text; empty for any other value.
    var plainText: String {
        switch self {
        case .string(let text), .number(let text): text
        case .bool(let value): value ? "true" : "false"
        case .null, .array, .object: ""
        }
    }
}
