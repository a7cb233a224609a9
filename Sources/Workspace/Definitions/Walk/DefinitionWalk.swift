import ReqcliText

/// The definition that contains a mention. It decides which names the mention can use.
enum MentionScope {
    /// The file `reqcli.json`.
    case settings
    case environment(EnvironmentDefinition)
    /// The defaults of a group.
    case defaults(GroupDefaults)
    case endpoint(LocatedEndpoint)
    case scenario(LocatedScenario)
    case load(LocatedLoad)
}

extension DefinitionIndex {
    /// Visits all mentions in the files to validate, each with the definition that contains it.
    func walk(_ visit: (Mention, MentionScope) -> Void) {
        if let chosen = settings.environment { visit(.environment(chosen), .settings) }
        for environment in environments { environment.walk { visit($0, .environment(environment)) } }
        for file in files {
            if let defaults = file.defaults { defaults.walk { visit($0, .defaults(defaults)) } }
            for endpoint in file.located { endpoint.definition.walk { visit($0, .endpoint(endpoint)) } }
        }
        for scenario in scenarios { scenario.definition.walk { visit($0, .scenario(scenario)) } }
        for load in loads { load.definition.walk { visit($0, .load(load)) } }
    }

    /// The params of all files to validate.
    var parameters: [Parameter] {
        let defaults = files.compactMap(\.defaults).flatMap(\.parameters)
        let own = endpoints.flatMap(\.definition.parameters) + scenarios.flatMap(\.definition.parameters)
        return (defaults + own).map(\.value)
    }
}

extension WorkspaceReading {
    /// The mention at a byte of a file. If a mention contains another one, such as a file name with a placeholder, the inner
    /// mention is returned.
    package func mention(at offset: Int, in file: String) -> Mention? {
        var found: Mention?
        DefinitionIndex(self).walk { mention, _ in
            let place = mention.place
            guard place.file.name == file, place.range.contains(offset) else { return }
            if found.map({ place.range.count < $0.place.range.count }) ?? true { found = mention }
        }
        return found
    }
}
