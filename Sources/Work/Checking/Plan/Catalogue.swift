import ReqcliAssembly
package import ReqcliDefinitions
package import ReqcliText

/// All endpoints that could be called, and the files with errors, which may define more endpoints.
package struct Catalogue: Sendable {
    package struct BrokenFile: Sendable {
        /// The start of the ids that the file defines; empty if unknown.
        package let id: String
        package let diagnostics: [Diagnostic]

        package init(id: String, diagnostics: [Diagnostic]) {
            self.id = id
            self.diagnostics = diagnostics
        }
    }

    /// The endpoints in the order of the files.
    package let endpoints: [LocatedEndpoint]
    package let broken: [BrokenFile]
    /// The scenarios in the order of the files; empty if their files are not read.
    package let scenarios: [LocatedScenario]
    /// Files with errors, which may define more scenarios. The `id` of each is the scenario's id; empty if unknown.
    package let brokenScenarios: [BrokenFile]
    package let warnings: [Diagnostic]
    /// Lists the ids of all scenarios, also if their files were not read.
    let scenarioIDs: @Sendable () -> [String]
    private let byID: [String: Int]
    private let reading: WorkspaceReading?
    let schemas: SchemaStore

    package init(
        endpoints: [LocatedEndpoint], broken: [BrokenFile] = [], scenarios: [LocatedScenario] = [],
        brokenScenarios: [BrokenFile] = [], warnings: [Diagnostic] = [], reading: WorkspaceReading? = nil,
        scenarioIDs: @escaping @Sendable () -> [String] = { [] }, schemas: SchemaStore
    ) {
        self.endpoints = endpoints
        self.broken = broken
        self.scenarios = scenarios
        self.brokenScenarios = brokenScenarios
        self.warnings = warnings
        self.reading = reading
        self.scenarioIDs = scenarioIDs
        self.schemas = schemas
        byID = Dictionary(endpoints.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Reads every file of a workspace. The files of scenarios are read only if `readsScenarios` is true.
    package init(of workspace: Workspace, withScenarios readsScenarios: Bool = false) {
        let reading = WorkspaceReading(workspace, withScenarios: readsScenarios)
        var endpoints: [LocatedEndpoint] = []
        var warnings = reading.endpointListing.filter { $0.severity != .error }
        var broken = reading.endpointListing.filter { $0.severity == .error }.map {
            BrokenFile(id: "", diagnostics: [$0])
        }
        for file in reading.endpointFiles {
            if file.diagnostics.contains(where: { $0.severity == .error }) {
                broken.append(BrokenFile(id: file.entry.id, diagnostics: file.diagnostics))
            } else {
                endpoints += file.value?.located ?? []
                warnings += file.diagnostics
            }
        }
        let clashes = workspace.clashes(endpoints)
        if !clashes.isEmpty { broken.append(BrokenFile(id: "", diagnostics: clashes)) }
        var brokenScenarios =
            (reading.scenarioListing + workspace.clashes(reading.scenarioFiles.map(\.entry), of: "scenario"))
            .map { BrokenFile(id: "", diagnostics: [$0]) }
        for file in reading.scenarioFiles {
            if file.diagnostics.contains(where: { $0.severity == .error }) {
                brokenScenarios.append(
                    BrokenFile(id: LocatedScenario.prefix + file.entry.id, diagnostics: file.diagnostics))
            } else {
                warnings += file.diagnostics
            }
        }
        let sound = reading.scenarioFiles.filter { !$0.diagnostics.contains { $0.severity == .error } }
        self.init(
            endpoints: endpoints, broken: broken, scenarios: sound.compactMap(\.value),
            brokenScenarios: brokenScenarios, warnings: warnings, reading: reading,
            scenarioIDs: { workspace.scenarioEntries().value.map { LocatedScenario.prefix + $0.id } },
            schemas: workspace.schemas)
    }

    /// The errors that `validate` reports in the files of these endpoints, of scenarios and of an environment.
    ///
    /// - Parameter assembled: The ids of the endpoints whose requests are assembled exactly as the files say, without flags.
    func errors(
        forCalling endpoints: [LocatedEndpoint], by scenarios: [LocatedScenario], assembled: Set<String>,
        in environment: String
    ) -> [Diagnostic] {
        reading?.errors(
            forCalling: endpoints, by: scenarios, assembled: assembled, in: environment,
            judging: Assembler.certainProblems) ?? []
    }

    /// A file by its path from the workspace's root.
    func file(_ path: String) throws(FileProblem) -> SourceFile {
        guard let reading else { throw FileProblem(.missing) }
        return try reading.file(path)
    }

    /// Whether a file, as messages show it, is in one of the folders of definitions.
    func isDefinition(_ file: String) -> Bool { reading?.isDefinition(file) ?? true }

    /// Reads a snapshot; nil if there is no such file.
    func snapshot(_ name: SnapshotName) -> Diagnosed<SnapshotFile?> { reading?.snapshot(name) ?? Diagnosed(nil) }

    /// The path of a snapshot as messages show it.
    func shown(_ name: SnapshotName) -> String { reading?.shown(name) ?? name.path }

    package func endpoint(_ id: String) -> LocatedEndpoint? { byID[id].map { endpoints[$0] } }

    /// The endpoints in the order of the files, each once.
    func inOrder(_ endpoints: [LocatedEndpoint]) -> [LocatedEndpoint] {
        let unique = Array(Dictionary(endpoints.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first }).values)
        let places = unique.map { byID[$0.id] ?? .max }
        return unique.indices.sorted { one, other in
            places[one] == places[other] ? unique[one].id < unique[other].id : places[one] < places[other]
        }.map { unique[$0] }
    }

    /// Whether a row of a table may have a value that must not be shown. `table` is nil if the table couldn't be read.
    package func mayTakeSecrets(from table: DataTable?) -> Bool {
        // A broken file may define any param.
        if !broken.isEmpty || !brokenScenarios.isEmpty { return true }
        let secrets = Set(
            (endpoints.flatMap(\.parameters) + scenarios.flatMap(\.definition.parameters)).filter(\.value.isSecret).map(
                \.name))
        return table.map { $0.columns.contains { secrets.contains($0.name) } } ?? !secrets.isEmpty
    }
}
