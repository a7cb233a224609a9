import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText

/// The variables of collections and environments, under names that are valid in placeholders of reqcli.
struct PostmanVariables {
    private var collection: [OrderedJSON.Member] = []
    private var environments: [ImportedEnvironment] = []
    private var secrets: [OrderedJSON.Member] = []
    private var secretNames: Set<String> = []
    /// The positions of the collection's variables in `collection`.
    private var positions: [String: Int] = [:]
    /// Names of variables that have a value in an environment.
    private var named: Set<String> = []
    private var names: [String: String] = [:]
    private var takenNames = ParamNames()
    /// Places of `auth` values that already have a note. Many requests inherit the same `auth`.
    var notedPlaces: Set<String> = []

    // MARK: Names

    /// The converted name of a variable of the source.
    mutating func name(of variable: String) -> String {
        if let known = names[variable] { return known }
        // A name must not contain a dot: in reqcli, the word before a dot is the alias of a needed request.
        let clean = takenNames.take(LikelySecret.isIn(variable) ? "value" : variable)
        names[variable] = clean
        return clean
    }

    /// Converts the content of a placeholder of Postman.
    mutating func meaning(of content: String) -> TemplateText.Piece {
        if let generated = GeneratedNames.postman.placeholder(named: content) { return .placeholder(generated) }
        if content.hasPrefix("vault:") {
            let name = name(of: String(content.dropFirst(6)))
            addSecret(OrderedJSON.Member(name, ""))
            return .placeholder(name)
        }
        return .placeholder(name(of: content.hasPrefix("$") ? String(content.dropFirst()) : content))
    }

    mutating func template(_ text: String) -> TemplateText {
        TemplateText(braced: text) { meaning(of: $0) }
    }

    /// A placeholder for a secret whose value isn't in the source.
    mutating func secret(_ wanted: String) -> String {
        let name = name(of: "secret \(wanted)")
        addSecret(OrderedJSON.Member(name, ""))
        return "{{\(name)}}"
    }

    private mutating func addSecret(_ secret: OrderedJSON.Member) {
        if secretNames.insert(secret.name).inserted { secrets.append(secret) }
    }

    // MARK: Values

    /// Variables with their values. If a name occurs twice, the last one counts.
    mutating func members(_ variables: [CollectionVariable]) -> [OrderedJSON.Member] {
        var result: [OrderedJSON.Member] = []
        var positions: [String: Int] = [:]
        for variable in variables {
            let name = name(of: variable.name)
            let value: OrderedJSON =
                if case .string(let text) = variable.value { .string(template(text).text) } else { variable.value }
            if let position = positions[name] {
                result[position] = OrderedJSON.Member(name, value)
            } else {
                positions[name] = result.count
                result.append(OrderedJSON.Member(name, value))
            }
        }
        return result
    }

    /// Adds variables of a collection. Returns the names of variables that already have another value.
    @discardableResult
    mutating func addCollection(_ variables: [CollectionVariable]) -> [String] {
        var others: [String] = []
        for member in members(variables.filter { !$0.isSecret }) {
            if let known = positions[member.name] {
                if collection[known].value != member.value { others.append(member.name) }
            } else {
                positions[member.name] = collection.count
                collection.append(member)
            }
        }
        for member in members(variables.filter(\.isSecret)) { addSecret(member) }
        return others
    }

    mutating func addEnvironment(_ name: String?, _ variables: [CollectionVariable]) {
        let name = Words.kebab(name?.withoutTokens ?? "")
        var environment = ImportedEnvironment(name: name.isEmpty ? nil : name)
        environment.variables = members(variables.filter { !$0.isSecret })
        environment.secrets = members(variables.filter(\.isSecret))
        environments.append(environment)
        for member in environment.variables where member.value != "" { named.insert(member.name) }
    }

    /// Whether the source has a value for a variable.
    func hasValue(_ name: String) -> Bool {
        named.contains(name) || secretNames.contains(name)
            || positions[name].map { collection[$0].value != "" } ?? false
    }

    /// Sets a variable to a constant from a script; false if the variable already has another value.
    mutating func set(_ name: String, _ value: OrderedJSON) -> Bool {
        if secretNames.contains(name) || named.contains(name) { return false }
        if let position = positions[name] {
            if collection[position].value == "" { collection[position] = OrderedJSON.Member(name, value) }
            return collection[position].value == value
        }
        positions[name] = collection.count
        collection.append(OrderedJSON.Member(name, value))
        return true
    }

    // MARK: The result

    /// The environments with the variables of the collection added. Variables of an environment override variables of the
    /// collection.
    ///
    /// A variable without a value is left out, so that the user has to give the value. But a secret without a value is kept.
    ///
    /// - Parameter captured: Names of variables that responses set.
    func environments(captured: Set<String>) -> [ImportedEnvironment] {
        var result = environments.isEmpty ? [ImportedEnvironment()] : environments
        for index in result.indices {
            let own = Set((result[index].variables.filter { $0.value != "" } + result[index].secrets).map(\.name))
            let all = collection.filter { !own.contains($0.name) } + result[index].variables
            let secrets = secrets.filter { !own.contains($0.name) }
            var taken = Set((result[index].secrets + secrets).map(\.name))
            result[index].secrets += secrets
            result[index].variables = []
            for variable in all where !taken.contains(variable.name) {
                if variable.value != "" {
                    taken.insert(variable.name)
                    result[index].variables.append(variable)
                } else if LikelySecret.isName(variable.name), !captured.contains(variable.name) {
                    taken.insert(variable.name)
                    result[index].secrets.append(variable)
                } else if hasValue(variable.name), !captured.contains(variable.name) {
                    taken.insert(variable.name)
                    result[index].variables.append(variable)
                }
            }
        }
        return result
    }
}
