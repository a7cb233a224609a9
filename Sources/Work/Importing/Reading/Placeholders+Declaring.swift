import ReqcliDefinitions
import ReqcliText

/// Variables by name. A later value of a variable replaces an earlier value, and the variable moves to the end.
struct LastMembers {
    private var values: [String: (order: Int, value: OrderedJSON)] = [:]
    private var count = 0

    mutating func set(_ member: OrderedJSON.Member) {
        values[member.name] = (count, member.value)
        count += 1
    }

    var members: [OrderedJSON.Member] { members { _ in true } }

    /// The variables with one of these names.
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
    /// Adds params for the variables that the request uses, with their values as defaults.
    mutating func addDefaults(_ variables: LastMembers) {
        addDefaults(variables.named(Set(placeholders)))
    }

    /// Adds params for the variables that the request uses, with their values as defaults.
    mutating func addDefaults(_ variables: [OrderedJSON.Member]) {
        guard !variables.isEmpty else { return }
        let used = Set(placeholders)
        var known = Set(params.map(\.name))
        for variable in variables where used.contains(variable.name) && known.insert(variable.name).inserted {
            params.append(ImportedParam(variable.name, defaultValue: variable.value))
        }
    }
}

extension ImportedAPI {
    /// Adds params of the type `json` for placeholders whose values are JSON, unless a variable or a capture has the value.
    ///
    /// - Parameter names: The names of such placeholders in each request.
    mutating func declareJSON(_ names: [Set<String>]) {
        keepTexts(notAmong: names)
        var given = Set(environments.flatMap { ($0.variables + $0.secrets).map(\.name) })
        for request in requests { given.formUnion(request.captures.map(\.name)) }
        for (index, names) in zip(requests.indices, names) where !names.isEmpty {
            let known = Set(requests[index].params.map(\.name))
            for name in names.sorted() where !given.contains(name) && !name.contains("$") && !name.contains(".") {
                if known.contains(name) { continue }
                requests[index].params.append(ImportedParam(name, .json))
            }
        }
    }
}

extension ImportedAPI {
    /// Gives variables and params the type with which the source sends them. If the placeholder is without quotes in a JSON body,
    /// a string is replaced by the JSON in the string. If the placeholder is in quotes, a number becomes a string. For a variable
    /// that is used with and without quotes, a second variable with the string is added.
    ///
    /// - Parameter bareNames: The names of placeholders whose values are JSON, for each request.
    mutating func keepTexts(notAmong bareNames: [Set<String>]) {
        let quotedNames = zip(requests, bareNames).map { request, bareNames in
            Set(request.body?.json?.wholePlaceholders ?? []).subtracting(bareNames)
        }
        for (index, (quoted, bare)) in zip(quotedNames, bareNames).enumerated() where !(quoted.isEmpty && bare.isEmpty)
        {
            for position in requests[index].params.indices {
                let name = requests[index].params[position].name
                if quoted.contains(name) {
                    requests[index].params[position].changeDefault { $0.scalarText.map { .string($0) } ?? $0 }
                } else if bare.contains(name) {
                    requests[index].params[position].changeDefault(\.jsonOfText)
                }
            }
        }
        let quoted = quotedNames.reduce(into: Set<String>()) { $0.formUnion($1) }
        let bare = bareNames.reduce(into: Set<String>()) { $0.formUnion($1) }
        for index in environments.indices {
            environments[index].variables = environments[index].variables.map {
                bare.contains($0.name) ? OrderedJSON.Member($0.name, $0.value.jsonOfText) : $0
            }
        }
        let secondNames = addTexts(of: quoted.intersection(bare))
        for (index, names) in quotedNames.enumerated() {
            let own = names.subtracting(requests[index].params.map(\.name))
            let replaced = secondNames.filter { own.contains($0.key) }
            if replaced.isEmpty { continue }
            requests[index].body = requests[index].body?.mappingTexts { _, text in
                let template = TemplateText(text)
                let name = template.isOnePlaceholder ? template.placeholders.first.flatMap { replaced[$0] } : nil
                return name.map { "{{\($0)}}" } ?? text
            }
        }
        for index in environments.indices {
            environments[index].variables = environments[index].variables.map { variable in
                guard quoted.contains(variable.name), !bare.contains(variable.name),
                    let text = variable.value.scalarText
                else { return variable }
                return OrderedJSON.Member(variable.name, .string(text))
            }
        }
    }

    /// For each variable whose value isn't a string in an environment, adds a variable with the value as a string.
    ///
    /// - Returns: The names of the added variables, by the names of the original variables.
    private mutating func addTexts(of names: Set<String>) -> [String: String] {
        let others = environments.flatMap(\.variables).filter { variable in
            guard names.contains(variable.name), let text = variable.value.scalarText else { return false }
            return variable.value != .string(text)
        }
        if others.isEmpty { return [:] }
        var names = Set(environments.flatMap { ($0.variables + $0.secrets).map(\.name) })
        for request in requests { names.formUnion(request.params.map(\.name) + request.captures.map(\.name)) }
        var taken = ParamNames(names)
        var added: [String: String] = [:]
        for name in Set(others.map(\.name)).sorted() { added[name] = taken.take("\(name)-text") }
        for index in environments.indices {
            environments[index].variables = environments[index].variables.flatMap { variable in
                guard let name = added[variable.name], let text = variable.value.scalarText else { return [variable] }
                return [variable, OrderedJSON.Member(name, .string(text))]
            }
        }
        return added
    }
}

extension ImportedParam {
    /// Changes the default, and sets the type to the type of the new default.
    fileprivate mutating func changeDefault(_ change: (OrderedJSON) -> OrderedJSON) {
        guard let old = defaultValue, case let new = change(old), new != old else { return }
        (kind, defaultValue) = (new.parameterKind, new)
    }
}

extension OrderedJSON {
    /// The names of placeholders that make up a whole string.
    var wholePlaceholders: [String] {
        switch self {
        case .string(let text):
            let template = TemplateText(text)
            return template.isOnePlaceholder ? template.placeholders : []
        case .array(let elements): return elements.flatMap(\.wholePlaceholders)
        case .object(let members): return members.flatMap(\.value.wholePlaceholders)
        case .null, .bool, .number: return []
        }
    }
}
