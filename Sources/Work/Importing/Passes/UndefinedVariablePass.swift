import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// Declares variables that the values of other variables use but the source doesn't define, such as `host` in
/// `https://{{host}}/api`.
///
/// In requests, such names become params. But a variable can't refer to a param.
struct UndefinedVariablePass {
    /// Variables of the environment that a name may refer to.
    let variables: Set<String>
    /// Variables of the environment that a name must not refer to.
    let refused: Set<String>

    func apply(to api: inout ImportedAPI, _ notes: inout [ConversionNote]) {
        var defined = variables
        for environment in api.environments {
            defined.formUnion(environment.variables.map(\.name))
            defined.formUnion(environment.secrets.map(\.name))
        }
        var names: [String: String] = [:]
        var free = UniqueNames(defined.union(refused), separator: "")
        for index in api.environments.indices {
            let used = api.environments[index].placeholders.filter { name in
                !name.hasPrefix("$") && !name.hasPrefix("secret.") && !defined.contains(name)
            }
            var added: Set<String> = []
            for name in used {
                let own = names[name] ?? free.take(ParamNames.clean(name))
                if names[name] == nil {
                    names[name] = own
                    notes.append(
                        ConversionNote(
                            .toDo,
                            "the source has no value for a variable: give the variable a value in the environment", own,
                            at: nil))
                }
                if added.insert(own).inserted {
                    api.environments[index].variables.append(OrderedJSON.Member(own, ""))
                }
            }
        }
        for index in api.environments.indices { api.environments[index].emptyCircles(&notes) }
        let renamed = names.filter { $0.key != $0.value }
        if renamed.isEmpty { return }
        for index in api.environments.indices { api.environments[index].rename { renamed[$0] } }
    }
}

extension ImportedEnvironment {
    /// Removes the values of variables that refer to each other in a circle.
    fileprivate mutating func emptyCircles(_ notes: inout [ConversionNote]) {
        let inner = Dictionary(
            variables.map { ($0.name, Set($0.value.placeholders)) }, uniquingKeysWith: { first, _ in first })
        // Variables that refer to no remaining variable are removed repeatedly. Each variable that is left is in a circle or
        // refers to a circle.
        var counts = inner.mapValues { $0.count { inner[$0] != nil } }
        var users: [String: [String]] = [:]
        for (name, used) in inner { for each in used { users[each, default: []].append(name) } }
        var open = counts.filter { $0.value == 0 }.map(\.key)
        while let next = open.popLast() {
            for user in users[next] ?? [] {
                counts[user, default: 0] -= 1
                if counts[user] == 0 { open.append(user) }
            }
        }
        for (index, variable) in variables.enumerated() where counts[variable.name, default: 0] > 0 {
            variables[index] = OrderedJSON.Member(variable.name, "")
            notes.append(
                ConversionNote(
                    .toDo,
                    "a variable refers to itself, directly or through other variables: give it a value in the environment",
                    variable.name, at: nil))
        }
    }
}
