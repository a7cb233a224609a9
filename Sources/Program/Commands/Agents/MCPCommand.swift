package import CommandLineKit
import Glibc
import ReqcliBasics
import ReqcliDefinitions
package import ReqcliText

/// Answers an agent: what the workspace has, and how its requests would look.
package struct MCPCommand: Command {
    static let environments = Option(
        repeated: "env", short: "e", .text("NAME", completing: .environment),
        "An environment that calls may name; the first is the usual one. Default: the one in force")
    static let allowed = Option(
        repeated: "allow", .text("WHAT"),
        "Let calls send this: a method, such as POST, or endpoints, such as user.update, user or tag:smoke")
    static let largestResult = Option(
        "max-result", .byteCount, default: ByteCount(AgentResults.usualSize),
        "The largest result; larger ones are read in parts")

    package static let spec = CommandSpec(
        "mcp", "Let an agent list, explain, render and send requests",
        examples: [
            Example("Start as an agent does", "reqcli mcp"),
            Example("Send to staging only", "reqcli mcp --env staging"),
            Example("Let it write, too", "reqcli mcp --env staging --allow auth.login --allow cart"),
        ],
        options: [OptionGroup("Server", environments, allowed, largestResult)],
        sections: [
            TextSection(
                "Tools",
                """
                It speaks the Model Context Protocol on stdin and stdout. The tools list, show, explain, render, validate and send \
                are the commands of these names, and read gives the rest of a large result. send only reads: GET, HEAD, OPTIONS \
                and TRACE. With --allow, the tool change sends what is allowed. A login that an endpoint needs must be allowed, too.

                Secrets, and texts that look like secrets, are masked in results. Calls are lines on stderr; the end of stdin ends \
                it.
                """),
            TextSection(
                "Limits",
                """
                The files of the environments, reqcli.json and .env are fixed when the server starts: a call after a change of them \
                is refused (8). So is a call to another server than that of its environment, or with other proxies or \
                certificates. What the policy of an environment refuses, or asks about, is refused.
                """),
        ],
        exitStatuses: [
            .success, .usage.meaning("no workspace or environment found, or wrong usage"), .broken, .outputFailed,
        ],
        page: "how-to/agents.md")

    let arguments: ParsedArguments
    let names: [String]
    let resultSize: Int

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        names = arguments[Self.environments]
        resultSize = arguments[Self.largestResult].bytes
        guard resultSize >= AgentResults.smallestSize else {
            throw UsageError(
                "--max-result must be at least \(ByteCount(AgentResults.smallestSize).short)", command: Self.spec.name)
        }
    }

    package func run(in context: Context) throws(Failure) -> ExitStatus {
        if context.terminal.isTerminal(.input) {
            throw Failure(
                .usage, code: .usageInvalid, "stdin is a terminal; this command is started by an agent",
                hint: "the page about agents in the documentation has the settings")
        }
        let workspace = try context.open(arguments, mayAsk: false)
        // Calls are processes that start here, so the paths of files in their values start from the root.
        guard chdir(workspace.root) == 0 else {
            throw Failure(
                .usage, code: .workspaceMissing, "cannot change to the folder \(workspace.root): \(SystemError().text)")
        }
        let environments = try environments(of: workspace, in: context)
        let rule = try AgentRule(allowing: arguments[Self.allowed], in: workspace, environments, context)
        var server = AgentServer(
            context, root: workspace.root, environments: environments, rule, resultSize: resultSize)
        let input = StandardInputStream()
        while context.output.isOpen {
            guard !server.hasInputEnded else { return .success }
            server.receive(input.wait(atMost: -1, orFor: []))
            server.work(input)
        }
        return .success
    }

    /// The environments that calls may name. Without `--env`, the one in force at the start, so that no later change of a file or of
    /// `env use` leads calls to another one.
    private func environments(of workspace: Workspace, in context: Context) throws(Failure) -> [String] {
        if names.isEmpty {
            let choice = try context.chooseEnvironment(flag: nil, in: workspace)
            let isMissing = workspace.missing(environment: choice.name) != nil
            if isMissing, choice.origin == .standard { return [] }
            try workspace.demand(choice)
            return [choice.name]
        }
        for name in names { try workspace.demand(EnvironmentChoice(name: name, origin: .flag)) }
        return names
    }
}
