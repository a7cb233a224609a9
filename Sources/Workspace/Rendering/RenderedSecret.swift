import ReqcliBasics
package import ReqcliFunctions

/// A resolved secret and the source of its value. A rendered command reads this source instead of showing the value.
package struct RenderedSecret: Hashable, Sendable {
    package let name: String
    package let value: String
    package let source: Source
    /// The text of the mask; `<secret.name>` by default.
    package let label: String
    /// Whether the value is not known. In this case, even `--reveal` shows only the mask.
    package let isStandIn: Bool

    package enum Source: Hashable, Sendable {
        case environment(_ variable: String)
        /// - Parameter folder: The folder in which the program runs; nil for the folder in which the user pastes the command.
        case command(_ argv: [String], folder: String? = nil)
        case file(_ path: String)
        /// A value that functions made from other secrets.
        case pipe(ShellPipe)
        /// The output of a command line of a POSIX shell, which runs these programs.
        case output(_ line: String, of: Set<String>)
        /// The value has no source that a shell can read, so it is always masked.
        case unknown
    }

    package init(name: String, value: String, source: Source, label: String? = nil, isStandIn: Bool = false) {
        self.name = name
        self.value = value
        self.source = source
        self.label = label ?? "secret.\(name)"
        self.isStandIn = isStandIn
    }

    /// Whether the value is made from other secrets, in a way that not all shells can express.
    var isMadeByPOSIXShell: Bool {
        switch source {
        case .pipe, .output: true
        case .environment, .command, .file, .unknown: false
        }
    }

    /// Whether a shell's expansion gives exactly this value. Values from commands and files lose their final line breaks, an
    /// empty variable is treated as unset, NUL is lost, and some names are not valid for shell variables.
    var isExpandable: Bool {
        guard let last = value.utf8.last, !value.utf8.contains(0) else { return false }
        return switch source {
        case .environment(let name): name.isVariableName
        case .command(let argv, _): !argv.isEmpty && last != UInt8(ascii: "\n")
        case .file, .pipe, .output: last != UInt8(ascii: "\n")
        case .unknown: false
        }
    }
}
