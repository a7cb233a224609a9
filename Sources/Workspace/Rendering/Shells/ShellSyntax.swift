import ReqcliBasics

/// The syntax of a shell: quoting arguments so that nothing in them has a special meaning.
///
/// To support a new shell, add a file with a conforming type, and a case to ``Shell``.
protocol ShellSyntax: Sendable {
    /// The name of the curl program.
    var curl: String { get }
    /// The end of a line whose command continues.
    var continuation: String { get }

    /// One word with exactly this text.
    func quote(_ text: String) -> String

    /// One word, into which the shell inserts the secrets.
    func word(_ pieces: [ValuePiece]) -> String

    /// Whether this shell's expansion gives the secret unchanged.
    func keeps(_ secret: RenderedSecret) -> Bool

    /// A check before the command, so that nothing is sent if a secret or a file is missing; nil if no check is needed. Without
    /// the check, an unset variable or a missing file would be sent as empty text.
    func guarding(_ needs: CommandNeeds) -> String?

    /// The command before curl that pipes a body which can't be an argument, and the argument of `--data-binary`. Nil if this
    /// shell can't pass every byte unchanged.
    func feeding(_ body: [BodyPiece]) -> (before: String, argument: String)?

    /// A command that puts the output of another command into an environment variable.
    func assignment(of variable: String, toOutputOf words: [String]) -> String

    /// A note about an argument that some versions of the shell change; nil for any other argument.
    func caveat(aboutArgument text: String) -> String?
}

/// A part of a body that is piped to curl.
enum BodyPiece: Equatable {
    case bytes([UInt8])
    case secret(RenderedSecret)
    case file(path: [ValuePiece])
}

/// The secrets and files that a command needs to run.
struct CommandNeeds {
    /// The secrets that the shell reads.
    var secrets: [RenderedSecret]
    /// The paths of the files that are sent.
    var files: [[ValuePiece]]
    /// Whether curl reads the body from a pipe. A failure of the commands in the pipe would not stop curl.
    var isFed: Bool

    /// The names of the environment variables among the secrets.
    var variables: [String] {
        secrets.compactMap { if case .environment(let name) = $0.source { name } else { nil } }
    }

    /// The paths of all files that are read: files of secrets first, then files that are sent.
    var paths: [[ValuePiece]] {
        secrets.compactMap { if case .file(let path) = $0.source { [.bytes(Array(path.utf8))] } else { nil } } + files
    }
}

/// The shells for which commands can be written.
package enum Shell: String, CaseIterable, Sendable {
    /// Any POSIX shell: dash, bash, zsh.
    case sh
    case fish
    case powershell

    /// A command that puts the output of another command into an environment variable.
    package func assignment(of variable: String, toOutputOf words: [String]) -> String {
        syntax.assignment(of: variable, toOutputOf: words)
    }

    /// A command with these words, quoted for the shell.
    package func line(_ words: [String]) -> String { words.map(syntax.quote).joined(separator: " ") }

    var syntax: any ShellSyntax {
        switch self {
        case .sh: POSIXShell()
        case .fish: FishShell()
        case .powershell: PowerShell()
        }
    }
}

extension ShellSyntax {
    func caveat(aboutArgument text: String) -> String? { nil }

    func keeps(_ secret: RenderedSecret) -> Bool { !secret.isMadeByPOSIXShell }

    /// A pipe of `printf` and `cat` into curl's stdin, for shells that have both. Several commands are grouped.
    func piping(
        _ body: [BodyPiece], groupedBy group: (opening: String, closing: String),
        _ expansion: (RenderedSecret) -> String
    ) -> (before: String, argument: String) {
        let commands = body.map { piece in
            switch piece {
            case .bytes(let bytes): "printf " + quote(PrintfFormat.format(bytes))
            case .secret(let secret): "printf %s " + expansion(secret)
            case .file(let path): "cat -- " + word(path)
            }
        }
        let source = commands.joined(separator: "; ")
        return ((commands.count == 1 ? source : group.opening + source + group.closing) + " |", "@-")
    }

    /// Replaces text scalar by scalar. A quote with a combining mark is one `Character`, which is not equal to a quote. But for
    /// the shell, the quote is still a quote.
    func escaping(_ text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
        // Builds bytes, because appending to a view of scalars copies the whole text each time.
        var result: [UInt8] = []
        for scalar in text.unicodeScalars {
            if let replaced = replacement(scalar) {
                result += replaced.utf8
            } else if let encoded = UTF8.encode(scalar) {
                result += encoded
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Whether the text is one word in every shell, even without quotes.
    func isPlain(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(Self.isPlainByte)
    }

    private static func isPlainByte(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || "_-./:".utf8.contains(byte)
    }
}
