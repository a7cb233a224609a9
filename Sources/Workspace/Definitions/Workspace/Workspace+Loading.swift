import ReqcliBasics
import ReqcliText

extension Workspace {
    /// Reads endpoint files, which are independent of each other.
    package func load(endpointFiles entries: [Entry]) -> [Diagnosed<EndpointFile?>] {
        entries.mapInParallel { load(endpointFile: $0) }
    }

    /// Reads one endpoint file. If the value is nil, the diagnostics contain an error.
    package func load(endpointFile entry: Entry) -> Diagnosed<EndpointFile?> {
        load(entry.path, syntax: entry.syntax) { value, source, decoding in
            EndpointFile.decode(id: entry.id, value, source, in: environment, &decoding)
        }
    }

    /// Reads one scenario. If the value is nil, the diagnostics contain an error.
    package func load(scenarioFile entry: Entry) -> Diagnosed<LocatedScenario?> {
        load(entry.path, syntax: entry.syntax) { value, source, decoding in
            ScenarioDefinition.table.decode(value, &decoding).map { LocatedScenario(entry.id, $0, source) }
        }
    }

    /// Reads one load. If the value is nil, the diagnostics contain an error.
    package func load(loadFile entry: Entry) -> Diagnosed<LocatedLoad?> {
        load(entry.path, syntax: entry.syntax) { value, source, decoding in
            LoadDefinition.table.decode(value, &decoding).map { LocatedLoad(entry.id, $0, source) }
        }
    }

    package func load(environmentFile entry: Entry) -> Diagnosed<EnvironmentDefinition?> {
        load(entry.path, syntax: entry.syntax) { value, _, decoding in
            var environment = EnvironmentDefinition.table.decode(value, &decoding)
            environment?.name = entry.id
            return environment
        }
    }

    /// Reads a snapshot. If the file doesn't exist, there is neither a value nor a diagnostic.
    package func load(snapshot name: SnapshotName) -> Diagnosed<SnapshotFile?> {
        guard isThere(name.path) else { return Diagnosed(nil) }
        return load(name.path, syntax: .strict) { value, _, decoding in SnapshotFile.table.decode(value, &decoding) }
    }

    /// Reads `reqcli.json`, once. Gives the defaults if the file doesn't exist.
    package func loadSettings() -> Diagnosed<Settings> {
        knownSettings.withLock { known in
            let settings = known ?? readSettings()
            known = settings
            return settings
        }
    }

    private func readSettings() -> Diagnosed<Settings> {
        guard isThere(Self.settingsFile) else { return Diagnosed(Settings()) }
        let loaded = load(Self.settingsFile, syntax: .strict) { value, _, decoding in
            Settings.table.decode(value, &decoding)
        }
        return Diagnosed(loaded.value ?? Settings(), loaded.diagnostics)
    }

    private func load<Value>(
        _ inside: String, syntax: JSONSyntax, decode: (JSONValue, SourceFile, inout Decoding) -> Value?
    ) -> Diagnosed<Value?> {
        let bytes: [UInt8]
        do throws(FileProblem) {
            bytes = try files.read(path(inside), Self.largestFile)
        } catch {
            return Diagnosed(nil, [unreadable(inside, error)])
        }
        let source = SourceFile(name: shown(inside), bytes: bytes)
        let document = JSONDocument.read(source, syntax: syntax)
        // Reading stops if the file nests too deeply. The part that was read then says little about the file.
        guard let root = document.root, !document.problems.contains(where: { $0.code == .jsonDepth }) else {
            return Diagnosed(nil, document.diagnostics)
        }
        var decoding = Decoding(subject: source.name)
        let value = decode(root, source, &decoding)
        // Broken JSON may hide keys, so missing keys are not reported.
        let structural =
            document.problems.isEmpty
            ? decoding.diagnostics.diagnostics : decoding.diagnostics.diagnostics.filter { $0.code != .keyMissing }
        return Diagnosed(value, document.diagnostics + structural)
    }
}
