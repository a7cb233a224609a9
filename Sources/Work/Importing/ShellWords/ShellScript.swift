package import ReqcliText

/// The quoting rules of a shell.
package enum ShellDialect: String, Sendable, CaseIterable {
    case sh
    case cmd
    case powershell

    /// The name in messages.
    package var title: String {
        switch self {
        case .sh: "a POSIX shell"
        case .cmd: "cmd.exe"
        case .powershell: "PowerShell"
        }
    }
}

/// The commands of a text that is meant to be pasted into a shell. Nothing is run and no variable is expanded.
package struct ShellScript: Sendable {
    package let dialect: ShellDialect
    package let commands: [ShellCommand]
    /// Errors for parts whose meaning is only known when they run; warnings for parts that a shell may read differently.
    package let problems: [Diagnostic]

    /// Reads a text. The time is proportional to its length.
    ///
    /// - Parameter dialect: The shell that the text is for; nil to guess it from the text.
    package static func read(_ file: SourceFile, dialect: ShellDialect? = nil) -> ShellScript {
        let dialect = dialect ?? .guess(file.bytes)
        if let foreign = ForeignCommand.problem(in: file) {
            return ShellScript(dialect: dialect, commands: [], problems: [foreign])
        }
        let (tokens, problems) =
            switch dialect {
            case .sh: POSIXLexer.tokens(of: file)
            case .cmd: CmdLexer.tokens(of: file)
            case .powershell: PowerShellLexer.tokens(of: file)
            }
        var assembler = CommandAssembler(file: file, dialect: dialect, problems: problems)
        for token in tokens { assembler.add(token) }
        assembler.endCommand()
        return ShellScript(dialect: dialect, commands: assembler.commands, problems: assembler.problems)
    }

    /// A script with one command, whose words a shell has already split and unquoted.
    package init(arguments: [String], name: String) {
        var command = ShellCommand()
        command.words = Self.words(arguments, name: name)
        self.init(dialect: .sh, commands: [command], problems: [])
    }

    private init(dialect: ShellDialect, commands: [ShellCommand], problems: [Diagnostic]) {
        self.dialect = dialect
        self.commands = commands
        self.problems = problems
    }

    /// The words of an argument list. A shell has already split and unquoted them.
    package static func words(_ arguments: [String], name: String) -> [ShellWord] {
        // The text may contain credentials, so no message may quote the text.
        let file = SourceFile(name: name, text: arguments.joined(separator: " "), isSecret: true)
        var start = 0
        return arguments.map { argument in
            let end = start + argument.utf8.count
            defer { start = end + 1 }
            return ShellWord(argument, at: Place(file, start..<end))
        }
    }
}

/// One simple command.
package struct ShellCommand: Sendable {
    /// The standard input of a command.
    package indirect enum Input: Sendable, Equatable {
        /// The text of a here-document, or the output of a literal `echo` or `printf`.
        case text(ShellWord)
        /// The file of `< file` or `cat file |`.
        case file(ShellWord)
        /// The output of another command. This output is unknown.
        case command(Place)
    }

    /// A `NAME=value` before the command.
    package struct Assignment: Sendable {
        package let name: String
        package let value: ShellWord
    }

    /// The program and its arguments; empty for a line of assignments.
    package internal(set) var words: [ShellWord] = []
    package internal(set) var assignments: [Assignment] = []
    /// The standard input of the command; nil for the standard input of the script.
    package internal(set) var input: Input?
    /// The places of redirections of output, which are not imported.
    package internal(set) var outputs: [Place] = []
    /// Whether another command reads the output of this command.
    package internal(set) var isPiped = false

    package var place: Place? {
        guard let first = words.first ?? assignments.first?.value, let last = words.last ?? assignments.last?.value
        else { return nil }
        return Place(first.place.file, first.place.range.lowerBound..<last.place.range.upperBound)
    }
}
