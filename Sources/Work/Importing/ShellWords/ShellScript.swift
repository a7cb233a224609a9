package import ReqcliText

/// How a shell quotes.
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

/// The commands of a text that somebody would paste into a shell. Nothing is run and no variable is expanded.
package struct ShellScript: Sendable {
    package let dialect: ShellDialect
    package let commands: [ShellCommand]
    /// Errors for what cannot be read without running it; warnings for what a shell may read differently.
    package let problems: [Diagnostic]

    /// Reads a text in the time of its length.
    ///
    /// - Parameter dialect: The shell that the text is for; nil to tell it from the text.
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

    /// One command of words that a shell has split and unquoted before.
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

    /// The words of an argument list, which a shell has split and unquoted before.
    package static func words(_ arguments: [String], name: String) -> [ShellWord] {
        // Its text is a command with credentials, which no message may quote.
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
        /// The text of a here-document, or what a literal `echo` or `printf` writes.
        case text(ShellWord)
        /// The file of `< file` or `cat file |`.
        case file(ShellWord)
        /// The output of another command, which is unknown.
        case command(Place)
    }

    /// A `NAME=value` in front of the command.
    package struct Assignment: Sendable {
        package let name: String
        package let value: ShellWord
    }

    /// The program and its arguments; empty for a line of assignments.
    package internal(set) var words: [ShellWord] = []
    package internal(set) var assignments: [Assignment] = []
    /// Nil for the terminal, or whatever standard input the script has.
    package internal(set) var input: Input?
    /// Redirections of output, which are left out.
    package internal(set) var outputs: [Place] = []
    /// Whether another command reads what it writes.
    package internal(set) var isPiped = false

    package var place: Place? {
        guard let first = words.first ?? assignments.first?.value, let last = words.last ?? assignments.last?.value
        else { return nil }
        return Place(first.place.file, first.place.range.lowerBound..<last.place.range.upperBound)
    }
}
