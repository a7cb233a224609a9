package import ReqcliText

/// The whole program: its global options and its commands.
///
/// `--help`, `--version` and the `help` command are added automatically.
package struct ProgramSpec: Sendable {
    package let name: String
    package let version: String
    /// One line that says what the program is.
    package let summary: String
    package let introduction: String
    package let examples: [Example]
    package let commandGroups: [CommandGroup]
    package let globalGroups: [OptionGroup]
    package let sections: [TextSection]
    package let exitStatuses: [ExitStatus]
    /// Where to read more and where to report a bug, shown at the end of every help page.
    package var furtherReading: String
    /// The place of a page of the documentation, such as `reference/check.md`.
    package var placeOfPage: @Sendable (String) -> String = { "docs/\($0)" }
    let bareForm: BareForm?
    /// The variables and foreign options. They are computed only when needed, because most runs need neither.
    private let lists: (environment: @Sendable () -> [EnvironmentVariable], foreign: @Sendable () -> [ForeignOption])
    /// The hint for a word that is not a command here, but one elsewhere; nil for any other word.
    let foreignCommand: @Sendable (String) -> String?
    let standardOptions: OptionGroup
    /// All commands, `help` last.
    package let commands: [CommandSpec]
    /// The options that every command accepts, before or after the command.
    package let globalOptions: [OptionSpec]

    package init(
        _ name: String,
        version: String,
        _ summary: String,
        introduction: String = "",
        examples: [Example],
        commands: [CommandGroup],
        bareForm: BareForm? = nil,
        globalOptions: [OptionGroup] = [],
        sections: [TextSection] = [],
        environment: @autoclosure @escaping @Sendable () -> [EnvironmentVariable] = [],
        exitStatuses: [ExitStatus] = [],
        foreignOptions: @autoclosure @escaping @Sendable () -> [ForeignOption] = [],
        foreignCommand: @escaping @Sendable (String) -> String? = { _ in nil },
        furtherReading: String = ""
    ) {
        self.name = name
        self.version = version
        self.summary = summary
        self.introduction = introduction
        self.examples = examples
        commandGroups = commands
        self.bareForm = bareForm
        globalGroups = globalOptions
        self.sections = sections
        self.exitStatuses = exitStatuses
        lists = (environment, foreignOptions)
        self.furtherReading = furtherReading
        self.foreignCommand = foreignCommand
        standardOptions = OptionGroup("Help", Self.help, Self.version)
        let known = commands.flatMap(\.commands)
        self.commands = known + [Self.helpCommand(of: name, first: known.first?.name)]
        self.globalOptions = (globalOptions + [standardOptions]).flatMap(\.options)
    }

    package var environment: [EnvironmentVariable] { lists.environment() }
    var foreignOptions: [ForeignOption] { lists.foreign() }

    package static let help = Flag("help", short: "h", "Show this help")
    package static let version = Flag(
        "version", short: "V", "Show the version; with -v, also the versions of the libraries")

    /// The command `help COMMAND`, which is the same as `COMMAND --help`. It also looks up other words.
    private static func helpCommand(of program: String, first command: String?) -> CommandSpec {
        CommandSpec(
            helpName, "Explain a command, an option or a word",
            examples: [Example("All commands", "\(program) \(helpName)")]
                + (command.map { [Example("One command, with examples", "\(program) \(helpName) \($0)")] } ?? []),
            arguments: ArgumentList(helpTopic))
    }

    static let helpName = "help"

    static let helpTopic = Argument(
        optional: "WORD", .text("WORD", completing: .command),
        "A command, or another word to look up, such as cookies, exit or retry")

    package func command(named name: String) -> CommandSpec? {
        commands.first { $0.name == name }
    }
}

/// Command lines without the name of a command: `reqcli https://example.com` is `reqcli send https://example.com`.
package struct BareForm: Sendable {
    /// The name of the command that such a line runs.
    let command: String
    /// Whether these words, the first one or the first two of a line, can only mean this command.
    let begins: @Sendable (_ words: [String]) -> Bool
    /// The kind of completions for the first word. They are offered in addition to the commands.
    let completion: CompletionKind

    package init(
        of command: String, completing completion: CompletionKind = .nothing,
        begins: @escaping @Sendable (_ words: [String]) -> Bool
    ) {
        (self.command, self.completion, self.begins) = (command, completion, begins)
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

/// An environment variable that the program reads, for help and the man page.
package struct EnvironmentVariable: Equatable, Sendable {
    /// The names; more than one if several variables have the same meaning.
    package let names: [String]
    package let meaning: String

    package init(_ name: String, or other: String? = nil, _ meaning: String) {
        self.init([name] + (other.map { [$0] } ?? []), meaning)
    }

    package init(_ names: [String], _ meaning: String) {
        self.names = names
        self.meaning = meaning
    }
}

extension ProgramSpec {
    /// The usage line `reqcli send [OPTIONS] ENDPOINT [NAME=VALUE ...]`.
    package func usage(of command: CommandSpec) -> String {
        let arguments = command.arguments.map(\.usage)
        let options = command.options.isEmpty ? [] : ["[OPTIONS]"]
        return ([name, command.name] + options + arguments).joined(separator: " ")
    }

    /// The usage line `reqcli [OPTIONS] COMMAND ...`.
    package var usage: String {
        "\(name) [OPTIONS] COMMAND ..."
    }
}

extension ArgumentSpec {
    var usage: String {
        switch count {
        case .one: name
        case .optional: "[\(name)]"
        case .any: "[\(name) ...]"
        case .oneOrMore: "\(name) ..."
        }
    }
}
