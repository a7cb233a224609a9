import ReqcliText

/// Checks the files of `snapshots/`: each belongs to a case, no two cases share a file, and all can be read.
enum SnapshotRules {
    static func check(_ definitionIndex: DefinitionIndex) -> [Diagnostic] {
        clashes(definitionIndex) + (definitionIndex.isOfWorkspace ? files(definitionIndex) : [])
    }

    /// Reports two cases with the same file, such as the check `a` of `user.get` and the endpoint `user.get.a`.
    private static func clashes(_ definitionIndex: DefinitionIndex) -> [Diagnostic] {
        var owners: [SnapshotName: LocatedEndpoint] = [:]
        for endpoint in definitionIndex.soundEndpoints where endpoint.hasSnapshot {
            owners[SnapshotName(endpoint: endpoint.id)] = endpoint
        }
        if owners.isEmpty { return [] }
        let files = Set(definitionIndex.files.map(\.source.name))
        return definitionIndex.soundEndpoints.flatMap { endpoint in
            endpoint.definition.checks.compactMap { check -> Diagnostic? in
                guard check.expectation?.snapshot != nil, let name = check.name, files.contains(endpoint.file.name),
                    let owner = owners[SnapshotName(endpoint: endpoint.id, check: name.value)]
                else { return nil }
                return Diagnostic(
                    code: .snapshotClash,
                    "the check \"\(name.value)\" and the endpoint \(owner.id) would have the same snapshot",
                    at: name.place, hint: "give the check another name")
            }
        }
    }

    private static func files(_ definitionIndex: DefinitionIndex) -> [Diagnostic] {
        let workspace = definitionIndex.workspace
        let owned = Set(definitionIndex.soundEndpoints.flatMap(\.snapshotNames))
        return workspace.snapshotNames.flatMap { name -> [Diagnostic] in
            if owned.contains(name.ofCase) { return workspace.load(snapshot: name).diagnostics }
            // The case of a snapshot may be in a file that can't be read.
            guard definitionIndex.knowsAllEndpoints else { return [] }
            let isSnapshot = workspace.isSnapshot(name)
            return [
                Diagnostic(
                    .warning, code: .snapshotUnused,
                    isSnapshot ? "no case uses this snapshot" : "the file is not a snapshot, and no case uses it",
                    at: nil,
                    fileName: workspace.shown(name.path),
                    hint: isSnapshot
                        ? "run \"reqcli check --update-snapshots\" to remove it"
                        : "move the file out of \(SnapshotName.folder)/")
            ]
        }
    }
}

extension Workspace {
    /// Whether the file has the format of a snapshot, so that reqcli may have written it.
    package func isSnapshot(_ name: SnapshotName) -> Bool {
        let loaded = load(snapshot: name)
        return loaded.value != nil && !loaded.diagnostics.contains { $0.severity == .error }
    }

    /// The snapshots that exist, sorted.
    package var snapshotNames: [SnapshotName] {
        ((try? files.names(path(SnapshotName.folder))) ?? []).compactMap { SnapshotName(file: $0) }
    }
}
