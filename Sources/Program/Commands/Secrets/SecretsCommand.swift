import Calling
import Checking
package import CommandLineKit
import Exchange
import Foundation
import ReqcliBasics
import ReqcliDefinitions
package import ReqcliText

/// Shows where each secret can be sent, and fails if one can leave the allowed origins.
package struct SecretsCommand: Command {
    static let json = SharedOptions.json("Print one JSON object")
    static let allowed = Option(
        repeated: "allow-origin", .serverOrigin, "Fail if a secret can be sent to another origin than this one")

    package static let spec = CommandSpec(
        "secrets", "Show where each secret can be sent",
        examples: [
            Example("The secrets of all environments", "reqcli secrets"),
            Example("Of one environment, as JSON", "reqcli secrets --env staging --json"),
            Example(
                "In CI: fail if a secret can leave this server",
                "reqcli secrets --env staging --allow-origin https://staging.example.com"),
        ],
        arguments: ArgumentList(),
        options: [
            OptionGroup("Output", json),
            OptionGroup(
                "Environment", SharedOptions.environment),
            OptionGroup("Gate", allowed),
        ],
        sections: [
            TextSection(
                "How it is computed",
                """
                Nothing is sent, and no secret is read. Definitions contain no scripts, so the files say where a secret can \
                go: to the servers and proxies of the endpoints that use it. "anywhere" means that something else decides, \
                such as a param in the base URL, or a redirect that carries credentials.

                --base-url and --proxy of other commands lead where you say. "origins" of a secret refuses that, too: a \
                request that would carry the secret elsewhere is not sent (exit status 8).
                """)
        ],
        exitStatuses: [
            .success,
            .expectationFailed.meaning(
                "a secret can be sent to an origin that --allow-origin or \"origins\" does not name"),
            .usage.meaning("no workspace or environment found, or wrong usage"), .broken.meaning("a file has errors"),
            .outputFailed,
        ],
        page: "reference/secrets.md")

    private let arguments: ParsedArguments

    package init(_ arguments: ParsedArguments) { self.arguments = arguments }

    package func run(in context: Context) throws(Failure) -> ExitStatus {
        let workspace = try context.open(arguments)
        let names = arguments[SharedOptions.environment].map { [$0] } ?? allEnvironments(of: workspace)
        let catalogue = Catalogue(of: workspace, withScenarios: true)
        let loads = workspace.loadEntries().value.map { workspace.load(loadFile: $0) }
        // A file with errors could use a secret, so that nothing is known for certain.
        let problems =
            (catalogue.broken + catalogue.brokenScenarios).flatMap(\.diagnostics) + loads.flatMap(\.diagnostics)
        guard !problems.contains(where: { $0.severity == .error }) else { throw Failure(.broken, problems) }
        var flows: [SecretFlow] = []
        for name in names {
            let environment = try context.environment(flag: name, in: workspace)
            flows += SecretFlow.all(in: environment, catalogue, loads.compactMap(\.value), workspace, context)
        }
        show(flows, names, context)
        let straying = flows.compactMap { self.problem(of: $0) }
        context.report(straying)
        return straying.isEmpty ? .success : .expectationFailed
    }

    /// The environments that are not only the base of others.
    private func allEnvironments(of workspace: Workspace) -> [String] {
        let chains = workspace.environmentNames.compactMap { name -> EnvironmentChain? in
            if case .found(let chain) = workspace.environment(name).value { chain } else { nil }
        }
        // An environment with errors is reported when it is read.
        let broken = workspace.environmentNames.filter { name in !chains.contains { $0.name == name } }
        return chains.withoutBases.map(\.name) + broken
    }

    private func show(_ flows: [SecretFlow], _ names: [String], _ context: Context) {
        if arguments[Self.json] {
            let environments = names.map { name -> OrderedJSON in
                .object([
                    "environment": .string(name),
                    "secrets": .array(flows.filter { $0.environment == name }.map(\.record)),
                ])
            }
            context.output.write(OrderedJSON.object(["environments": .array(environments)]).pretty + "\n")
            return
        }
        var lines: [Styled] = []
        for name in names {
            let own = flows.filter { $0.environment == name }
            if own.isEmpty { continue }
            lines += (lines.isEmpty ? [] : [""]) + [Styled(name, .bold)]
            var columns = Columns()
            for row in own.flatMap(\.lines) { columns.add(row) }
            lines += columns.lines(indent: 2, width: context.outputWidth)
        }
        if lines.isEmpty { context.note("no environment has secrets") } else { context.write(lines) }
    }

    /// The problem of a secret that can be sent to other origins than the allowed ones.
    private func problem(of flow: SecretFlow) -> Diagnostic? {
        let given = arguments[Self.allowed]
        guard
            let allowed = flow.origins.map({ own in given.isEmpty ? own : own.filter(given.contains) })
                ?? (given.isEmpty ? nil : given)
        else { return nil }
        let straying = flow.straying(from: allowed.compactMap { URL(string: $0).map { WebOrigin($0).text } })
        guard let first = straying.first else { return nil }
        let targets = straying.map(\.target.phrase).withoutRepetitions.sorted()
        return Diagnostic(
            code: .secretOrigin,
            "the secret \"\(flow.name)\" of \(flow.environment) may reach \(counted(targets.count, "other origin")): "
                + targets.joined(separator: "; "),
            at: first.place,
            hint:
                "allowed: \(allowed.joined(separator: ", ")); change where \(first.endpoint) sends it, or allow the origin"
        )
    }
}
