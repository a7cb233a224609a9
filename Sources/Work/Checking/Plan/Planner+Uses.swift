import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

extension Planner {
    /// The cases and scenarios that use one of the files of `--uses`; all cases and scenarios without `--uses`.
    mutating func usingFiles(
        _ selected: [Selected], _ scenarios: [ScenarioChoice]
    ) -> ([Selected], [ScenarioChoice]) {
        guard let files = request.usedFiles else { return (selected, scenarios) }
        let users = users(of: files)
        let kept = selected.filter { isAny(of: users, neededBy: $0.endpoint) }
        let keptScenarios = scenarios.filter { isAny(of: users, files, usedBy: $0.scenario) }
        if kept.isEmpty, keptScenarios.isEmpty, !(selected.isEmpty && scenarios.isEmpty), problems.isEmpty {
            report(
                .usage, .nothingSelected,
                "there is nothing to check: no selected case uses \(files.sorted().joined(separator: " or "))", at: nil,
                hint: "leave out --uses to run all cases")
        }
        return (kept, keptScenarios)
    }

    private func isAny(of users: Set<String>, _ files: Set<String>, usedBy scenario: LocatedScenario) -> Bool {
        if files.contains(scenario.file.name) { return true }
        let names = files.compactMap { $0.split(separator: "/").last }.map { Array($0.utf8) }
        if names.contains(where: { scenario.file.bytes.contains($0) }) { return true }
        return scenario.definition.all.contains { step in
            guard let id = step.endpoint?.value, let endpoint = catalogue.endpoint(id) else { return false }
            return isAny(of: users, neededBy: endpoint)
        }
    }

    /// The ids of the endpoints that are defined in one of these files, or whose file mentions the name of one, such as a stub, a
    /// body or a document. A name that occurs by chance makes the run include a case too many, but no case is missed.
    private func users(of files: Set<String>) -> Set<String> {
        var names = files.compactMap { $0.split(separator: "/").last }.map { Array($0.utf8) }
        // A schema may refer to any other schema.
        if files.contains(where: { $0.contains("\(SchemaStore.folder)/") }) { names.append(Array("\"schema\"".utf8)) }
        // An API description may refer to files anywhere below its own folder.
        if files.contains(where: { !catalogue.isDefinition($0) }) { names.append(Array("\"openapi\"".utf8)) }
        var isUser: [String: Bool] = [:]
        let users = catalogue.endpoints.filter { endpoint in
            let file = endpoint.file
            if let known = isUser[file.name] { return known }
            let isOne = files.contains(file.name) || names.contains { file.bytes.contains($0) }
            isUser[file.name] = isOne
            return isOne
        }
        return Set(users.map(\.id))
    }

    private func isAny(of users: Set<String>, neededBy endpoint: LocatedEndpoint) -> Bool {
        var seen: Set<String> = []
        var rest = [endpoint]
        while let next = rest.popLast() {
            guard seen.insert(next.id).inserted else { continue }
            if users.contains(next.id) { return true }
            rest += next.needs.compactMap { $0.value.endpoint.flatMap { catalogue.endpoint($0.value) } }
        }
        return false
    }
}
