package import CommandLineKit
import ReqcliAssembly
import ReqcliDefinitions
package import ReqcliText
import RequestBuilding

/// Says what a command would use now: the workspace, the environment, the server, the secrets, and what is kept of earlier calls.
package struct StatusCommand: Command {
    static let json = SharedOptions.json("Print one JSON object")

    package static let spec = CommandSpec(
        "status", "Show the workspace, environment, server and secrets in use",
        examples: [
            Example("Where a request would go, and which secrets are missing", "reqcli status"),
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
        // The answer is about the user's calls, also if a program reads it.
        let extent = try context.historyExtent(in: { workspace }, standing.chain, isAtTerminal: true)
        let calls = History(of: workspace, context)?.calls().count ?? 0
        let logins = KeptLogins.kept(in: workspace, choice.name, context)
        let agreements =
            TrustStore.path(variable: context.world.variable).map {
                TrustStore(path: $0, files: context.files).count(for: workspace)
            } ?? 0
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
                    "history": .string(history.word), "calls": .int(calls),
                    "logins": .array(logins.map { .string($0.id) }), "agreements": .int(agreements),
                    "version": .string(Program.version),
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
        for login in logins { add("login", "\(login.id), kept for \(login.rest.text)") }
        if agreements > 0 {
            add("agreed", "\(counted(agreements, "permission")) of this workspace, by an earlier answer")
        }
        add("history", history.phrase + (calls > 0 ? "; \(counted(calls, "call")) kept" : ""))
        context.write(columns)
        return .success
    }
}
