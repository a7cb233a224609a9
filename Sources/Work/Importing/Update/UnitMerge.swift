import ReqcliText

/// Merges a newer source into a file that was imported earlier and that the user may have edited.
struct UnitMerge {
    private(set) var merged: ImportUnits
    /// Units that both the user and the source have changed. The user's version of the unit is kept.
    private(set) var conflicts: [ImportUnits.Path] = []
    /// Units that the source has changed and that would send a credential of the user to another server. The old unit is kept.
    private(set) var keptServers: [ImportUnits.Path] = []

    /// The keys that decide where a request goes, or who can read it on its way.
    private static let serverKeys: Set = [
        "baseURL", "scheme", "host", "port", "basePath", "proxy", "noProxy", "redirects", "tls",
    ]

    /// - Parameters:
    ///   - imported: The hashes of the imported units.
    ///   - file: The current units of the file.
    ///   - source: The units of the newer source.
    ///   - keepsServer: Whether the source must not change where requests go.
    init(
        _ imported: UnitHashes, file: ImportUnits, source: ImportUnits, keepsServer: Bool,
        _ hash: (OrderedJSON) -> String
    ) {
        merged = file
        var changes: [ImportUnits.Path] = []
        let paths = source.order + file.order.filter { source[$0] == nil }
        for path in paths {
            let base = imported[path]
            let (own, new) = (file[path].map(hash), source[path].map(hash))
            if new == base || new == own { continue }
            if own != base {
                conflicts.append(path)
            } else if keepsServer, Self.isServer(path) {
                keptServers.append(path)
            } else {
                changes.append(path)
            }
        }
        // The settings that keep credentials of earlier layers away belong to the server that the file names.
        let isServerKept = keepsServer || conflicts.contains(where: Self.isServer)
        for path in changes where !(isServerKept && file[path] == .null) { merged[path] = source[path] }
    }

    private static func isServer(_ path: ImportUnits.Path) -> Bool { path.first.map(serverKeys.contains) ?? false }
}

extension CredentialSearch {
    /// Whether the user has added a credential to an imported definition, or has removed a setting that keeps credentials away.
    func hasOwn(_ imported: UnitHashes, file: ImportUnits, source: ImportUnits, _ hash: (OrderedJSON) -> String) -> Bool
    {
        let isAdded = file.order.contains { path in
            guard let value = file[path], isCredential(path, value) else { return false }
            return imported[path] != hash(value)
        }
        return isAdded
            || source.order.contains { path in
                source[path] == .null && imported[path] == hash(.null) && file[path] == nil
            }
    }
}
