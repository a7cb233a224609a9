import Calling
import Checking
import CommandLineKit
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// The call that a command line asks for, with the calls that it needs.
struct AskedCall: Sendable {
    let call: Call
    let network: NetworkCaller
    let confirmation: Confirmation
    private let needs: Needs?

    /// - Parameter asksForParameters: Whether the user is asked for params that the call lacks.
    init(
        _ endpoint: LocatedEndpoint, _ flags: RequestFlags, in environment: EnvironmentChain, _ workspace: Workspace,
        _ arguments: ParsedArguments, _ session: CallSession, _ context: Context, isNarrating: Bool = false,
        asksForParameters: Bool = true
    ) throws(Failure) {
        let flags = try context.ready(flags, calling: endpoint).spoolingInput(context.world)
        let stubs = try StubChoice(arguments[StubChoice.option], in: workspace)
        confirmation = context.confirmation(
            in: environment, isAgreed: arguments[SendOptions.yes], mayAsk: flags.mayAsk)
        network = try context.caller(
            workspace, environment, flags.forNeeded, stubs: stubs, asked: [endpoint.id], confirmation: confirmation,
            session: session, isNarrating: isNarrating, keeping: Keeping(duration: arguments[SendOptions.keep]))
        // A mistake in a needed endpoint is found before the user is asked.
        let prerequisites = try context.prerequisites(of: endpoint, flags, in: environment, workspace, network)
        var call = try context.calls(flags, in: environment, workspace)(endpoint)
        call.arguments =
            try flags.parameters + (asksForParameters ? context.askForMissing(flags, endpoint, in: workspace) : [])
        self.call = call
        needs = prerequisites.map { Needs($0, for: call.arguments) }
    }

    /// Whether other calls are made first.
    var hasNeeds: Bool { needs != nil }

    /// Finds the problems that keep this call, or a call that it needs, from being sent.
    func rehearse() async throws(Failure) {
        try network.rehearse(needs?.awaited(by: call) ?? call)
        try await needs?.rehearse()
    }

    /// The call with the values that the needed calls capture, and with the cookies that they set. Makes these calls first.
    func completed() async throws(Failure) -> Call { try await needs?.completing(call) ?? call }

    /// If a response with this status means that the captured values have expired, captures them again and returns the call with
    /// the new values; else nil.
    func completed(refreshedOn status: Int) async throws(Failure) -> Call? {
        try await needs?.completing(call, refreshedOn: status)
    }

    /// Makes a call that `completed` has returned, and reads the whole response. If the captured values have expired, they are
    /// captured again, and `call` gets the new values.
    func result(of call: inout Call, _ terms: CallTerms = CallTerms()) async throws(Failure) -> CallResult {
        let caller = network.caller
        let result = await caller.perform(call, terms)
        guard case .success(let response) = result.result,
            let fresh = try await completed(refreshedOn: response.status)
        else { return result }
        call = fresh
        return await caller.perform(call, terms)
    }
}

/// Whether captures of needed calls are kept for later runs.
struct Keeping {
    /// The duration from the command line; nil to use the duration from the files.
    let duration: Duration?
}

/// The calls that an endpoint needs. They are made before the endpoint is called, and again if its response says that the
/// captured values have expired.
private actor Needs {
    private let prerequisites: Prerequisites
    /// The params of the call that are also for the needed calls.
    private let parameters: [ParameterArgument]
    private var captured: GatheredCaptures?

    init(_ prerequisites: Prerequisites, for parameters: [ParameterArgument]) {
        self.prerequisites = prerequisites
        // Params whose values are read from files are only for the call itself.
        self.parameters = parameters.filter { if case .file = $0.source { false } else { true } }
    }

    /// The call as a rehearsal takes it: the values that the needed calls will capture are not known yet.
    nonisolated func awaited(by call: Call) -> Call {
        var call = call
        call.awaited.captures = prerequisites.captures { _ in true }
        return call
    }

    /// Finds the problems that keep a needed call from being sent.
    func rehearse() async throws(Failure) { try await prerequisites.rehearse(for: parameters) }

    /// The call with the values that the needed calls capture, and with the cookies that they set.
    func completing(_ call: Call) async throws(Failure) -> Call {
        complete(call, with: try await prerequisites.captured(for: parameters))
    }

    /// If a response with this status means that the captured values have expired, captures them again and returns the call with
    /// the new values; else nil.
    func completing(_ call: Call, refreshedOn status: Int) async throws(Failure) -> Call? {
        guard let captured else { return nil }
        return try await prerequisites.refreshed(captured, for: parameters, on: status).map { complete(call, with: $0) }
    }

    private func complete(_ call: Call, with new: GatheredCaptures) -> Call {
        captured = new
        var call = call
        call.captures = new.values
        call.secretCaptures = prerequisites.captures { $0.isSecret }
        call.cookieSources = prerequisites.cookieSources(new)
        return call
    }
}

extension Context {
    /// The calls that an endpoint needs; nil if there are none. A needed call isn't made if its values are given on the command
    /// line.
    fileprivate func prerequisites(
        of endpoint: LocatedEndpoint, _ flags: RequestFlags, in environment: EnvironmentChain, _ workspace: Workspace,
        _ network: NetworkCaller
    ) throws(Failure) -> Prerequisites? {
        let open = flags.open(endpoint)
        guard !open.needs.isEmpty else { return nil }
        let catalogue = Catalogue(following: open, in: workspace)
        report(catalogue.warnings)
        return try Prerequisites(
            of: open, from: catalogue, environment: environment.name, caller: network.caller, clock: world.clock)
    }
}
