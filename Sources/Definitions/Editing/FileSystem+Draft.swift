extension FileSystem {
    /// A copy of this file system with some files changed, to check a change before it is written.
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
                // A written file replaces a link at its path, so links in the folder's path are followed but not one at
                // the end.
                let folder = FilePath.parent(path)
                return (base.resolve(folder) ?? folder) + path.dropFirst(folder.count)
            })
    }
}
