import Definitions

/// Reads from `.gitignore` files whether git ignores a workspace's `.env`: from the repository's root down, the last match counts.
struct GitIgnore {
    static let file = ".gitignore"
    static let secrets = ".env"

    /// Whether git ignores the `.env` of this root. A pattern in brackets counts as none.
    static func ignoresSecrets(in root: String, _ files: FileSystem) -> Bool {
        var folders = [root]
        // Outside a repository, the folder's own file counts: it may become one.
        var parent = root
        while files.kind(FilePath.join(parent, ".git")) == nil {
            guard parent != FilePath.parent(parent), !parent.isEmpty else {
                folders = [root]
                break
            }
            parent = FilePath.parent(parent)
            folders.append(parent)
        }
        var isIgnored = false
        for folder in folders.reversed() {
            let path = (folder == root ? "" : FilePath.shown(root, from: folder) + "/") + secrets
            let bytes = (try? files.read(FilePath.join(folder, file), 1 << 20)) ?? []
            for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
                guard let rule = Rule(String(decoding: line, as: UTF8.self)), rule.matches(path) else { continue }
                isIgnored = !rule.isNegated
            }
        }
        return isIgnored
    }

    private struct Rule {
        let isNegated: Bool
        private let isForFolders: Bool
        /// Whether it is for paths from the file's folder on, and not for names in any folder.
        private let isAnchored: Bool
        private let parts: [String]

        /// Nil for a line without a rule.
        init?(_ line: String) {
            var text = Substring(line)
            while text.hasSuffix(" "), !text.hasSuffix("\\ ") { text.removeLast() }
            guard !text.isEmpty, !text.hasPrefix("#") else { return nil }
            isNegated = text.hasPrefix("!")
            if isNegated { text.removeFirst() }
            isForFolders = text.hasSuffix("/")
            if isForFolders { text.removeLast() }
            isAnchored = text.contains("/")
            parts = text.split(separator: "/").map(String.init)
            if parts.isEmpty { return nil }
        }

        /// Whether it matches the file, or a folder in which the file is.
        func matches(_ path: String) -> Bool {
            let names = path.split(separator: "/").map(String.init)
            return names.indices.contains { last in
                if isForFolders, last == names.count - 1 { return false }
                return isAnchored
                    ? Self.match(parts[...], names[...last]) : Self.match(parts[...], names[last...last])
            }
        }

        private static func match(_ parts: ArraySlice<String>, _ names: ArraySlice<String>) -> Bool {
            guard let part = parts.first else { return names.isEmpty }
            if part == "**" {
                return match(parts.dropFirst(), names) || !names.isEmpty && match(parts, names.dropFirst())
            }
            guard let name = names.first else { return false }
            return Glob(part).matches(name) && match(parts.dropFirst(), names.dropFirst())
        }
    }
}
