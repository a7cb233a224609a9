import Assembly
package import CommandLineKit
import SourceText

/// Says where each part of a request comes from, and what it took the place of.
package struct ExplainCommand: Command {
    static let json = SharedOptions.json("Print the result as JSON")

    package static let spec = CommandSpec(
        "explain", "Show where each part of the request comes from",
        examples: [
            Example("Every part, its place, and what it overrides", "reqcli explain user.get --env staging"),
            Example("Show what a flag changes", "reqcli explain ping -H 'Accept: text/plain'"),
            Example("As JSON for a program", "reqcli explain ping --json"),
        ],
        arguments: ArgumentList(RequestOptions.endpoint, RequestOptions.parameters),
        options: [
            OptionGroup("Output", json), OptionGroup("Environment", SharedOptions.environment), RequestOptions.changes,
            ConnectionOptions.group, SendOptions.described, RequestOptions.values,
        ],
        sections: [
            TextSection(
                "Order of the layers",
                """
                built-in < extends, left to right < environment < defaults of the group < endpoint < the endpoint's \
                environments.NAME < command line. The later one wins; null removes a value.
                """)
        ],
        exitStatuses: [.success, .usage, .broken, .outputFailed])

    let workspace: WorkspaceChoice
    let environment: String?
    let flags: RequestFlags
    let asJSON: Bool

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        try ConnectionOptions.refuseContradictions(arguments)
        workspace = WorkspaceChoice(arguments)
        environment = arguments[SharedOptions.environment]
        flags = RequestFlags(arguments).describing
        asJSON = arguments[Self.json]
    }

    package func run(in context: Context) async throws(Failure) -> ExitStatus {
        let workspace = try context.open(workspace)
        let chain = try context.environment(flag: environment, in: workspace, toCall: flags.endpoint)
        let session = try context.session(flags.session, isSending: false)
        let assembled = try context.assemble(flags, environment: chain, in: workspace, session: session)
        let explanation = Explanation(try session.cookies?.showing(assembled, isRevealing: false) ?? assembled)
        if asJSON {
            context.output.write(explanation.json.pretty + "\n")
        } else {
            let table = ExplanationTable(
                explanation, width: context.terminal.isTerminal(.output) ? context.terminal.width() : nil)
            context.write(table.text)
        }
        return .success
    }
}
