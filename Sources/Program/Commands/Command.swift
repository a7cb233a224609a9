package import CommandLineKit
package import ReqcliText

/// A command: its spec, how it reads its arguments, and what it does.
///
/// A command is one file (or one folder) and one line in ``CommandList``. Help, suggestions, the manual page and
/// completions follow from its spec.
package protocol Command: Sendable {
    static var spec: CommandSpec { get }

    /// Reads the arguments. Has no side effects.
    init(_ arguments: ParsedArguments) throws(UsageError)

    /// Does the work. Results go to `context.output`; a ``Failure`` is reported on stderr and ends the program.
    func run(in context: Context) async throws(Failure) -> ExitStatus

    /// The status of a run whose results couldn't be written, given the status that the run would otherwise have.
    static func statusIfUnwritten(_ status: ExitStatus) -> ExitStatus
}

extension Command {
    package static func statusIfUnwritten(_ status: ExitStatus) -> ExitStatus { .outputFailed }
}

/// All commands, in the order and under the headings in which help shows them.
package enum CommandList {
    package struct Group: Sendable {
        package let title: String
        package let commands: [any Command.Type]
    }

    package static let groups = [
        Group(
            title: "Requests",
            commands: [
                SendCommand.self, DiffCommand.self, RenderCommand.self, ExplainCommand.self, CheckCommand.self,
                ReportCommand.self, LoadCommand.self, CurlCallCommand.self,
                DriftCommand.self, ServeCommand.self, HistoryCommand.self, EditCommand.self,
            ]),
        Group(
            title: "Accounts", commands: [LoginCommand.self, WhoamiCommand.self, LogoutCommand.self, TokenCommand.self]),
        Group(
            title: "Definitions",
            commands: [
                ListCommand.self, ShowCommand.self, EnvCommand.self, SecretsCommand.self, StatusCommand.self,
                ValidateCommand.self, LSPCommand.self, MCPCommand.self,
            ]),
        Group(
            title: "Setting up",
            commands: [
                InitCommand.self, ImportCommand.self, ExportCommand.self, GenerateCommand.self, SchemaCommand.self,
                CompletionsCommand.self,
            ]),
    ]

    /// The command with this name; nil if there is no such command. Code that mentions a command in a message first checks that
    /// the command exists.
    package static func command(named name: String) -> (any Command.Type)? {
        groups.flatMap(\.commands).first { $0.spec.name == name }
    }
}
