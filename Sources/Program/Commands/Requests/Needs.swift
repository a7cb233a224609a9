import Calling
import Checking
import CommandLineKit
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// The values that needed endpoints have captured.
struct NeededValues: Sendable {
    var captures: [String: [String: OrderedJSON]] = [:]
    /// The names of the secret captures, by alias.
    var secrets: [String: Set<String>] = [:]
    /// The cookies that the needed endpoints have set.
    var cookies: CookieSession?
}

/// The calls that an endpoint needs. They are made before the endpoint is called, and again if its response says that the
/// captured values have expired.
actor Needs {
    private let prerequisites: Prerequisites
    private var parameters: [ParameterArgument] = []
    private var captured: GatheredCaptures?
    private let network: NetworkCaller

    fileprivate init(_ prerequisites: Prerequisites, _ network: NetworkCaller) {
        self.prerequisites = prerequisites
        self.network = network
    }

    /// Whether any request made so far accepts all certificates.
    nonisolated var isInsecure: Bool { network.isInsecure }

    /// The names of the values that the needed calls will capture, for a rehearsal.
    nonisolated var awaited: [String: Set<String>] { prerequisites.captures { _ in true } }

    /// Stores the params of the call for the needed calls, and finds the problems that keep a needed call from being sent.
    func rehearse(_ flags: RequestFlags) async throws(Failure) {
        // Params whose values are read from files are only for the call itself, and not for the needed calls.
        parameters = flags.parameters.filter { if case .file = $0.source { false } else { true } }
        try await prerequisites.rehearse(for: parameters)
    }

    func values() async throws(Failure) -> NeededValues { keep(try await prerequisites.captured(for: parameters)) }

    /// If a response with this status means that the captured values have expired, captures them again and returns the new
    /// values; else nil.
    func values(refreshedOn status: Int) async throws(Failure) -> NeededValues? {
        guard let captured else { return nil }
        return try await prerequisites.refreshed(captured, for: parameters, on: status).map { keep($0) }
    }

    private func keep(_ new: GatheredCaptures) -> NeededValues {
        captured = new
        return NeededValues(
            captures: new.values, secrets: prerequisites.captures { $0.isSecret },
            cookies: network.cookies(from: prerequisites.cookieSources(new)))
    }
}

extension Context {
    /// The calls that an endpoint needs; nil if there are none. A needed call isn't made if its values are given on the command
    /// line.
    func needs(
        of endpoint: LocatedEndpoint, _ flags: RequestFlags, in environment: EnvironmentChain, _ workspace: Workspace,
        stubs: StubChoice, confirmation: Confirmation, session: CallSession, isNarrating: Bool,
        keeping: Keeping
    ) throws(Failure) -> Needs? {
        let open = flags.open(endpoint)
        guard !open.needs.isEmpty else { return nil }
        let catalogue = Catalogue(following: open, in: workspace)
        report(catalogue.warnings)
        let network = try caller(
            workspace, environment, flags.forNeeded, stubs: stubs, asked: [], confirmation: confirmation,
            session: session, isNarrating: isNarrating, keeping: keeping)
        let prerequisites = try Prerequisites(
            of: open, from: catalogue, environment: environment.name, caller: network.caller, clock: world.clock)
        return Needs(prerequisites, network)
    }
}
