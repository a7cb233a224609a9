import SourceText

/// Variables of which the last of a name counts, in the order in which they were set last.
struct LastMembers {
    private var values: [String: (order: Int, value: OrderedJSON)] = [:]
    private var count = 0

    mutating func set(_ member: OrderedJSON.Member) {
        values[member.name] = (count, member.value)
        count += 1
    }

    var members: [OrderedJSON.Member] { members { _ in true } }

    /// Those with one of these names.
    func named(_ names: Set<String>) -> [OrderedJSON.Member] {
        if names.count < values.count {
            let found = names.compactMap { name in values[name].map { (name: name, value: $0) } }
            return found.sorted { $0.value.order < $1.value.order }
                .map { OrderedJSON.Member($0.name, $0.value.value) }
        }
        return members { names.contains($0) }
    }

    private func members(where isWanted: (String) -> Bool) -> [OrderedJSON.Member] {
        values.filter { isWanted($0.key) }.sorted { $0.value.order < $1.value.order }
            .map { OrderedJSON.Member($0.key, $0.value.value) }
    }
}

extension ImportedRequest {
    /// Makes params of the variables that its texts use, with their values as defaults.
    mutating func addDefaults(_ variables: LastMembers) {
        addDefaults(variables.named(Set(texts.flatMap { TemplateText($0).placeholders })))
    }

    /// Makes params of the variables that its texts use, with their values as defaults.
    mutating func addDefaults(_ variables: [OrderedJSON.Member]) {
        guard !variables.isEmpty else { return }
        let used = Set(texts.flatMap { TemplateText($0).placeholders })
        var known = Set(params.map(\.name))
        for variable in variables where used.contains(variable.name) && known.insert(variable.name).inserted {
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
        for (index, names) in zip(requests.indices, names) where !names.isEmpty {
            let known = Set(requests[index].params.map(\.name))
            for name in names.sorted() where !given.contains(name) && !name.contains("$") && !name.contains(".") {
                if known.contains(name) { continue }
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
