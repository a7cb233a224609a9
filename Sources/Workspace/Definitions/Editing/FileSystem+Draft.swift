extension FileSystem {
    /// A copy of this file system with some files changed, to check a change before it is written.
    package func with(drafts: [String: [UInt8]]) -> FileSystem {
        let base = self
        let children = Self.children(of: drafts.keys)
        let folders = Set(children.keys)
        var changed = FileSystem(
            read: { path, limit throws(FileProblem) in
                guard let bytes = drafts[path] else { return try base.read(path, limit) }
                if bytes.count > limit { throw FileProblem(.tooLarge(limit: limit)) }
                return bytes
            },
            kind: { path in
                if drafts[path] != nil { return .file }
                return base.kind(path) ?? (folders.contains(path) ? .directory : nil)
            },
            names: { folder throws(FileProblem) in
                guard let new = children[folder] else { return try base.names(folder) }
                let known = base.kind(folder) == nil ? [] : try base.names(folder)
                return Set(known).union(new).sorted()
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
