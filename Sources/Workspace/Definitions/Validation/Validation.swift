package import ReqcliText

/// The result of a validation, with the number of files, endpoints and environments.
package struct ValidationReport: Sendable {
    package let diagnostics: [Diagnostic]
    package let endpointCount: Int
    package let environmentCount: Int
    package let scenarioCount: Int
    package let loadCount: Int
    package let fileCount: Int
}

extension Workspace {
    /// Validates every file of the workspace and reports every problem.
    ///
    /// - Parameter other: A problem to report in addition to the problems of the workspace's files.
    package func validate(
        judging requests: @escaping RequestRules.Judge = { _, _, _ in [] }, adding other: Diagnostic? = nil
    ) -> ValidationReport {
        WorkspaceReading(self, withLoads: true).validate(judging: requests, adding: other)
    }

    /// The errors that `validate` reports in the file of a load.
    package func errors(of load: LocatedLoad) -> [Diagnostic] {
        validate().diagnostics.filter { $0.severity == .error && $0.fileName == load.file.name }
    }

    /// The rules that need more than one object or file. They check the files in the index.
    fileprivate static func rules(_ judge: @escaping RequestRules.Judge)
        -> [@Sendable (DefinitionIndex) -> [Diagnostic]]
    {
        [
            MentionRule.check, EnvironmentRules.check, VariableRules.check, PlaceholderRules.check, NeedRules.check,
            CheckRules.check, StubRules.check, SnapshotRules.check, ScenarioRules.check,
            LoadFileRules.check, RequestRules(judge: judge).check,
        ]
    }
}

extension WorkspaceReading {
    /// Every problem in the files that were read, as `validate` reports it.
    package func validate(
        judging requests: @escaping RequestRules.Judge, adding other: Diagnostic? = nil
    ) -> ValidationReport {
        let definitionIndex = DefinitionIndex(self)
        var collector = DiagnosticCollector()
        collector.add(contentsOf: [other].compactMap(\.self))
        collector.add(contentsOf: diagnostics)
        collector.add(contentsOf: definitionIndex.problems([ClashRules.check] + Workspace.rules(requests)))
        return ValidationReport(
            diagnostics: inOrder(collector.sorted), endpointCount: definitionIndex.allEndpoints.count,
            environmentCount: definitionIndex.environments.count, scenarioCount: definitionIndex.scenarios.count,
            loadCount: definitionIndex.loads.count,
            fileCount: endpointFiles.count + environmentFiles.count + scenarioFiles.count + loadFiles.count)
    }

    /// The problems in one file, judged by the names of all files. Problems that the rules find while they judge other files are
    /// not among them.
    ///
    /// - Parameter file: The file as messages show it.
    package func problems(in file: String, judging requests: @escaping RequestRules.Judge) -> [Diagnostic] {
        let run = DefinitionIndex.Run(files: [file], assembled: [], environment: "")
        let found = DefinitionIndex(self, of: run).problems([ClashRules.check] + Workspace.rules(requests))
        var collector = DiagnosticCollector()
        collector.add(contentsOf: (diagnostics + found).filter { $0.fileName == file })
        return collector.sorted
    }

    /// Reads one file again; nil if it is none of the files that were read.
    ///
    /// - Parameter path: The path from the workspace's root.
    package func readingAgain(_ path: String) -> WorkspaceReading? {
        var reading = self
        func replace<Value>(
            _ files: inout [File<Value>], _ load: (Workspace.Entry) -> Diagnosed<Value?>
        ) -> Bool {
            guard let index = files.firstIndex(where: { $0.entry.path == path }) else { return false }
            let entry = files[index].entry
            let loaded = load(entry)
            files[index] = File(entry: entry, value: loaded.value, diagnostics: loaded.diagnostics)
            return true
        }
        let isKnown =
            replace(&reading.endpointFiles, workspace.load(endpointFile:))
            || replace(&reading.environmentFiles, workspace.load(environmentFile:))
            || replace(&reading.scenarioFiles, workspace.load(scenarioFile:))
            || replace(&reading.loadFiles, workspace.load(loadFile:))
        return isKnown ? reading : nil
    }

