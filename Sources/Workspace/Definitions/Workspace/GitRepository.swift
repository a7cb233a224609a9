/// The git repository that contains a workspace's folder.
struct GitRepository {
    /// The folder that contains `.git`.
    let folder: String
    private let files: FileSystem

    /// Looks for `.git` in a folder and the folders above it; nil outside a repository.
    init?(around start: String, _ files: FileSystem) {
        var folder = start
        while files.kind(FilePath.join(folder, ".git")) == nil {
            let parent = FilePath.parent(folder)
            if parent == folder || folder.isEmpty { return nil }
            folder = parent
        }
        (self.folder, self.files) = (folder, files)
    }

    /// Whether git tracks a file, or the file is staged for the next commit. False if this can't be found out.
    func tracks(_ path: String) -> Bool {
        guard let folder = gitFolder, let index = try? files.read(FilePath.join(folder, "index"), Self.largestIndex)
        else { return false }
        let settings = (try? files.read(FilePath.join(folder, "config"), 1 << 20)) ?? []
        let isLong = String(decoding: settings, as: UTF8.self).lowercased().contains("objectformat = sha256")
        return GitIndex(index, hashLength: isLong ? 32 : 20).has(FilePath.shown(path, from: self.folder))
    }

    private static let largestIndex = 256 << 20

    /// The folder of git's own files. In an additional working tree, `.git` is a file with the path of this folder.
    private var gitFolder: String? {
        let path = FilePath.join(folder, ".git")
        guard files.kind(path) == .file else { return path }
        guard let bytes = try? files.read(path, 1 << 16) else { return nil }
        let line = String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        let mark = "gitdir: "
        return line.hasPrefix(mark) ? FilePath.tidy(FilePath.join(folder, String(line.dropFirst(mark.count)))) : nil
    }
}

/// The names in git's index. The page "gitformat-index" of git's documentation describes the format.
struct GitIndex {
    private let bytes: [UInt8]
    /// The number of bytes of an entry before its flags: times, mode, owner, size and hash.
    private let headLength: Int

    init(_ bytes: [UInt8], hashLength: Int) {
        self.bytes = bytes
        headLength = 40 + hashLength
    }

    private func number(at offset: Int) -> Int {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    func has(_ path: String) -> Bool {
        guard bytes.count > 12, bytes.starts(with: "DIRC".utf8) else { return false }
        let version = number(at: 4)
        var name: [UInt8] = []
        var position = 12
        for _ in 0..<number(at: 8) {
            let start = position
            position += headLength + 2
            guard position < bytes.count else { return false }
            let length = Int(bytes[position - 2] & 0x0F) << 8 | Int(bytes[position - 1])
            // From version 3 on, a flag says that two more bytes follow.
            if version > 2, bytes[position - 2] & 0x40 != 0 { position += 2 }
            if version < 4, length < 0xFFF {
                // A fast path for nearly all names, because a repository may have a hundred thousand files.
                let end = position + length
                guard end < bytes.count else { return false }
                if length == path.utf8.count, bytes[position..<end].elementsEqual(path.utf8) { return true }
                position = start + ((end - start) / 8 + 1) * 8
                continue
            }
            if version == 4 {
                guard let removed = shortened(from: &position), removed <= name.count else { return false }
                name.removeLast(removed)
            } else {
                name = []
            }
            guard position < bytes.count, let end = bytes[position...].firstIndex(of: 0) else { return false }
            name += bytes[position..<end]
            if name.elementsEqual(path.utf8) { return true }
            position = version == 4 ? end + 1 : start + ((end - start) / 8 + 1) * 8
        }
        return false
    }

    /// The number of bytes to remove from the end of the previous name, as version 4 of the format stores it. Each byte contains
    /// seven bits of the number, and one is added for each further byte.
    private func shortened(from position: inout Int) -> Int? {
        var value = 0
        while position < bytes.count, value < bytes.count {
            let byte = bytes[position]
            position += 1
            value += Int(byte & 0x7F)
            if byte & 0x80 == 0 { return value }
            value = (value + 1) << 7
        }
        return nil
    }
}

/// Finds out from `.gitignore` files whether git ignores a path. The files are read from the repository's root down, and the last
/// rule that matches decides.
enum GitIgnore {
    static let file = ".gitignore"

    /// Whether git ignores a file in this folder. Patterns with brackets are not supported.
    static func ignores(_ name: String, in folder: String, _ files: FileSystem) -> Bool {
        // Outside a repository, the folder's own `.gitignore` is used, because the folder may become a repository.
        let top = GitRepository(around: folder, files)?.folder ?? folder
        var folders = [folder]
        while let last = folders.last, last != top { folders.append(FilePath.parent(last)) }
        var isIgnored = false
        for above in folders.reversed() {
            let path = (above == folder ? "" : FilePath.shown(folder, from: above) + "/") + name
            let bytes = (try? files.read(FilePath.join(above, file), 1 << 20)) ?? []
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
        /// Whether the rule is for paths relative to the folder of `.gitignore`, and not for names in any folder.
        private let isAnchored: Bool
        private let parts: [String]

        /// Reads a line of `.gitignore`; nil for a line without a rule.
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

        /// Whether the rule matches the file, or a folder that contains it.
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
