extension FileSystem {
    /// This file system as it would be with some files written: to look at a change before it is made.
    package func with(drafts: [String: [UInt8]]) -> FileSystem {
        let base = self
        let folders = Set(drafts.keys.map(FilePath.parent))
        return FileSystem(
            read: { path, limit throws(FileProblem) in
                guard let bytes = drafts[path] else { return try base.read(path, limit) }
                if bytes.count > limit { throw FileProblem(.tooLarge(limit: limit)) }
                return bytes
            },
            kind: { path in
                if drafts[path] != nil { return .file }
                return base.kind(path) ?? (folders.contains(path) ? .directory : nil)
            },
            names: base.names,
            resolve: { path in
                guard drafts[path] != nil else { return base.resolve(path) ?? (folders.contains(path) ? path : nil) }
                // The file is made anew in its folder, wherever a link in its place may lead.
                let folder = FilePath.parent(path)
                return (base.resolve(folder) ?? folder) + path.dropFirst(folder.count)
            })
    }
}