    /// The errors that `validate` reports in the files that a run reads. These are the files of the called endpoints, of the
    /// scenarios and of the environment.
    ///
    /// - Parameter assembled: The ids of the endpoints whose requests are assembled unchanged before the run. Assembling a
    ///   request already finds the problems because of which it can't be sent.
    package func errors(
        forCalling called: [LocatedEndpoint], by scenarios: [LocatedScenario], assembled: Set<String>,
        in environment: String, judging requests: @escaping RequestRules.Judge
    ) -> [Diagnostic] {
        let definitions = environmentFiles.compactMap(\.value)
        var ignored: [Diagnostic] = []
        let layers = ExtendsWalk.layers(of: environment, reporting: &ignored) { name, _, _ in
            definitions.first { $0.name == name }
        }
        let run = DefinitionIndex.Run(
            files: Set(
                called.map(\.file.name) + scenarios.map(\.file.name) + layers.map(\.place.file.name)),
            assembled: assembled,
            environment: environment)
        let definitionIndex = DefinitionIndex(self, of: run)
        return definitionIndex.problems(Workspace.rules(requests)).filter { $0.severity == .error }
    }
}

extension DefinitionIndex {
    /// The problems that rules find. In a large workspace, several rules are checked at a time.
    fileprivate func problems(_ rules: [@Sendable (DefinitionIndex) -> [Diagnostic]]) -> [Diagnostic] {
        let problems = allEndpoints.count < 100 ? rules.map { $0(self) } : rules.mapInParallel { $0(self) }
        return problems.flatMap(\.self)
    }
}

