package import CommandLineKit
import ReqcliDefinitions
package import ReqcliText

/// Shows an endpoint: its params, its request, its expectations and its stub variants; or the steps of a scenario.
package struct ShowCommand: Command {
    static let endpoint = Argument(
        "ENDPOINT", .text("ENDPOINT", completing: .shown),
        "The id of an endpoint or a scenario: user.get, scenario:checkout")
    static let json = SharedOptions.json("Print one JSON object, with the definition from the file")

    package static let spec = CommandSpec(
        "show", "Show one endpoint, or the steps of a scenario",
        examples: [
            Example("What user.feed accepts, sends and expects", "reqcli show user.feed"),
            Example("The steps of a scenario", "reqcli show scenario:checkout"),
            Example("The names of an endpoint's stub variants", "reqcli show user.feed --json | jq -r '.variants[]'"),
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
        if id.hasPrefix(LocatedScenario.prefix) { return try showScenario(of: workspace, in: context) }
        let endpoint = try context.endpoint(id, in: workspace)
        if asJSON {
            context.output.write(endpoint.record.pretty + "\n")
        } else {
            let width = context.outputWidth
            context.write(EndpointPage(endpoint: endpoint, width: width).lines)
        }
        return .success
    }

    private func showScenario(of workspace: Workspace, in context: Context) throws(Failure) -> ExitStatus {
        let listed = workspace.scenario(id)
        switch listed.value {
        case .broken: throw Failure(.broken, listed.diagnostics)
        case .missing(let missing):
            throw Failure(.usage, code: .scenarioUnknown, missing.message, hint: missing.hint)
        case .found(let scenario):
            context.report(listed.diagnostics)
            if asJSON {
                context.output.write(scenario.record.pretty + "\n")
            } else {
                let width = context.outputWidth
                context.write(ScenarioPage(scenario: scenario, width: width).lines)
            }
            return .success
        }
    }
}
