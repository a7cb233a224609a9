extension FileSystem {
    /// A copy of this file system with some files changed, to check a change before it is written.
    ///
    /// - Parameter removed: The paths of files that aren't there any more.
    package func with(drafts: [String: [UInt8]], without removed: Set<String> = []) -> FileSystem {
        let base = self
        let children = Self.children(of: drafts.keys)
        let folders = Set(children.keys)
        var changed = FileSystem(
            read: { path, limit throws(FileProblem) in
                guard let bytes = drafts[path] else {
                    if removed.contains(path) { throw FileProblem(.missing) }
                    return try base.read(path, limit)
                }
                if bytes.count > limit { throw FileProblem(.tooLarge(limit: limit)) }
                return bytes
            },
            kind: { path in
                if drafts[path] != nil { return .file }
                if removed.contains(path) { return nil }
                return base.kind(path) ?? (folders.contains(path) ? .directory : nil)
            },
            names: { folder throws(FileProblem) in
                let new = children[folder]
                let names = new != nil && base.kind(folder) == nil ? [] : try base.names(folder)
                let known = removed.isEmpty ? names : names.filter { !removed.contains(FilePath.join(folder, $0)) }
                return new.map { Set(known).union($0).sorted() } ?? known
            },
            resolve: { path in
                guard drafts[path] != nil else { return base.resolve(path) ?? (folders.contains(path) ? path : nil) }
                // Writing a file replaces a link at the path of the file. So links in the path of its folder are followed, but a
                // link at the end is not.
                let folder = FilePath.parent(path)
                return (base.resolve(folder) ?? folder) + path.dropFirst(folder.count)
            })
        changed.root = base.root
        return changed
    }

    /// For each folder that contains one of these files directly or indirectly, the names in the folder on the way to the files.
    private static func children(of paths: some Sequence<String>) -> [String: Set<String>] {
        var children: [String: Set<String>] = [:]
        for path in paths {
            var inner = path
            while inner != "/", inner != "." {
                let folder = FilePath.parent(inner)
                let name = String(inner.dropFirst(folder.hasSuffix("/") ? folder.count : folder.count + 1))
                guard children[folder, default: []].insert(name).inserted else { break }
                inner = folder
            }
        }
        return children
    }
}
