import ASCII

/// A resolved secret and where its value came from, which is what a command shows instead of it.
package struct RenderedSecret: Hashable, Sendable {
    package let name: String
    package let value: String
    package let source: Source
    /// What a mask shows: `<secret.name>` unless said otherwise.
    package let label: String

    package enum Source: Hashable, Sendable {
        case environment(_ variable: String)
        /// - Parameter folder: Where it has to run; nil for where the command is pasted.
        case command(_ argv: [String], folder: String? = nil)
        case file(_ path: String)
        /// There is nothing that a shell could read it from: it is always masked.
        case unknown
    }

    package init(name: String, value: String, source: Source, label: String? = nil) {
        self.name = name
        self.value = value
        self.source = source
        self.label = label ?? "secret.\(name)"
    }

    /// True where a shell's expansion gives this very value: one from a command or a file loses its last line breaks,
    /// an empty variable counts as unset, NUL ends or vanishes, and a variable whose name is none in a shell can't be named
    /// there.
    var isExpandable: Bool {
        guard let last = value.utf8.last, !value.utf8.contains(0) else { return false }
        return switch source {
        case .environment(let name): name.isVariableName
        case .command(let argv, _): !argv.isEmpty && last != UInt8(ascii: "\n")
        case .file: last != UInt8(ascii: "\n")
        case .unknown: false
        }
    }
}
