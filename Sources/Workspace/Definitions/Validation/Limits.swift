/// The limits for the files of a workspace. `docs/format.md` lists them.
package enum Limits {
    /// The depth of folders below `endpoints/`.
    package static let folders = 64
    /// The maximum number of times that links may lead to a folder that was already listed.
    static let repeatedFolders = 1000
    /// The size of a variable's value as JSON, in bytes.
    package static let variable = 16 << 20
    /// The size of all values filled into one request, in bytes.
    package static let request = 256 << 20
    /// The length of a chain of variables that refer to each other, or of endpoints that need each other.
    package static let chain = 512
    /// The number of requests that must be sent before another request.
    package static let neededCalls = 10_000
    /// The number of environments that one environment extends, directly or indirectly.
    package static let bases = 100
    /// The number of steps of a stub's sequence, including the steps of sequences in it.
    package static let sequence = 10_000
}
