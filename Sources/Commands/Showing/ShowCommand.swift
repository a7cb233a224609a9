package import CommandLineKit
import Definitions
import SourceText
import TerminalText

/// Shows an endpoint: its params, its request, its expectations and its stub variants.
package struct ShowCommand: Command {
    static let endpoint = Argument("ENDPOINT", .text("ENDPOINT", completing: .endpoint), "The endpoint's id: user.get")
    static let json = SharedOptions.json("Print one JSON object, with the definition from the file")

    package static let spec = CommandSpec(
        "show", "Show one endpoint: params, body, variants, expectations",
        examples: [
            Example("What user.feed accepts, sends and expects", "reqcli show user.feed"),
            Example("The names of its stub variants", "reqcli show user.feed --json | jq -r '.variants[]'"),
        ],
        arguments: ArgumentList(endpoint),
        options: [OptionGroup("Output", json)],
        exitStatuses: [
            .success, .usage.meaning("no workspace or endpoint found"),
            .broken.meaning("the endpoint's file has errors"),
        ])

    let arguments: ParsedArguments
    let id: String
    let asJSON: Bool

    package init(_ arguments: ParsedArguments) {
        self.arguments = arguments
        id = arguments[Self.endpoint]
        asJSON = arguments[Self.json]
    }

    package func run(in context: Context) throws(Failure) -> ExitStatus {
        let workspace = try context.open(arguments)
        let endpoint = try context.endpoint(id, in: workspace)
        if asJSON {
            context.output.write(endpoint.record.pretty + "\n")
        } else {
            let width = context.terminal.isTerminal(.output) ? context.terminal.width() : nil
            context.write(EndpointPage(endpoint: endpoint, width: width).lines)
        }
        return .success
    }
}
