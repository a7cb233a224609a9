package import CommandLineKit
import ReqcliDefinitions
package import ReqcliText

/// Lists the environments, shows one of them, and chooses the environment for later commands.
package struct EnvCommand: Command {
    static let words = Argument(
        rest: "NAME", .text("NAME", completing: .environmentWord),
        "The environment to show; or \"use NAME\" to choose it for later commands")
    static let none = Flag("none", "With use: forget the choice")
    static let json = SharedOptions.json("Print a JSON array of objects")

    package static let spec = CommandSpec(
        "env", "List the environments, show one, or choose the one to use",
        examples: [
            Example("The environments, and what the current one adds to requests", "reqcli env"),
            Example("The server, the variables and the missing secrets of staging", "reqcli env staging"),
            Example("Use staging from now on, in this workspace", "reqcli env use staging"),
            Example("Forget the choice", "reqcli env use --none"),
        ],
        arguments: ArgumentList(words),
        options: [OptionGroup("Choice", none), OptionGroup("Output", json)],
        sections: [
            TextSection(
                "Which environment is used",
                """
                The first of these that applies: --env, REQCLI_ENV, the choice of "env use", "environment" in reqcli.json, \
                REQCLI_ENV in ~/.config/reqcli/config, the environment development, the only environment of the workspace. The \
                choice is stored for you, not in the workspace, below $XDG_STATE_HOME/reqcli/environments or \
                ~/.local/state/reqcli/environments. In CI, it is ignored.
                """)
        ],
        exitStatuses: [
            .success, .usage.meaning("no workspace or environment found"), .broken.meaning("a file has errors"),
            .outputFailed,
        ],
        page: "explanation/request.md")

    static let useWord = "use"

    private enum Work { case list, show(String), use(String?) }

    private let arguments: ParsedArguments
    private let work: Work

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        let words = arguments.positionals
        let isNone = arguments[Self.none]
        if words.first == Self.useWord, arguments[Self.json] {
            throw UsageError("\"env use\" prints nothing as JSON", hint: "leave out --json", command: Self.spec.name)
        }
        switch (words.first, words.count, isNone) {
        case (nil, _, false): work = .list
        case (Self.useWord, 2, false): work = .use(words[1])
        case (Self.useWord, 1, true): work = .use(nil)
        case (Self.useWord, _, _):
            throw UsageError(
                "\"env use\" takes the name of one environment, or --none",
                hint: "\"reqcli env\" lists the environments", command: Self.spec.name)
        case (_, 1, false): work = .show(words[0])
        default:
            throw UsageError(
                isNone
                    ? "--none can only be used with \"env use\""
                    : "\"env\" takes one name; found \"\(TerminalText.harmless(words[1]))\" as well",
                hint: "\"reqcli env use NAME\" chooses an environment", command: Self.spec.name)
        }
    }

    package func run(in context: Context) throws(Failure) -> ExitStatus {
        let workspace = try context.open(arguments)
        switch work {
        case .list: return try list(workspace, context)
        // A word that other programs have here, unless an environment has this name.
        case .show("list") where workspace.missing(environment: "list") != nil: return try list(workspace, context)
        case .show(let name):
            let choice = EnvironmentChoice(name: name, origin: .flag)
            let standing = try context.standing(of: choice, in: workspace)
            if arguments[Self.json] {
                let current = try context.chooseEnvironment(flag: nil, in: workspace)
                context.output.write(OrderedJSON.array([standing.record(current)]).pretty + "\n")
            } else {
                context.write(standing.lines(choice, width: context.outputWidth))
            }
        case .use(let name):
            if let name { try workspace.demand(EnvironmentChoice(name: name, origin: .flag)) }
            let hadChoice = try context.use(environment: name, in: workspace)
            let choice = try context.chooseEnvironment(flag: nil, in: workspace)
            if name == nil, !hadChoice { context.note("no environment was chosen") }
            if noteIfNone(choice, workspace, context) { break }
            context.note("commands in \(workspace.root) use \(choice.name)\(choice.originText)")
            if let name, choice.name != name {
                context.note("\(choice.origin == .variable ? "REQCLI_ENV" : "CI") hides the choice of \(name)")
            }
        }
        return .success
    }

    private func list(_ workspace: Workspace, _ context: Context) throws(Failure) -> ExitStatus {
        let choice = try context.chooseEnvironment(flag: nil, in: workspace)
        let entries = workspace.environmentEntries()
        var problems = entries.diagnostics
        var standings: [EnvironmentStanding] = []
        for entry in entries.value {
            let chain = workspace.environment(entry.id)
            problems += chain.diagnostics
            guard case .found(let chain) = chain.value else { continue }
            standings.append(EnvironmentStanding(chain, in: workspace, context))
        }
        if arguments[Self.json] {
            context.output.write(OrderedJSON.array(standings.map { $0.record(choice) }).pretty + "\n")
        } else {
            var columns = Columns()
            for standing in standings {
                columns.add(
                    Styled(standing.chain.name == choice.name ? "* " : "  ", .green)
                        + Styled(standing.chain.name, .cyan),
                    Styled(harmlessLine(standing.server ?? "")),
                    Styled(harmlessLine(standing.chain.layers.last?.summary ?? ""), .dim))
            }
            context.write(columns)
            if let current = standings.first(where: { $0.chain.name == choice.name }) {
                context.write([""] + current.lines(choice, width: context.outputWidth))
            }
        }
        context.report(problems)
        if problems.contains(where: { $0.severity == .error }) { return .broken }
        if !noteIfNone(choice, workspace, context) { try workspace.demand(choice) }
        return .success
    }

    /// Says that commands need `--env`, if no environment is named anywhere and there isn't just one. Returns whether that is so.
    private func noteIfNone(_ choice: EnvironmentChoice, _ workspace: Workspace, _ context: Context) -> Bool {
        guard choice.origin == .standard, workspace.missing(environment: choice.name) != nil else { return false }
        context.note("no environment is chosen: commands need --env NAME, or \"reqcli env use NAME\"")
        return true
    }
}

extension Context {
    /// The description of the chosen environment.
    func standing(
        of choice: EnvironmentChoice, in workspace: Workspace
    ) throws(Failure) -> EnvironmentStanding {
        EnvironmentStanding(try environment(choice, in: workspace), in: workspace, self)
    }
}
