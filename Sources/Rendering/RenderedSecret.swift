/// A resolved secret and where its value came from, which is what a command shows instead of it.
package struct RenderedSecret: Hashable, Sendable {
    package let name: String
    package let value: String
    package let source: Source

    package enum Source: Hashable, Sendable {
        case environment(_ variable: String)
        case command(_ argv: [String])
        case file(_ path: String)
        /// There is nothing that a shell could read it from: it is always masked.
        case unknown
    }

    package init(name: String, value: String, source: Source) {
        self.name = name
        self.value = value
        self.source = source
    }

    /// What a mask shows: `<secret.name>`.
    var label: String { "secret.\(name)" }

    /// True where a shell's expansion gives this very value: one from a command or a file loses its last line breaks,
    /// and an empty variable counts as unset.
    var isExpandable: Bool {
        switch source {
        case .environment: !value.isEmpty
        case .command, .file: !value.isEmpty && value.utf8.last != UInt8(ascii: "\n")
        case .unknown: false
        }
    }
}
