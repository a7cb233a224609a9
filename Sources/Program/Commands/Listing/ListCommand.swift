import Checking
package import CommandLineKit
import ReqcliBasics
import ReqcliDefinitions
package import ReqcliText

/// Lists the endpoints, scenarios and loads of the workspace, or its environments.
package struct ListCommand: Command {
    static let selectors = Selector.argument(
        "The endpoints, scenarios and loads to list (default: all)", completing: .listing)
    static let json = SharedOptions.json("Print a JSON array of objects")

    package static let spec = CommandSpec(
        "list", "List the endpoints, scenarios and loads, or the environments",
        examples: [
            Example("Every endpoint with its method, path and description", "reqcli list"),
            Example("The endpoints of a group, and the endpoints with a tag", "reqcli list user tag:smoke"),
            Example("The scenarios, and the loads", "reqcli list 'scenario:*' 'load:*'"),
            Example("The environments; * marks the current one", "reqcli list environments"),
            Example("Only the ids", "reqcli list --json | jq -r '.[].id'"),
        ],
        arguments: ArgumentList(selectors),
        options: [OptionGroup("Output", json), OptionGroup("Environment", SharedOptions.environment)],
        sections: [Selector.section],
        exitStatuses: [
            .success, .usage.meaning("no workspace found, or a selector selects nothing"),
            .broken.meaning("a file has errors; the other files are listed"),
        ])

    /// The word that lists environments instead of endpoints. The selector `environments.*` still selects a group of this name.
    static let environmentsWord = "environments"

    let arguments: ParsedArguments
    let selection: Selection
    let listsEnvironments: Bool
    let environment: String?
    let asJSON: Bool

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        selection = Selection(arguments[Self.selectors], otherWords: [Self.environmentsWord])
        listsEnvironments = arguments.positionals.first == Self.environmentsWord
        if listsEnvironments, arguments.positionals.count > 1 {
            throw UsageError(
                "\"list \(Self.environmentsWord)\" takes no more arguments; found \"\(TerminalText.harmless(arguments.positionals[1]))\"",
                hint: "for a group of that name write '\(Self.environmentsWord).*'", command: Self.spec.name)
        }
        environment = arguments[SharedOptions.environment]
        asJSON = arguments[Self.json]
    }

    package func run(in context: Context) throws(Failure) -> ExitStatus {
        let workspace = try context.open(arguments)
        let problems =
            listsEnvironments
            ? try listEnvironments(of: workspace, in: context) : try listEndpoints(of: workspace, in: context)
        // After an error, the list isn't complete, and the status must say so.
        context.report(problems)
        return problems.contains { $0.severity == .error } ? .broken : .success
    }

    private func listEndpoints(of workspace: Workspace, in context: Context) throws(Failure) -> [Diagnostic] {
        // Without `--env`, no environment is read, and the list shows what the endpoints define for all environments.
        if let environment { try workspace.demand(EnvironmentChoice(name: environment, origin: .flag)) }
        let loads = try loads(of: workspace)
        let others = selection.selectors.filter { !$0.text.hasPrefix(LocatedLoad.prefix) }
        let namesOnlyLoads = others.isEmpty && !selection.selectors.isEmpty
        let scenarios =
            namesOnlyLoads
            ? (listed: Diagnosed([]), satisfied: []) : try ScenarioSelection(others).scenarios(of: workspace)
        var endpointSelection = Selection(others.filter { !$0.isScenario }, otherWords: [Self.environmentsWord])
        endpointSelection.satisfied = scenarios.satisfied
        let namesOnlyOthers = !selection.selectors.isEmpty && endpointSelection.selectors.isEmpty
        var listed = namesOnlyOthers ? Diagnosed([]) : try endpointSelection.endpoints(of: workspace)
        listed.diagnostics += scenarios.listed.diagnostics + loads.diagnostics
        leakUntilExit([listed.value, scenarios.listed.value])
        if asJSON {
            let listings =
                listed.value.map { $0.listing(in: environment) } + scenarios.listed.value.map(\.listing)
                + loads.value.map(\.listing)
            context.output.write(OrderedJSON.array(listings).pretty + "\n")
        } else if listed.value.isEmpty, scenarios.listed.value.isEmpty, loads.value.isEmpty,
            listed.diagnostics.isEmpty
        {
            context.messages.write("no endpoints in \(workspace.shown("endpoints"))\n")
        } else {
            var columns = Columns()
            for endpoint in listed.value {
                columns.add(
                    Styled(endpoint.id, .cyan), Styled(endpoint.method(in: environment)),
                    Styled(harmlessLine(endpoint.path(in: environment))),
                    Styled(harmlessLine(endpoint.definition.summary ?? ""), .dim))
            }
            for scenario in scenarios.listed.value {
                let count = scenario.definition.steps.count
                columns.add(
                    Styled(scenario.id, .cyan), "", Styled("\(count) \(count == 1 ? "step" : "steps")"),
                    Styled(harmlessLine(scenario.definition.summary ?? ""), .dim))
            }
            for load in loads.value {
                let count = load.definition.mix.count
                columns.add(
                    Styled(load.id, .cyan), "", Styled("\(count) \(count == 1 ? "call" : "calls")"),
                    Styled(harmlessLine(load.definition.summary ?? ""), .dim))
            }
            context.write(columns)
        }
        return listed.diagnostics
    }

    /// The loads that the selectors name; all without selectors.
    private func loads(of workspace: Workspace) throws(Failure) -> Diagnosed<[LocatedLoad]> {
        let wanted = selection.selectors.filter { $0.text.hasPrefix(LocatedLoad.prefix) }
        if wanted.isEmpty, !selection.selectors.isEmpty { return Diagnosed([]) }
        let entries = workspace.loadEntries()
        let ids = entries.value.map { LocatedLoad.prefix + $0.id }
        if let unmatched = wanted.first(where: { !ids.contains(where: $0.names) }) {
            let missing = NearNames.question(for: unmatched.text, among: ids)
            throw Failure(
                .usage, code: .selectionEmpty, "there is no load \"\(unmatched.text)\"",
                hint: missing ?? (ids.isEmpty ? "loads/ contains no loads" : "\"reqcli list\" lists the loads"))
        }
        let loaded = entries.value.map { workspace.load(loadFile: $0) }
        let all = loaded.compactMap(\.value).filter { load in wanted.isEmpty || wanted.contains { $0.names(load.id) } }
        return Diagnosed(
            all, entries.diagnostics + loaded.flatMap(\.diagnostics) + workspace.clashes(entries.value, of: "load"))
    }

    private func listEnvironments(of workspace: Workspace, in context: Context) throws(Failure) -> [Diagnostic] {
        let choice = try context.chooseEnvironment(flag: environment, in: workspace)
        if choice.origin == .flag || choice.origin == .variable { try workspace.demand(choice) }
        let current = choice.name
        let entries = workspace.environmentEntries()
        let loaded = entries.value.map { workspace.load(environmentFile: $0) }
        let environments = loaded.compactMap(\.value)
        if asJSON {
            let listings = environments.map { $0.listing(isCurrent: $0.name == current) }
            context.output.write(OrderedJSON.array(listings).pretty + "\n")
        } else {
            var columns = Columns()
            for environment in environments {
                let mark = environment.name == current ? "* " : "  "
                columns.add(
                    Styled(mark, .green) + Styled(environment.name, .cyan),
                    Styled(harmlessLine(environment.summary ?? ""), .dim))
            }
            context.write(columns)
        }
        return entries.diagnostics + loaded.flatMap(\.diagnostics)
    }
}

