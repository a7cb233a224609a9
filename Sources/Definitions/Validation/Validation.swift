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
    package func validate() -> ValidationReport {
        var collector = DiagnosticCollector()
        let endpointEntries = endpointEntries()
        let environmentEntries = environmentEntries()
        collector.add(contentsOf: endpointEntries.diagnostics + environmentEntries.diagnostics)

        let files = endpointEntries.value.compactMap { entry in
            let loaded = load(endpointFile: entry)
            collector.add(contentsOf: loaded.diagnostics)
            return loaded.value
        }
        let environments = environmentEntries.value.compactMap { entry in
            let loaded = load(environmentFile: entry)
            collector.add(contentsOf: loaded.diagnostics)
            return loaded.value
        }
        let settings = loadSettings()
        collector.add(contentsOf: settings.diagnostics)

        let census = Census(
            workspace: self, files: files, environments: environments, settings: settings.value)
        for rule in Self.rules { collector.add(contentsOf: rule(census)) }
        return ValidationReport(
            diagnostics: collector.sorted, endpointCount: census.endpoints.count, environmentCount: environments.count,
            fileCount: endpointEntries.value.count + environmentEntries.value.count)
    }

    /// What no single object can tell.
    private static let rules: [@Sendable (Census) -> [Diagnostic]] = [
        { $0.workspace.clashes($0.endpoints) },
        EnvironmentRules.check,
        PlaceholderRules.check,
        NeedRules.check,
        CheckRules.check,
        StubRules.check,
        FileRules.check,
    ]
}
