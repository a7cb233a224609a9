package import ReqcliText

/// A name that can be written at a place.
package struct NameCandidate: Sendable {
    package let text: String
    /// The kind of the name, or what the file says about it.
    package let detail: String

    package init(_ text: String, _ detail: String) {
        self.text = text
        self.detail = detail
    }
}

extension WorkspaceReading {
    /// The endpoint, or the stand-in of the scenario, that a file defines at a path in it.
    ///
    /// - Parameter file: The file as messages show it.
    package func owner(of path: [JSONValue.Step], in file: String) -> LocatedEndpoint? {
        if let read = endpointFiles.first(where: { workspace.shown($0.entry.path) == file }), let value = read.value {
            guard value.group != nil else { return value.located.first }
            guard path.count > 1, path[0] == .key("endpoints"), case .key(let name) = path[1] else { return nil }
            return value.located.first { $0.id == "\(value.id).\(name)" }
        }
        return scenarioFiles.first { workspace.shown($0.entry.path) == file }?.value?.scope
    }

    /// The names that a placeholder can have at a path in a file.
    package func placeholderCandidates(at path: [JSONValue.Step], in file: String) -> [NameCandidate] {
        let owner = owner(of: path, in: file)
        let parameters = (owner?.parameters ?? []).map { NameCandidate($0.name, "param") }
        let definitions = environmentFiles.compactMap(\.value)
        let variables = Set(definitions.flatMap(\.declaredVariables)).sorted().map { NameCandidate($0, "variable") }
        let secrets = Set(definitions.flatMap(\.declaredSecrets)).sorted().map {
            NameCandidate("secret.\($0)", "secret")
        }
        var captures: [NameCandidate] = []
        func add(_ alias: String, _ id: String?, _ own: [Named<Capture>] = []) {
            let names = own.map(\.name) + (id.flatMap(endpoint)?.definition.captures.map(\.name) ?? [])
            captures += names.map { NameCandidate("\(alias).\($0)", "capture of \(id ?? alias)") }
        }
        for need in owner?.needs ?? [] { add(need.name, need.value.endpoint?.value) }
        if let scenario = scenarioFiles.first(where: { workspace.shown($0.entry.path) == file })?.value {
            for step in scenario.definition.all {
                if let name = step.name { add(name.value, step.endpoint?.value, step.captures) }
            }
        } else {
            for need in definitions.flatMap(\.needs) { add(need.name, need.value.set?.endpoint?.value) }
        }
        let generated = Placeholder.Generated.allCases.map { NameCandidate($0.rawValue, "generated") }
        var known: Set<String> = []
        return (parameters + captures + variables + secrets + generated).filter { known.insert($0.text).inserted }
    }

    package func endpoint(_ id: String) -> LocatedEndpoint? {
        let group = id.lastIndex(of: ".").map { String(id[..<$0]) }
        for file in endpointFiles where file.entry.id == id || file.entry.id == group {
            if let found = file.value?.located.first(where: { $0.id == id }) { return found }
        }
        return nil
    }

    package var allEndpoints: [LocatedEndpoint] { endpointFiles.flatMap { $0.value?.located ?? [] } }

    package var allScenarios: [LocatedScenario] { scenarioFiles.compactMap(\.value) }

    package var environments: [EnvironmentDefinition] { environmentFiles.compactMap(\.value) }
}
