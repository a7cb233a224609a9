import ReqcliBasics
package import ReqcliText

extension Workspace {
    /// Finds an endpoint. Reads only the files that may define the endpoint. If it isn't found, reads all files for suggestions.
    package func endpoint(_ id: String) -> Diagnosed<Lookup<LocatedEndpoint>> {
        var search = EndpointSearch(self)
        return search.endpoint(id)
    }

    /// The paths of the files over which steps of scenarios loop.
    package var filesOfLoops: [String] {
        let steps = scenarioEntries().value.compactMap { load(scenarioFile: $0).value }.flatMap(\.definition.all)
        return steps.compactMap { step in
            if case .file(let file)? = step.loop?.list { path(file.value) } else { nil }
        }
    }

    /// Finds a scenario by its id. Reads only the files that may define it, and the names of all scenarios for suggestions.
    package func scenario(_ id: String) -> Diagnosed<Lookup<LocatedScenario>> {
        find(id, "scenario", in: Self.scenarioFolder, scenarioEntries()) { load(scenarioFile: $0) }
    }

    /// Finds a load by its id. Reads only the files that may define it, and the names of all loads for suggestions.
    package func load(_ id: String) -> Diagnosed<Lookup<LocatedLoad>> {
        find(id, "load", in: Self.loadFolder, loadEntries()) { load(loadFile: $0) }
    }

    private func find<Found>(
        _ id: String, _ kind: String, in folder: String, _ all: Diagnosed<[Entry]>,
        _ load: (Entry) -> Diagnosed<Found?>
    ) -> Diagnosed<Lookup<Found>> {
        let entries = all.value.filter { "\(kind):\($0.id)" == id }
        let loaded = entries.map(load)
        let problems = loaded.flatMap(\.diagnostics) + clashes(entries, of: kind)
        if problems.contains(where: { $0.severity == .error }) { return Diagnosed(.broken, problems) }
        if let found = loaded.compactMap(\.value).first { return Diagnosed(.found(found), problems) }
        let names = all.value.map { "\(kind):\($0.id)" }
        return Diagnosed(
            .missing(
                NotFound(
                    message: "there is no \(kind) \"\(id.dropFirst(kind.count + 1))\"",
                    hint: NearNames.question(for: id, among: names)
                        ?? (names.isEmpty
                            ? "\(folder)/ contains no \(kind)s" : "run \"reqcli list\" to see all \(kind)s"))))
    }

    /// Reports environments that don't exist although the endpoint has a part for them. Reads no environment.
    fileprivate func unknownEnvironments(of endpoint: LocatedEndpoint) -> [Diagnostic] {
        endpoint.definition.environments.compactMap { overlay in
            missing(environment: overlay.name)?.diagnostic(.environmentUnknown, at: overlay.namePlace)
        }
    }

    /// Whether a word looks like the name of a host, such as `api.example.com`.
    private static func isLikeHost(_ word: String) -> Bool {
        let endings: Set = [
            "com", "org", "net", "io", "dev", "app", "test", "example", "local", "de", "eu", "uk", "fr",
        ]
        return word.contains(".") && word.split(separator: ".").last.map { endings.contains($0.lowercased()) } == true
    }

    fileprivate func unknownEndpoint(_ id: String) -> NotFound {
        let ids = load(endpointFiles: endpointEntries().value).compactMap(\.value).flatMap(\.located).map(\.id)
        let group = ids.filter { $0.hasPrefix(id + ".") }
        if !group.isEmpty {
            return NotFound(
                message: "\"\(id)\" is a group, not an endpoint",
                hint: "endpoints of the group: \(group.listed)")
        }
        if id.hasPrefix(LocatedScenario.prefix) {
            return NotFound(message: "\"\(id)\" is a scenario, not an endpoint", hint: "run \"reqcli check \(id)\"")
        }
        return NotFound(
            message: "there is no endpoint \"\(id)\"",
            hint: NearNames.question(for: id, among: ids)
                ?? "run \"reqcli list\" to see all endpoints"
                + (Self.isLikeHost(id) ? "; a URL has a scheme: https://\(id)" : ""))
    }

