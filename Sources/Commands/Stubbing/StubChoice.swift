import Assembly
import CommandLineKit
import Definitions
import Exchange
import Mocking
import SourceText

/// The endpoints that answer from stubs, and their variants: from flags, else from the environment.
struct StubChoice: Sendable {
    /// Variants by endpoint, as `--stub ENDPOINT=NAME` says.
    private let named: [String: String]
    /// The variant that `--stub` or `--stub NAME` gives the endpoints of the command; the inner nil is the default one.
    private var asked: String??

    private static let value = ValueSpec.text("[ENDPOINT=]VARIANT", completing: .variant)
    private static let summary =
        "Respond with this stub variant (without a value: the default one) and open no connection; a later --stub wins, "
        + "and one with an ENDPOINT wins over one without"

    /// In a command that has many endpoints, a word after it is one of them.
    static let optionOfMany = Option(bare: "stub", value, summary)

    static let option = Option(
        bare: "stub", value, summary,
        takesNext: { word, positionals in
            // Before the endpoint is named, a word after --stub is the endpoint. Behind it, NAME=VALUE is a param, and
            // ENDPOINT=VARIANT is told from it by the dot in the id.
            guard !positionals.isEmpty else { return false }
            guard let equals = word.firstIndex(of: "=") else { return Name.isValid(word) }
            return word[..<equals].contains(".") && Name.isValidID(String(word[..<equals]))
        })

    init(_ given: [String?], in workspace: Workspace) throws(Failure) {
        var named: [String: String] = [:]
        var asked: String??
        for value in given {
            if let value, let equals = value.firstIndex(of: "=") {
                named[String(value[..<equals])] = String(value[value.index(after: equals)...])
            } else {
                asked = .some(value)
            }
        }
        self.named = named
        self.asked = asked
        try refuseUnknownEndpoints(in: workspace)
    }

    /// A typo must not leave an endpoint to the variant that it would have anyway, or to the network.
    private func refuseUnknownEndpoints(in workspace: Workspace) throws(Failure) {
        let problems = named.keys.sorted().compactMap { id -> Diagnostic? in
            guard case .missing(let missing) = workspace.endpoint(id).value else { return nil }
            return Diagnostic(code: .endpointUnknown, "--stub: \(missing.message)", at: nil, hint: missing.hint)
        }
        if !problems.isEmpty { throw Failure(.usage, problems) }
    }

    /// The choice for needed endpoints, which `--stub NAME` doesn't mean: they use their default variants.
    var withoutAsked: StubChoice {
        var choice = self
        if asked != nil { choice.asked = .some(nil) }
        return choice
    }

    /// Whether anything answers from a stub at all.
    private var isOn: Bool { asked != nil || !named.isEmpty }

    /// The variant that a flag names for an endpoint.
    func name(for endpoint: LocatedEndpoint) -> String? { named[endpoint.id] ?? asked ?? nil }

    /// The stubs that respond for an endpoint; nil for the network.
    func transport(
        for endpoint: LocatedEndpoint, in environment: EnvironmentChain, _ workspace: Workspace, _ world: World
    ) throws(Failure) -> StubTransport? {
        guard let choice = try variant(of: endpoint, in: environment) else { return nil }
        let transport = StubTransport(sleep: world.clock.sleep)
        let stubs = try EndpointStubs(
            endpoint, of: workspace, in: environment, world: world, version: Program.version, chosen: choice.name,
            rest: choice.rest, ifUnknown: choice.unknownStatus)
        if let stubs { return transport.stub { request, turn in try stubs.stub(for: request, turn: turn) } }
        let script = try workspace.stubs(choice.name ?? choice.rest, of: endpoint, ifUnknown: choice.unknownStatus)
        return transport.stub(script.stubs, for: .any, afterwards: script.afterwards)
    }

    /// A variant that was named, or else the one that the environment has for every endpoint.
    private struct Choice {
        var name: String?
        var rest: String?
        let unknownStatus: ExitStatus
    }

    private func variant(
        of endpoint: LocatedEndpoint, in environment: EnvironmentChain
    ) throws(Failure) -> Choice? {
        if let name = named[endpoint.id] { return Choice(name: name, unknownStatus: .usage) }
        if let asked { return Choice(name: asked, unknownStatus: .usage) }
        if let stubs = environment.stubs {
            if let own = stubs[named: endpoint.id] { return Choice(name: own.value, unknownStatus: .broken) }
            if let rest = stubs[named: "*"] { return Choice(rest: rest.value, unknownStatus: .broken) }
            throw Failure(
                .broken, code: .variantUnknown,
                "\(environment.name) responds from stubs, and has none for \(endpoint.id)",
                hint: "add \"\(endpoint.id)\" or \"*\" to its \"stubs\"")
        }
        // With one endpoint stubbed, those that it needs are, too: "no connection" is a promise about the whole command.
        return isOn ? Choice(unknownStatus: .usage) : nil
    }
}
