/// The limits for the files of a workspace. `docs/reference/files.md` lists them.
package enum Limits {
    /// The maximum depth of folders below `endpoints/`.
    package static let folders = 64
    /// The maximum number of times that links may lead to a folder that was already listed.
    static let repeatedFolders = 1000
    /// The maximum size of a variable's value as JSON, in bytes.
    package static let variable = 16 << 20
    /// The maximum size of all values filled into one request, in bytes.
    package static let request = 256 << 20
    /// The maximum length of a chain of variables that refer to each other, or of endpoints that need each other.
    package static let chain = 512
    /// The maximum number of requests that `needs` requires before one request.
    package static let neededCalls = 10_000
    /// The maximum number of environments that one environment extends, directly or indirectly.
    package static let bases = 100
    /// The maximum number of steps of a stub's sequence, including the steps of sequences in it.
    package static let sequence = 10_000
}
