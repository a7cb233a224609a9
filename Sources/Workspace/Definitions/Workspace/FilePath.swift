import ReqcliBasics

/// Functions that join, normalize and shorten paths as text, without asking the file system.
package enum FilePath {
    package static func join(_ base: String, _ path: String) -> String {
        if path.hasPrefix("/") || base.isEmpty { return path }
        if path.isEmpty { return base }
        return base.hasSuffix("/") ? base + path : base + "/" + path
    }

    /// The path without `.`, `..` and doubled slashes.
    package static func tidy(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else if part != ".." || !path.hasPrefix("/") {
                parts.append(part)
            }
        }
        let joined = parts.map { String($0) }.joined(separator: "/")
        return path.hasPrefix("/") ? "/" + joined : joined.isEmpty ? "." : joined
    }

    /// Whether a path is a folder or inside it. Both paths must be normalized, or both resolved.
    package static func isInside(_ path: String, _ folder: String) -> Bool {
        // Compares bytes, because this runs for each file that is read.
        guard path.utf8.starts(with: folder.utf8) else { return false }
        let rest = path.utf8.dropFirst(folder.utf8.count)
        return rest.isEmpty || rest.first == UInt8(ascii: "/") || folder.utf8.last == UInt8(ascii: "/")
    }

    /// Whether a path in a file leads to somewhere below the workspace's root, unless a link leads elsewhere.
    package static func isBelowRoot(_ path: String) -> Bool {
        !path.hasPrefix("/") && !path.hasPrefix("~") && !path.split(separator: "/").contains("..")
    }

    package static func parent(_ path: String) -> String {
        let trimmed = path.count > 1 && path.hasSuffix("/") ? path.dropLast() : path[...]
        guard let slash = trimmed.lastIndex(of: "/") else { return "." }
        return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    }

    /// An absolute path as shown from a folder. The result is relative if the path is inside the folder, or at most three folders
    /// up with at least one folder in common. Otherwise, the path stays absolute.
    package static func shown(_ path: String, from folder: String) -> String {
        let target = path.split(separator: "/")
        let base = folder.split(separator: "/")
        let common = zip(target, base).prefix { $0 == $1 }.count
        let ups = base.count - common
        guard path.hasPrefix("/"), folder.hasPrefix("/"), ups <= 3, common > 0 || ups == 0 else { return path }
        let parts = Array(repeating: "..", count: ups) + target[common...]
        return parts.isEmpty ? "." : parts.map { String($0) }.joined(separator: "/")
    }
}
