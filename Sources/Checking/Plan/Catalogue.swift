package import Definitions
package import SourceText

/// All endpoints that could be checked or needed, and the files that could hold more but can't be used.
package struct Catalogue: Sendable {
    package struct BrokenFile: Sendable {
        /// What the ids in it begin with; empty where that can't be told.
        package let id: String
        package let diagnostics: [Diagnostic]

        package init(id: String, diagnostics: [Diagnostic]) {
            self.id = id
            self.diagnostics = diagnostics
        }
    }

    /// In the order of the files.
    package let endpoints: [LocatedEndpoint]
    package let broken: [BrokenFile]
    package let warnings: [Diagnostic]
    private let byID: [String: Int]

    package init(endpoints: [LocatedEndpoint], broken: [BrokenFile] = [], warnings: [Diagnostic] = []) {
        self.endpoints = endpoints
        self.broken = broken
        self.warnings = warnings
        byID = Dictionary(endpoints.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Reads every endpoint file of a workspace.
    package init(of workspace: Workspace) {
        let entries = workspace.endpointEntries()
        var endpoints: [LocatedEndpoint] = []
        var warnings = entries.diagnostics.filter { $0.severity != .error }
        var broken = entries.diagnostics.filter { $0.severity == .error }.map { BrokenFile(id: "", diagnostics: [$0]) }
        for (entry, loaded) in zip(entries.value, workspace.load(endpointFiles: entries.value)) {
            let errors = loaded.diagnostics.filter { $0.severity == .error }
            if errors.isEmpty {
                endpoints += loaded.value?.located ?? []
                warnings += loaded.diagnostics
            } else {
                broken.append(BrokenFile(id: entry.id, diagnostics: loaded.diagnostics))
            }
        }
        let clashes = workspace.clashes(endpoints)
        if !clashes.isEmpty { broken.append(BrokenFile(id: "", diagnostics: clashes)) }
        self.init(endpoints: endpoints, broken: broken, warnings: warnings)
    }

    package func endpoint(_ id: String) -> LocatedEndpoint? { byID[id].map { endpoints[$0] } }

    /// Whether a row may hold a value that must not be shown; no table stands for one that couldn't be read.
    package func mayTakeSecrets(from table: DataTable?) -> Bool {
        // What is in a broken file nobody knows.
        if !broken.isEmpty { return true }
        let secrets = Set(endpoints.flatMap(\.parameters).filter(\.value.isSecret).map(\.name))
        return table.map { $0.columns.contains { secrets.contains($0.name) } } ?? !secrets.isEmpty
    }
}
