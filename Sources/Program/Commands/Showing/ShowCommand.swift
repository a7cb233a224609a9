package import CommandLineKit
import ReqcliDefinitions
package import ReqcliText

/// Shows an endpoint: its params, its request, its expectations and its stub variants; the steps of a scenario; or a load.
package struct ShowCommand: Command {
    static let endpoint = Argument(
        "ENDPOINT", .text("ENDPOINT", completing: .shown),
        "The id of an endpoint, a scenario or a load: user.get, scenario:checkout, load:afternoon")
    static let json = SharedOptions.json("Print one JSON object, with the definition from the file")

    package static let spec = CommandSpec(
        "show", "Show one endpoint, the steps of a scenario, or a load",
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
        if id.hasPrefix(LocatedScenario.prefix) {
            return try show(workspace.scenario(id), .scenarioUnknown, in: context, \.record) { scenario, width in
                ScenarioPage(scenario: scenario, width: width).lines
            }
        }
        if id.hasPrefix(LocatedLoad.prefix) {
            return try show(workspace.load(id), .loadUnknown, in: context, \.record) { $0.page(width: $1) }
        }
        let endpoint = try context.endpoint(id, in: workspace)
        if asJSON {
            context.output.write(endpoint.record.pretty + "\n")
        } else {
            let width = context.outputWidth
            context.write(EndpointPage(endpoint: endpoint, width: width).lines)
        }
        return .success
    }

    private func show<Found>(
        _ listed: Diagnosed<Lookup<Found>>, _ unknown: Diagnostic.Code, in context: Context,
        _ record: (Found) -> OrderedJSON, _ page: (Found, Int?) -> [Styled]
    ) throws(Failure) -> ExitStatus {
        switch listed.value {
        case .broken: throw Failure(.broken, listed.diagnostics)
        case .missing(let missing):
            throw Failure(.usage, code: unknown, missing.message, hint: missing.hint)
        case .found(let found):
            context.report(listed.diagnostics)
            if asJSON {
                context.output.write(record(found).pretty + "\n")
            } else {
                context.write(page(found, context.outputWidth))
            }
            return .success
        }
    }
}