extension LocatedEndpoint {
    fileprivate func listing(in environment: String?) -> OrderedJSON {
        .object([
            "id": .string(id), "method": .string(method(in: environment)), "path": .string(path(in: environment)),
            "description": definition.summary.map { .string($0) },
            "group": group.map { .string($0) },
            "tags": .array(tags.map { .string($0) }),
            "file": .string(file.name), "line": .int(definition.place.start.line),
        ])
    }
}

extension LocatedScenario {
    fileprivate var listing: OrderedJSON {
        .object([
            "id": .string(id), "description": definition.summary.map { .string($0) },
            "steps": .array(definition.steps.map { .string($0.label) }),
            "tags": .array(definition.tags.map { .string($0) }), "file": .string(file.name),
            "line": .int(definition.place.start.line),
        ])
    }
}

extension LocatedLoad {
    fileprivate var listing: OrderedJSON {
        .object([
            "id": .string(id), "description": definition.summary.map { .string($0) },
            "calls": .array(definition.mix.map { .string($0.id) }), "file": .string(file.name),
            "line": .int(definition.place.start.line),
        ])
    }
}

extension EnvironmentDefinition {
    fileprivate func listing(isCurrent: Bool) -> OrderedJSON {
        .object([
            "name": .string(name), "current": .bool(isCurrent),
            "description": summary.map { .string($0) },
            "extends": .array(extends.map { .string($0.value) }),
            "file": .string(place.file.name),
        ])
    }
}
