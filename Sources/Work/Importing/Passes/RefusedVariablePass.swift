import ReqcliBasics
import ReqcliText

/// Renames variables of the source if an environment has a variable of the same name that contains a secret. The environment keeps
/// its variable, so without a new name, a request to another server would send the secret.
struct RefusedVariablePass {
    /// Variables of environments that the source must not use.
    let refused: Set<String>

    func apply(to api: inout ImportedAPI) {
        let defined = Set(api.environments.flatMap { $0.variables.map(\.name) })
        let clashes = defined.intersection(refused)
        if clashes.isEmpty { return }
        var free = UniqueNames(defined.union(refused), separator: "")
        var names: [String: String] = [:]
        for name in clashes.sorted() { names[name] = free.take(ParamNames.clean(name)) }
        api.rename { names[$0] }
        for index in api.environments.indices {
            api.environments[index].variables = api.environments[index].variables.map {
                OrderedJSON.Member(names[$0.name] ?? $0.name, $0.value)
            }
        }
    }
}
