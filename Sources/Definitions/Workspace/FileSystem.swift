/// Access to the file system, as a value of closures that a test can replace.
package struct FileSystem: Sendable {
    package enum Kind: Sendable {
        case file
        case directory
        /// A pipe, a device or a socket.
        case other
    }

    /// Reads a regular file of at most `limit` bytes.
    package var read: @Sendable (_ path: String, _ limit: Int) throws(FileProblem) -> [UInt8]
    /// The kind of file that a path leads to, after following links; nil if there is none.
    package var kind: @Sendable (_ path: String) -> Kind?
    /// The sorted names in a directory, without `.` and `..`.
    package var names: @Sendable (_ directory: String) throws(FileProblem) -> [String]
    /// The path with all links resolved; nil if nothing exists there.
    package var resolve: @Sendable (_ path: String) -> String?
    /// The user id of the owner of a path, after following links; nil if nothing exists there.
    package var owner: @Sendable (_ path: String) -> UInt32?

    package init(
        read: @escaping @Sendable (String, Int) throws(FileProblem) -> [UInt8],
        kind: @escaping @Sendable (String) -> Kind?,
        names: @escaping @Sendable (String) throws(FileProblem) -> [String],
        resolve: @escaping @Sendable (String) -> String?,
        owner: @escaping @Sendable (String) -> UInt32? = { _ in nil }
    ) {
        self.read = read
        self.kind = kind
        self.names = names
        self.resolve = resolve
        self.owner = owner
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
        case .tooLarge(let limit): "it is larger than \(limit / (1 << 20)) MiB"
        case .system(let text): text
        }
    }
}
