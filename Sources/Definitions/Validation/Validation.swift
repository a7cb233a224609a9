package import SourceText

/// What a validation found, and how much it looked at.
package struct ValidationReport: Sendable {
    package let diagnostics: [Diagnostic]
    package let endpointCount: Int
    package let environmentCount: Int
    package let fileCount: Int
}

extension Workspace {
    /// Reads every file of the workspace and reports every problem in it.
    package func validate(grammars: Grammars = .unknown) -> ValidationReport {
        let reading = WorkspaceReading(self)
        let census = Census(reading)
        var collector = DiagnosticCollector()
        collector.add(contentsOf: reading.diagnostics)
        for rule in Self.rules + [GrammarRules(grammars: grammars).check, RequestRules(grammars: grammars).check] {
            collector.add(contentsOf: rule(census))
        }
        return ValidationReport(
            diagnostics: reading.inOrder(collector.sorted), endpointCount: census.allEndpoints.count,
            environmentCount: census.environments.count,
            fileCount: reading.endpointFiles.count + reading.environmentFiles.count)
    }

    /// What no single object can tell.
    private static let rules: [@Sendable (Census) -> [Diagnostic]] = [
        ClashRules.check,
        EnvironmentRules.check,
        VariableRules.check,
        PlaceholderRules.check,
        NeedRules.check,
        CheckRules.check,
        StubRules.check,
        FileRules.check,
    ]
}

/// All files of a workspace, each read once.
struct WorkspaceReading {
    struct File<Value: Sendable> {
        let entry: Workspace.Entry
        let value: Value?
        /// Whether the file could be read and is JSON throughout.
        let isSound: Bool
    }

    let workspace: Workspace
    private(set) var endpointFiles: [File<EndpointFile>] = []
    private(set) var environmentFiles: [File<EnvironmentDefinition>] = []
    let settings: Settings
    /// Whether no folder was closed to us.
    let hasListedEverything: Bool
    private(set) var diagnostics: [Diagnostic] = []

    init(_ workspace: Workspace) {
        self.workspace = workspace
        let listings = (endpoints: workspace.endpointListing(), environments: workspace.environmentListing())
        let (endpoints, environments) = (listings.endpoints.entries, listings.environments.entries)
        let settings = workspace.loadSettings()
        self.settings = settings.value
        hasListedEverything = !(endpoints.diagnostics + environments.diagnostics).contains {
            $0.code == .fileUnreadable
        }
        diagnostics += endpoints.diagnostics
        endpointFiles = zip(endpoints.value, workspace.load(endpointFiles: endpoints.value)).map { take($0, $1) }
        diagnostics += environments.diagnostics
        environmentFiles = environments.value.map { take($0, workspace.load(environmentFile: $0)) }
        diagnostics += settings.diagnostics + listings.endpoints.passedOver + listings.environments.passedOver
    }

    /// File by file as the files were read; before them what is about a folder, or about a file that isn't one.
    func inOrder(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        let paths = endpointFiles.map(\.entry.path) + environmentFiles.map(\.entry.path) + [Workspace.settingsFile]
        let order = Dictionary(
            paths.enumerated().map { (workspace.shown($1), $0) }, uniquingKeysWith: { first, _ in first })
        let ranked = diagnostics.enumerated().map { index, diagnostic in
            (file: diagnostic.fileName.flatMap { order[$0] } ?? -1, index: index, diagnostic: diagnostic)
        }
        return ranked.sorted { ($0.file, $0.index) < ($1.file, $1.index) }.map(\.diagnostic)
    }

    private mutating func take<Value>(_ entry: Workspace.Entry, _ loaded: Listed<Value?>) -> File<Value> {
        diagnostics += loaded.diagnostics
        let unsound: Set<Diagnostic.Code> = [.fileUnreadable, .jsonSyntax, .jsonEncoding, .jsonDepth]
        let isSound = !loaded.diagnostics.contains { unsound.contains($0.code) }
        return File(entry: entry, value: loaded.value, isSound: isSound)
    }
}

/// One id, one definition.
enum ClashRules {
    static func check(_ census: Census) -> [Diagnostic] {
        census.workspace.clashes(census.allEndpoints)
            + census.workspace.clashes(census.environmentEntries)
    }
}
