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

/// The needs of an endpoint: run before it is sent, and again if its response says that their captures have expired.
actor Needs {
    private let prerequisites: Prerequisites
    private var parameters: [ParameterArgument] = []
    private var captured: GatheredCaptures?
    private let exchange: CallExchange

    fileprivate init(_ prerequisites: Prerequisites, _ exchange: CallExchange) {
        self.prerequisites = prerequisites
        self.exchange = exchange
    }

    /// Whether one of the requests made so far accepts any certificate.
    nonisolated var isInsecure: Bool { exchange.isInsecure }

    /// The captures that the needs will give, for a rehearsal.
    nonisolated var awaited: [String: Set<String>] { prerequisites.captures { _ in true } }

    /// Takes the params of the call, and finds the problems that keep a need from being sent.
    func rehearse(_ flags: RequestFlags) async throws(Failure) {
        // A value that is yet to be read from a file is for the call itself.
        parameters = flags.parameters.filter { if case .file = $0.source { false } else { true } }
        try await prerequisites.rehearse(for: parameters)
    }

    func values() async throws(Failure) -> NeededValues { keep(try await prerequisites.captured(for: parameters)) }

    /// The values captured again, if a response with this status means that they have expired; else nil.
    func values(refreshedOn status: Int) async throws(Failure) -> NeededValues? {
        guard let captured else { return nil }
        return try await prerequisites.refreshed(captured, for: parameters, on: status).map { keep($0) }
    }

    private func keep(_ new: GatheredCaptures) -> NeededValues {
        captured = new
        return NeededValues(
            captures: new.values, secrets: prerequisites.captures { $0.isSecret },
            cookies: exchange.cookies(from: prerequisites.cookieSources(new)))
    }
}

extension Context {
    /// The needs of an endpoint; nil if there are none. An alias whose values are given on the command
    /// line needs no run.
    func needs(
        of endpoint: LocatedEndpoint, _ flags: RequestFlags, in environment: EnvironmentChain, _ workspace: Workspace,
        stubs: StubChoice, confirmation: Confirmation, session: CallSession, isNarrating: Bool,
        keeping: CallExchange.Keeping
    ) throws(Failure) -> Needs? {
        let open = flags.open(endpoint)
        guard !open.needs.isEmpty else { return nil }
        let catalogue = Catalogue(following: open, in: workspace)
        report(catalogue.warnings)
        let exchange = try CallExchange(
            self, workspace, environment, flags.forNeeded, stubs: stubs, asked: [],
            confirmation: confirmation, session: session, isNarrating: isNarrating,
            keeping: keeping)
        let prerequisites = try Prerequisites(
            of: open, from: catalogue, environment: environment.name, exchange: exchange.exchange, clock: world.clock)
        return Needs(prerequisites, exchange)
    }
}
