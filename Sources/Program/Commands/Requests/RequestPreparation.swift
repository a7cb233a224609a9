import Calling
import CommandLineKit
import Rendering
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

extension Context {
    /// Makes the request of an endpoint that was read before. The request is shown or saved, and not sent.
    ///
    /// - Parameter sent: A call whose captured values the request has.
    func assemble(
        _ endpoint: LocatedEndpoint, _ flags: RequestFlags, environment: EnvironmentChain, in workspace: Workspace,
        session: CallSession, awaited: AwaitedValues = AwaitedValues(), knowing sent: Call? = nil
    ) throws(Failure) -> AssembledRequest {
        let flags = try ready(flags, calling: endpoint)
        var call = try calls(flags, in: environment, workspace)(endpoint)
        call.arguments = try flags.parameters + askForMissing(flags, endpoint, in: workspace)
        call.awaited = awaited
        if let sent { (call.captures, call.secretCaptures) = (sent.captures, sent.secretCaptures) }
        let assembled = try session.completing(try assembler(flags).assemble(call))
        warn(ofCommonSecrets: assembled.secrets)
        return assembled
    }

    /// Makes calls with what the flags say, except their params.
    func calls(
        _ flags: RequestFlags, in environment: EnvironmentChain, _ workspace: Workspace
    ) throws(Failure) -> @Sendable (LocatedEndpoint) -> Call {
        let overrides = try overrides(flags)
        let environmentFiles = try flags.environmentFiles.map { path throws(Failure) in try pathFromHere(path) }
        return { endpoint in
            var call = Call(workspace: workspace, endpoint: endpoint, environment: environment)
            call.overrides = overrides
            call.environmentFiles = environmentFiles
            call.readsBodyFiles = flags.readsBodyFiles
            call.version = Program.version
            return call
        }
    }

    /// The changes of the flags, with a password that the user is asked for.
    private func overrides(_ flags: RequestFlags) throws(Failure) -> [CommandLineOverride] {
        var overrides = flags.overrides
        if let credentials = flags.credentials {
            overrides.append(try credentials.override(mayAsk: flags.mayAsk, self))
        }
        return overrides
    }

    /// The assembler for this context, with the permissions that the flags give.
    func assembler(_ flags: RequestFlags) -> Assembler { Assembler(world: world(flags)) }

    /// The world with the permissions that the flags and the user give.
    func world(_ flags: RequestFlags) -> World {
        var world = world(flags.chosen)
        world.permits = { request, workspace in permission(for: request, workspace, flags.trust) }
        return world
    }

    /// The world with the random values and the time that the flags choose.
    func world(_ chosen: ChosenValues) -> World {
        var world = world
        world.seed = seed(chosen)
        world.placeholderTime = chosen.time
        return world
    }

    /// The seed of a flag, or of the environment variable.
    func seed(_ chosen: ChosenValues) -> RandomSeed? {
        chosen.seed ?? setVariable("REQCLI_SEED").map { RandomSeed($0) }
    }

    /// The flags for this endpoint and this input. Tells a user at a terminal, or of a pipe that is silent, what the program waits
    /// for.
    func ready(_ flags: RequestFlags, calling endpoint: LocatedEndpoint) throws(Failure) -> RequestFlags {
        // A question comes before the input, which would be lost if there is no answer.
        let readsToken = flags.credentials?.mayReadInput == true && !terminal.isTerminal(.input)
        let flags = readsToken ? try flags.leavingInputToToken() : flags.reading(world)
        if let credentials = flags.credentials { _ = try credentials.override(mayAsk: flags.mayAsk, self) }
        if flags.readsInput { noteWaiting() }
        return flags.readingQuery(for: endpoint)
    }

    /// Tells a user at a terminal, or of a pipe that is silent, that the program reads standard input.
    func noteWaiting() {
        if terminal.isTerminal(.input) {
            note("reading standard input; Ctrl-D ends it")
        } else if case .silence = world.pipedInput(.seconds(2)) {
            note("waiting for standard input; to send no body, add \"< /dev/null\"")
        }
    }

    // MARK: Asking

    /// Values for required params that the call lacks. If there is a terminal, the user is asked for each value, and asked again
    /// after a value that the param doesn't allow.
    func askForMissing(
        _ flags: RequestFlags, _ endpoint: LocatedEndpoint, in workspace: Workspace
    ) throws(Failure) -> [ParameterArgument] {
        guard flags.mayAsk, terminal.canAsk else { return [] }
        var answers: [ParameterArgument] = []
        for parameter in Parameters.missing(from: flags.parameters, of: endpoint) {
            let question = parameter.value.question(named: parameter.name)
            asking: while true {
                switch parameter.value.isSecret ? terminal.askSecret(question) : terminal.ask(question) {
                case .line(let text):
                    let answer = ParameterArgument(name: parameter.name, source: .text(text))
                    if let problem = parameter.value.problem(with: answer, in: workspace, world) {
                        report(problem)
                        continue asking
                    }
                    answers.append(answer)
                    break asking
                case .end: return answers
                case .interrupted: throw Failure(.interrupted, [])
                }
            }
        }
        return answers
    }

    /// Whether a workspace may do what it asks for: by flag, by variable, by an earlier answer, or by asking the user.
    func permission(for request: TrustRequest, _ workspace: String, _ flags: TrustFlags) -> TrustPermission {
        if flags.isTrusting || setVariable("REQCLI_TRUST") == "1" { return .granted }
        let agreement = Agreement(to: request, by: workspace, files: files, searchPath: variable("PATH") ?? "")
        let store = TrustStore.path(variable: world.variable).map { TrustStore(path: $0, files: files) }
        if store?.holds(agreement) == true { return .granted }
        guard flags.mayAsk, terminal.canAsk else { return .unasked }
        guard case .line(let answer) = terminal.ask("\(workspace) \(request.question) [y/N] "),
            ["y", "yes"].contains(answer.lowercased())
        else { return .refused }
        if let store { writing.append(agreement.line + "\n", store.path) }
        return .granted
    }
}

/// `--seed` and `--at`.
struct ChosenValues {
    var seed: RandomSeed?
    let time: Double?

    init(_ arguments: ParsedArguments) {
        seed = arguments[RequestOptions.seed].map { RandomSeed($0) }
        time = arguments[RequestOptions.time]
    }
}

/// The flags about trusting a workspace and asking the user.
struct TrustFlags {
    let isTrusting: Bool
    let mayAsk: Bool

    /// Reads the flags of a command line.
    ///
    /// - Parameter mayAsk: False for a command that never asks. A command that doesn't define `--no-input` never asks, either.
    init(_ arguments: ParsedArguments, mayAsk: Bool = true) {
        isTrusting = arguments.isDefined(RequestOptions.trust) && arguments[RequestOptions.trust]
        self.mayAsk = mayAsk && arguments.isDefined(RequestOptions.noInput) && !arguments[RequestOptions.noInput]
    }
}

extension TrustRequest {
    /// The question. It is shown after the path of the workspace that asks for the permission.
    fileprivate var question: String {
        switch self {
        case .keptLogin(let id, let duration):
            return
                "wants to keep the captures of \(id) on this machine for \(duration.text).\nKeep them, now and from now on?"
        case .program(let words):
            let shown = TerminalText.harmless(OrderedJSON.array(words.map { .string($0) }).compact)
            return "wants to run a program for a secret:\n  \(shown)\nRun it, now and from now on?"
        case .file(let written, let real):
            let shown = TerminalText.harmless(written == real ? real : "\(written) (\(real))")
            return "wants to read what is outside it:\n  \(shown)\nRead it, now and from now on?"
        }
    }
}
