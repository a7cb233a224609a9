/// Access to the file system through closures, which a test can replace.
package struct FileSystem: Sendable {
    package enum Kind: Sendable {
        case file
        case directory
        /// A pipe, a device or a socket.
        case other
    }

    /// Reads a regular file of at most `limit` bytes.
    package var read: @Sendable (_ path: String, _ limit: Int) throws(FileProblem) -> [UInt8] {
        didSet { readUnless = Self.checking(read, resolve) }
    }
    /// Reads a file like `read`, unless `objection` returns a problem for the real path of the opened file. When `read` is
    /// replaced, this closure is replaced, too.
    package var readUnless:
        @Sendable (_ path: String, _ limit: Int, _ objection: @escaping (_ real: String) -> FileProblem?)
            throws(FileProblem) -> [UInt8]
    /// The kind of file that a path leads to, after following links; nil if nothing exists there.
    package var kind: @Sendable (_ path: String) -> Kind?
    /// The sorted names in a directory, without `.` and `..`.
    package var names: @Sendable (_ directory: String) throws(FileProblem) -> [String]
    /// The path with all links resolved; nil if nothing exists there.
    package var resolve: @Sendable (_ path: String) -> String?
    /// The user id of the owner of a path, after following links; nil if nothing exists there.
    package var owner: @Sendable (_ path: String) -> UInt32?
    /// The owner and the permissions of a path itself, without following links; nil if nothing exists there.
    package var access: @Sendable (_ path: String) -> FileAccess? = { _ in nil }

    /// The root of the workspace, if a `WorkspaceDoor` limits the files that can be read; nil for all files of the machine.
    var root: String?

    package init(
        read: @escaping @Sendable (String, Int) throws(FileProblem) -> [UInt8],
        kind: @escaping @Sendable (String) -> Kind?,
        names: @escaping @Sendable (String) throws(FileProblem) -> [String],
        resolve: @escaping @Sendable (String) -> String?,
        owner: @escaping @Sendable (String) -> UInt32? = { _ in nil }
    ) {
        self.read = read
        readUnless = Self.checking(read, resolve)
        self.kind = kind
        self.names = names
        self.resolve = resolve
        self.owner = owner
    }

    private static func checking(
        _ read: @escaping @Sendable (String, Int) throws(FileProblem) -> [UInt8],
        _ resolve: @escaping @Sendable (String) -> String?
    ) -> @Sendable (String, Int, @escaping (String) -> FileProblem?) throws(FileProblem) -> [UInt8] {
        { path, limit, objection throws(FileProblem) in
            if let real = resolve(path), let problem = objection(real) { throw problem }
            return try read(path, limit)
        }
    }
}

/// The owner and the permissions of a file or folder.
package struct FileAccess: Sendable, Equatable {
    package let owner: UInt32
    /// The permissions, as `chmod` takes them.
    package let mode: UInt32
    package let isLink: Bool

    package init(owner: UInt32, mode: UInt32, isLink: Bool = false) {
        self.owner = owner
        self.mode = mode
        self.isLink = isLink
    }
}

/// The reason why a file cannot be read.
package struct FileProblem: Error, Equatable {
    package enum Kind: Sendable, Equatable {
        case missing
        case brokenLink
        case isDirectory
        case notRegular
        case notDirectory
        case denied
        /// The path leads out of the workspace, to this real path.
        case outside(String, TrustPermission)
        /// The file that was opened is not the file that was checked.
        case replaced
        case tooLarge(limit: Int)
        case system(String)
    }

    package let kind: Kind

    package init(_ kind: Kind) { self.kind = kind }

    /// The text after "cannot read …: ".
    package var reason: String {
        switch kind {
        case .missing: "there is no such file"
        case .brokenLink: "it is a link to a file that doesn't exist"
        case .isDirectory: "it is a directory"
        case .notRegular: "it is not a regular file"
        case .notDirectory: "it is not a directory"
        case .denied: "permission denied"
        case .outside(let real, .refused): "it is outside the workspace (\(real)), and reading it was refused"
        case .outside(let real, _):
            "it is outside the workspace (\(real)), which needs your agreement: look at it, then set REQCLI_TRUST=1"
        case .replaced: "it was replaced while it was being opened"
        case .tooLarge(let limit): "it is larger than \(limit / (1 << 20)) MiB"
        case .system(let text): text
        }
    }
}
