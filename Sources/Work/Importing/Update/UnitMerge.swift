import ReqcliText

/// Merges a newer source into a file that was imported earlier and that the user may have edited.
struct UnitMerge {
    private(set) var merged: ImportUnits
    /// Units that both the user and the source have changed. The user's version of the unit is kept.
    private(set) var conflicts: [ImportUnits.Path] = []
    /// Units that the source has changed and that would send a credential of the user to another server. The old unit is kept.
    private(set) var keptServers: [ImportUnits.Path] = []
    /// Whether the definition keeps its server: because the caller says so, or because both the user and the source have changed
    /// it.
    let isServerKept: Bool
    /// Whether the definition keeps a server that the source has changed.
    var hasOldServer: Bool { !keptServers.isEmpty || conflicts.contains(where: Self.isServer) }

    /// The keys that decide where a request goes, or who can read it on its way.
    private static let serverKeys: Set = [
        "baseURL", "scheme", "host", "port", "basePath", "proxy", "noProxy", "redirects", "tls",
    ]

    /// The keys whose members take the place of credentials of earlier layers.
    private static let shields: Set = ["auth", "headers", "query"]

    /// Merges the source into the file.
    ///
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
        // If the server is kept, members that keep credentials of earlier layers away from it are kept, too.
        isServerKept = keepsServer || conflicts.contains(where: Self.isServer)
        for path in changes {
            let isShield = path.first.map(Self.shields.contains) ?? false
            if isServerKept, isShield, source[path] == nil { continue }
            merged[path] = source[path]
        }
        keepDefaultVariant(imported, file, source)
    }

    /// Makes a new variant the default if it is the first one of the source: in the file, it comes after the variants that were
    /// imported before. If the file's first variant is the user's own, it stays the default.
    private mutating func keepDefaultVariant(_ imported: UnitHashes, _ file: ImportUnits, _ source: ImportUnits) {
        let standard = ["stubs", "default"]
        guard let new = source.firstVariant, let old = file.firstVariant, new != old, merged[standard] == nil,
            imported[standard] == nil, file[new] == nil, merged[new] != nil, imported[old] != nil,
            let name = new.last
        else { return }
        merged[standard] = .string(name)
    }

    private static func isServer(_ path: ImportUnits.Path) -> Bool { path.first.map(serverKeys.contains) ?? false }
}

extension ImportUnits {
    /// The path of the first stub variant.
    fileprivate var firstVariant: Path? { order.first { $0.count == 3 && $0.starts(with: ["stubs", "variants"]) } }
}

extension CredentialSearch {
    /// Whether the user has added a credential to an imported definition, or has removed a setting that keeps credentials away.
    func hasOwn(_ imported: UnitHashes, file: ImportUnits, _ hash: (OrderedJSON) -> String) -> Bool {
        let isAdded = file.order.contains { path in
            guard let value = file[path], isCredential(path, value) else { return false }
            return imported[path] != hash(value)
        }
        let keys = Set(file.order.map(UnitHashes.key))
        let null = hash(.null)
        return isAdded || imported.hashes.contains { $0.value == null && !keys.contains($0.key) }
    }
}
