/// The whole program: the options that every command takes, and the commands.
///
/// `--help`, `--version` and the `help` command come with it.
package struct ProgramSpec: Sendable {
    package let name: String
    package let version: String
    /// One line: what the program is.
    package let summary: String
    package let introduction: String
    package let examples: [Example]
    package let commandGroups: [CommandGroup]
    package let globalGroups: [OptionGroup]
    package let sections: [TextSection]
    package let exitStatuses: [ExitStatus]
    /// Where there is more to read, and where a mistake of the program is reported: the end of every help page.
    let furtherReading: String
    /// Worked out when they are asked for: most runs need neither.
    private let lists: (environment: @Sendable () -> [EnvironmentVariable], foreign: @Sendable () -> [ForeignOption])
    let standardOptions: OptionGroup
    /// Every command, `help` last.
    package let commands: [CommandSpec]
    /// Every option that may stand before or after the command.
    package let globalOptions: [OptionSpec]

    package init(
        _ name: String,
        version: String,
        _ summary: String,
        introduction: String = "",
        examples: [Example],
        commands: [CommandGroup],
        globalOptions: [OptionGroup] = [],
        sections: [TextSection] = [],
        environment: @autoclosure @escaping @Sendable () -> [EnvironmentVariable] = [],
        exitStatuses: [ExitStatus] = [],
        foreignOptions: @autoclosure @escaping @Sendable () -> [ForeignOption] = [],
        furtherReading: String = ""
    ) {
        self.name = name
        self.version = version
        self.summary = summary
        self.introduction = introduction
        self.examples = examples
        commandGroups = commands
        globalGroups = globalOptions
        self.sections = sections
        self.exitStatuses = exitStatuses
        lists = (environment, foreignOptions)
        self.furtherReading = furtherReading
        standardOptions = OptionGroup("Help", Self.help, Self.version)
        let known = commands.flatMap(\.commands)
        self.commands = known + [Self.helpCommand(of: name, first: known.first?.name)]
        self.globalOptions = (globalOptions + [standardOptions]).flatMap(\.options)
    }

    package var environment: [EnvironmentVariable] { lists.environment() }
    var foreignOptions: [ForeignOption] { lists.foreign() }

    package static let help = Flag("help", short: "h", "Show this help")
    package static let version = Flag("version", short: "V", "Show the version")

    /// `help COMMAND`, which is the same as `COMMAND --help`.
    private static func helpCommand(of program: String, first command: String?) -> CommandSpec {
        CommandSpec(
            helpName, "Explain a command",
            examples: [Example("What there is", "\(program) \(helpName)")]
                + (command.map { [Example("One command, with examples", "\(program) \(helpName) \($0)")] } ?? []),
            arguments: ArgumentList(helpTopic))
    }

    static let helpName = "help"

    static let helpTopic = Argument(
        optional: "COMMAND", .text("COMMAND", completing: .command), "The command to explain")

    package func command(named name: String) -> CommandSpec? {
        commands.first { $0.name == name }
    }
}

/// Commands under one heading.
package struct CommandGroup: Sendable {
    package let title: String
    package let commands: [CommandSpec]

    package init(_ title: String, _ commands: [CommandSpec]) {
        (self.title, self.commands) = (title, commands)
    }
}

/// A variable that the program reads, for help and the man page.
package struct EnvironmentVariable: Equatable, Sendable {
    /// Several where the same is read from each.
    package let names: [String]
    package let meaning: String

    package init(_ name: String, or other: String? = nil, _ meaning: String) {
        names = [name] + (other.map { [$0] } ?? [])
        self.meaning = meaning
    }
}
