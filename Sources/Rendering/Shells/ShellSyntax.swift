import ASCII

/// How a shell writes an argument so that nothing in it means anything to the shell.
///
/// A new shell is one more file with one more conformer, and a line in ``Shell``.
protocol ShellSyntax: Sendable {
    /// The name under which curl is called.
    var curl: String { get }
    /// What ends a line whose command goes on.
    var continuation: String { get }

    /// One word with exactly this text.
    func quote(_ text: String) -> String

    /// One word whose secrets the shell puts in.
    func word(_ pieces: [ValuePiece]) -> String

    /// False where this shell's own expansion would give another text than the secret.
    func keeps(_ secret: RenderedSecret) -> Bool

    /// What stands before a command so that nothing is sent without its secrets and its files; nil where that needs
    /// no words. Without it an unset variable and a missing file would be sent as nothing.
    func guarding(_ needs: CommandNeeds) -> String?

    /// A body that can't be an argument: what stands before curl, and the argument of `--data-binary`. Nil where this
    /// shell has no way that keeps every byte.
    func feeding(_ body: [BodyPiece]) -> (before: String, argument: String)?

    /// What is to be said about an argument that some versions of the shell don't pass on as it is.
    func caveat(aboutArgument text: String) -> String?
}

/// A stretch of a body that is fed to curl.
enum BodyPiece: Equatable {
    case bytes([UInt8])
    case secret(RenderedSecret)
    case file(path: [ValuePiece])
}

/// What must be there before a command may run.
struct CommandNeeds {
    /// The secrets that the shell puts in.
    var secrets: [RenderedSecret]
    /// The paths of the files that are sent.
    var files: [[ValuePiece]]
    /// True where the body comes through a pipe, in which a failure would not stop curl.
    var isFed: Bool

    /// The variables among the secrets.
    var variables: [String] {
        secrets.compactMap { if case .environment(let name) = $0.source { name } else { nil } }
    }

    /// The paths of all files that are read: those of the secrets, then those that are sent.
    var paths: [[ValuePiece]] {
        secrets.compactMap { if case .file(let path) = $0.source { [.bytes(Array(path.utf8))] } else { nil } } + files
    }
}

/// The shells that commands are written for.
package enum Shell: String, CaseIterable, Sendable {
    /// Any POSIX shell: dash, bash, zsh.
    case sh
    case fish
    case powershell

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

    func keeps(_ secret: RenderedSecret) -> Bool { true }

    /// Replaces scalar by scalar: for `Character`, a quote with a combining mark behind it would not be a quote, but
    /// for the shell it is one.
    func escaping(_ text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
        // Bytes, since what is appended to a view of scalars copies all that is there.
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

    /// True for text that is one word in every shell without quotes.
    func isPlain(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(Self.isPlainByte)
    }

    private static func isPlainByte(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || "_-./:".utf8.contains(byte)
    }
}
