/// The most that the files of a workspace may ask for. `docs/format.md` lists these limits.
package enum Limits {
    /// Folders inside each other below `endpoints/`.
    package static let folders = 64
    /// The bytes of a variable's value, written as JSON.
    package static let variable = 16 << 20
    /// The bytes of all values that are filled into one request.
    package static let request = 256 << 20
    /// Variables that stand for each other one through the other; endpoints that need each other likewise.
    package static let chain = 512
    /// Requests that have to be sent before one other.
    package static let neededCalls = 10_000
    /// Environments that one environment builds on, directly or not.
    package static let bases = 100
    /// Steps of a stub's sequence, with those of the sequences in it.
    package static let sequence = 10_000
}
