package import CommandLineKit
import ReqcliDefinitions
package import ReqcliText

/// Says what a command would use now: the workspace, the environment, the server, the secrets and the history.
package struct StatusCommand: Command {
    static let json = SharedOptions.json("Print one JSON object")

    package static let spec = CommandSpec(
        "status", "Say what would be used: workspace, environment, server, secrets",
        examples: [
            Example("Where a request would go, and which secrets it would lack", "reqcli status"),
            Example("The same for another environment", "reqcli status --env staging"),
            Example("The server alone", "reqcli status --json | jq -r .server"),
        ],
        arguments: ArgumentList(),
        options: [OptionGroup("Output", json), OptionGroup("Environment", SharedOptions.environment)],
        exitStatuses: [
            .success, .usage.meaning("no workspace or environment found"), .broken.meaning("a file has errors"),
            .outputFailed,
        ],
        page: "explanation/request.md")

    private let arguments: ParsedArguments

    package init(_ arguments: ParsedArguments) { self.arguments = arguments }

    package func run(in context: Context) throws(Failure) -> ExitStatus {
        let workspace = try context.open(arguments)
        let choice = try context.chooseEnvironment(flag: arguments[SharedOptions.environment], in: workspace)
        let standing = try context.standing(of: choice, in: workspace)
        let extent = try context.historyExtent(in: { workspace }, standing.chain, isAtTerminal: context.isAtTerminal())
        let history: (word: String, phrase: String) =
            switch extent {
            case .whole: ("whole", "on: command lines and responses")
            case .words: ("words", "on: command lines of calls at a terminal")
            case nil: ("none", "off")
            }
        if arguments[Self.json] {
            context.output.write(
                OrderedJSON.object([
                    "workspace": .string(workspace.root), "environment": .string(choice.name),
                    "from": .string(choice.origin.rawValue), "server": standing.server.map { .string($0) },
                    "missingSecrets": .array(standing.missing.map { .string($0.name) }),
                    "history": .string(history.word), "version": .string(Program.version),
                ]).pretty + "\n")
            return .success
        }
        var columns = Columns()
        func add(_ title: String, _ text: String) { columns.add(Styled(title, .cyan), Styled(harmlessLine(text))) }
        add("workspace", workspace.root)
        add("environment", choice.name + choice.originText)
        add("server", standing.serverText)
        if let needs = standing.needs { add("needs", needs) }
        if let policy = standing.policy { add("policy", policy) }
        for secret in standing.missing { add("missing", "secret \(secret.name): \(secret.source) is not set") }
        add("history", history.phrase)
        context.write(columns)
        return .success
    }
}