/// All files of a workspace, each read once.
package struct WorkspaceReading: Sendable {
    package struct File<Value: Sendable>: Sendable {
        package let entry: Workspace.Entry
        package let value: Value?
        package let diagnostics: [Diagnostic]

        /// Whether the file could be read and all of it is valid JSON.
        var isSound: Bool {
            let unsound: Set<Diagnostic.Code> = [.fileUnreadable, .jsonSyntax, .jsonEncoding, .jsonDepth]
            return !diagnostics.contains { unsound.contains($0.code) }
        }
    }

    package let workspace: Workspace
    package private(set) var endpointFiles: [File<EndpointFile>]
    package private(set) var environmentFiles: [File<EnvironmentDefinition>]
    /// The files of scenarios; empty if scenarios are not read.
    package private(set) var scenarioFiles: [File<LocatedScenario>]
    /// The files of loads; empty if loads are not read.
    package private(set) var loadFiles: [File<LocatedLoad>]
    let settings: Settings
    /// Whether every folder could be read.
    let hasListedEverything: Bool
    /// Problems with the endpoints folder and the names in it.
    package let endpointListing: [Diagnostic]
    /// Problems with the scenarios folder and the names in it.
    package let scenarioListing: [Diagnostic]
    private let environmentListing: [Diagnostic]
    /// Problems with `reqcli.json`, and warnings about files that are not read.
    private let others: [Diagnostic]

    package init(
        _ workspace: Workspace, withScenarios readsScenarios: Bool = true, withLoads readsLoads: Bool = false
    ) {
        self.workspace = workspace
        let loadListing = readsLoads ? workspace.loadListing() : nil
        loadFiles = (loadListing?.entries.value ?? []).map { entry in
            let loaded = workspace.load(loadFile: entry)
            return File(entry: entry, value: loaded.value, diagnostics: loaded.diagnostics)
        }
        let listings = (endpoints: workspace.endpointListing(), environments: workspace.environmentListing())
        let scenarioListing = readsScenarios ? workspace.scenarioListing() : nil
        self.scenarioListing = scenarioListing?.entries.diagnostics ?? []
        scenarioFiles = (scenarioListing?.entries.value ?? []).mapInParallel { entry in
            let loaded = workspace.load(scenarioFile: entry)
            return File(entry: entry, value: loaded.value, diagnostics: loaded.diagnostics)
        }
        let (endpoints, environments) = (listings.endpoints.entries, listings.environments.entries)
        let settings = workspace.loadSettings()
        self.settings = settings.value
        hasListedEverything = !(endpoints.diagnostics + environments.diagnostics).contains {
            $0.code == .fileUnreadable
        }
        endpointListing = endpoints.diagnostics
        endpointFiles = zip(endpoints.value, workspace.load(endpointFiles: endpoints.value)).map {
            File(entry: $0, value: $1.value, diagnostics: $1.diagnostics)
        }
        environmentListing = environments.diagnostics
        environmentFiles = environments.value.map { entry in
            let loaded = workspace.load(environmentFile: entry)
            return File(entry: entry, value: loaded.value, diagnostics: loaded.diagnostics)
        }
        others =
            settings.diagnostics + listings.endpoints.passedOver + listings.environments.passedOver
            + (scenarioListing?.passedOver ?? []) + (loadListing?.entries.diagnostics ?? [])
            + (loadListing?.passedOver ?? [])
    }

    var diagnostics: [Diagnostic] {
        endpointListing + endpointFiles.flatMap(\.diagnostics) + environmentListing
            + environmentFiles.flatMap(\.diagnostics) + scenarioListing + scenarioFiles.flatMap(\.diagnostics)
            + loadFiles.flatMap(\.diagnostics) + others
    }

    /// The endpoints in the order of their files, with the problems in these files.
    ///
    /// - Parameter isWanted: Whether to include the endpoints of a file.
    package func endpoints(where isWanted: (Workspace.Entry) -> Bool) -> Diagnosed<[LocatedEndpoint]> {
        let files = endpointFiles.filter { isWanted($0.entry) }
        let endpoints = files.compactMap(\.value).flatMap(\.located)
        return Diagnosed(endpoints, endpointListing + files.flatMap(\.diagnostics) + workspace.clashes(endpoints))
    }

    /// Whether a file, as messages show it, is in one of the folders of definitions.
    package func isDefinition(_ file: String) -> Bool {
        Workspace.definitionFolders.contains { file.hasPrefix(workspace.shown($0) + "/") }
    }

    /// A file by its path from the workspace's root.
    package func file(_ inside: String) throws(FileProblem) -> SourceFile {
        let bytes = try workspace.files.read(workspace.path(inside), Workspace.largestFile)
        return SourceFile(name: workspace.shown(inside), bytes: bytes)
    }

    /// A snapshot, if there is such a file.
    package func snapshot(_ name: SnapshotName) -> Diagnosed<SnapshotFile?> { workspace.load(snapshot: name) }

    /// The path of a snapshot as messages show it.
    package func shown(_ name: SnapshotName) -> String { workspace.shown(name.path) }

    /// The diagnostics in the order in which the files were read. Diagnostics about folders and about files that are not
    /// definitions come first.
    func inOrder(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        let paths =
            endpointFiles.map(\.entry.path) + environmentFiles.map(\.entry.path) + scenarioFiles.map(\.entry.path)
            + loadFiles.map(\.entry.path) + [Workspace.settingsFile]
        let order = Dictionary(
            paths.enumerated().map { (workspace.shown($1), $0) }, uniquingKeysWith: { first, _ in first })
        let ranked = diagnostics.enumerated().map { index, diagnostic in
            (file: diagnostic.fileName.flatMap { order[$0] } ?? -1, index: index, diagnostic: diagnostic)
        }
        return ranked.sorted { ($0.file, $0.index) < ($1.file, $1.index) }.map(\.diagnostic)
    }
}

/// Checks that each id is defined only once.
enum ClashRules {
    static func check(_ definitionIndex: DefinitionIndex) -> [Diagnostic] {
        definitionIndex.workspace.clashes(definitionIndex.allEndpoints)
            + definitionIndex.workspace.clashes(definitionIndex.environmentEntries, of: "environment")
            + definitionIndex.workspace.clashes(definitionIndex.scenarioEntries, of: "scenario")
            + definitionIndex.workspace.clashes(definitionIndex.loadEntries, of: "load")
    }
}