    /// The endpoints in the order of their files, with the problems in the files that were read.
    ///
    /// - Parameter isWanted: Whether a file is read.
    package func endpoints(where isWanted: (Entry) -> Bool = { _ in true }) -> Diagnosed<[LocatedEndpoint]> {
        let entries = endpointEntries()
        let files = load(endpointFiles: entries.value.filter(isWanted))
        let endpoints = files.compactMap(\.value).flatMap(\.located)
        return Diagnosed(endpoints, entries.diagnostics + files.flatMap(\.diagnostics) + clashes(endpoints))
    }

    /// The errors for endpoints with the same id.
    package func clashes(_ endpoints: [LocatedEndpoint]) -> [Diagnostic] {
        if Set(endpoints.map(\.id)).count == endpoints.count { return [] }
        let byID = Dictionary(grouping: endpoints, by: \.id)
        var problems: [Diagnostic] = []
        for (id, all) in byID.sorted(by: { $0.key < $1.key }) {
            let first = Diagnostic.Note("also defined here", at: all[0].definition.place)
            for other in all.dropFirst() {
                problems.append(
                    Diagnostic(
                        code: .idClash, "the endpoint \"\(id)\" is defined twice", at: other.definition.place,
                        hint: "rename one of the two", notes: [first]))
            }
        }
        return problems
    }
}

/// Finds endpoints one after the other. Each file is read only once, even if several of its endpoints are looked for.
package struct EndpointSearch {
    private struct File {
        let diagnostics: [Diagnostic]
        let endpoints: [LocatedEndpoint]
        /// The problems of endpoints that have a part for an environment that doesn't exist.
        let strangers: [Diagnostic]
        /// The indices of the endpoints, by id. Nil before the first lookup, empty after it, and filled at the second lookup.
        var places: [String: [Int]]?

        mutating func endpoints(of id: String) -> [LocatedEndpoint] {
            guard let places else {
                // Most commands look for only one endpoint, for which a search is enough.
                places = [:]
                return endpoints.filter { $0.id == id }
            }
            if places.isEmpty { self.places = Dictionary(grouping: endpoints.indices) { endpoints[$0].id } }
            return self.places?[id]?.map { endpoints[$0] } ?? []
        }
    }

    private let workspace: Workspace
    /// The files read so far, by path.
    private var files: [String: File] = [:]

    package init(_ workspace: Workspace) { self.workspace = workspace }

    /// Finds an endpoint. Reads only the files that may define the endpoint. If it isn't found, reads all files for suggestions.
    package mutating func endpoint(_ id: String) -> Diagnosed<Lookup<LocatedEndpoint>> {
        let entries = workspace.entries(thatMayDefine: id)
        for entry in entries.value where files[entry.path] == nil { files[entry.path] = file(entry) }
        let loaded = entries.value.compactMap { files[$0.path] }
        let problems = entries.diagnostics + loaded.flatMap(\.diagnostics)
        let found = entries.value.flatMap { files[$0.path]?.endpoints(of: id) ?? [] }
        if found.count > 1 { return Diagnosed(.broken, problems + workspace.clashes(found)) }
        if problems.contains(where: { $0.severity == .error }) { return Diagnosed(.broken, problems) }
        let strangers = loaded.flatMap(\.strangers)
        if !strangers.isEmpty { return Diagnosed(.broken, problems + strangers) }
        if let endpoint = found.first { return Diagnosed(.found(endpoint), problems) }
        return Diagnosed(.missing(workspace.unknownEndpoint(id)), problems)
    }

    private func file(_ entry: Workspace.Entry) -> File {
        let loaded = workspace.load(endpointFile: entry)
        let located = loaded.value?.located ?? []
        return File(
            diagnostics: loaded.diagnostics, endpoints: located,
            strangers: located.flatMap(workspace.unknownEnvironments))
    }
}
