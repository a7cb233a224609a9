import Checking
import CommandLineKit
import Exchange
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliMocking
import ReqcliText

/// The endpoints that respond from stubs, and their variants. The choice comes from flags, else from the environment.
struct StubChoice: Sendable {
    /// One option `--stub` of the command line.
    private struct Given {
        let selector: String?
        /// The ids of the endpoints that `SELECTOR=` selects; nil if the option applies to the endpoints of the command.
        let endpoints: Set<String>?
        /// The name of the variant; nil for the default variant.
        let variant: String?

        func fits(_ endpoint: LocatedEndpoint) -> Bool { endpoints?.contains(endpoint.id) ?? true }
    }

    /// The flags in the order of the command line. The last flag that fits an endpoint counts.
    private var given: [Given]

    private static let value = ValueSpec.text("[SELECTOR=]VARIANT", completing: .variant)
    private static let summary =
        "Use this stub variant as the response (without a value: the default) and open no connection; the last --stub "
        + "for an endpoint counts"

    /// The option for a command that has many endpoints. A word after the option is one of the endpoints.
    static let optionOfMany = Option(bare: "stub", value, summary)

    static let option = Option(
        bare: "stub", value, summary,
        takesNext: { word, positionals in
            // Before the endpoint is named, a word after --stub is the endpoint, not the value. After the endpoint, NAME=VALUE is
            // a param, unless NAME looks like a selector of endpoints: a pattern, or an id with a group. No param has such a
            // name.
            guard !positionals.isEmpty else { return false }
            guard let (selector, _) = parts(of: word) else { return Name.isValid(word) }
            if selector.contains(where: { "*?".contains($0) }) || selector.hasPrefix(Selector.tagPrefix) { return true }
            return selector.contains(".") && Name.isValidID(selector)
        })

    /// - Parameter reading: All files of the workspace, if they have been read.
    init(_ values: [String?], in workspace: Workspace, _ reading: WorkspaceReading? = nil) throws(Failure) {
        var problems: [Diagnostic] = []
        var given: [Given] = []
        for value in values {
            guard let value, let (selector, variant) = Self.parts(of: value) else {
                given.append(Given(selector: nil, endpoints: nil, variant: value))
                continue
            }
            do throws(Failure) {
                let named = try Selection([Selector(selector)]).endpoints(of: workspace, in: reading).value
                given.append(Given(selector: selector, endpoints: Set(named.map(\.id)), variant: variant))
            } catch {
                // The endpoint may be in a file with errors, which are reported when the endpoint is called.
                if error.status == .broken, Name.isValidID(selector) {
                    given.append(Given(selector: selector, endpoints: [selector], variant: variant))
                    continue
                }
                guard error.status == .usage else { throw error }
                problems += error.diagnostics.map { each in
                    Diagnostic(code: each.code, "--stub: \(each.message)", at: nil, hint: each.hint)
                }
            }
        }
        // Throws, so that a typo doesn't make an endpoint use its default variant or the network.
        if !problems.isEmpty { throw Failure(.usage, problems) }
        self.given = given
    }

    /// `SELECTOR=VARIANT`; nil for a variant alone.
    private static func parts(of value: String) -> (selector: String, variant: String)? {
        value.firstIndex(of: "=").map { (String(value[..<$0]), String(value[value.index(after: $0)...])) }
    }

    /// The choice for needed endpoints. They use their default variants, because `--stub NAME` doesn't apply to them.
    var withoutAsked: StubChoice {
        var choice = self
        let isAsked = given.contains { $0.endpoints == nil }
        choice.given =
            (isAsked ? [Given(selector: nil, endpoints: nil, variant: nil)] : []) + given.filter { $0.endpoints != nil }
        return choice
    }

    /// The variant that a flag names for an endpoint.
    func name(for endpoint: LocatedEndpoint) -> String? { given.last { $0.fits(endpoint) }?.variant }

    /// Whether one of the flags names the endpoint by its full id.
    func namesAlone(_ endpoint: LocatedEndpoint) -> Bool { given.contains { $0.selector == endpoint.id } }

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
        return transport.stubbing(script.stubs, for: .any, afterwards: script.afterwards)
    }

    /// The variant to respond with: `name` is chosen for this endpoint by a flag or the environment, `rest` for all endpoints by
    /// the environment.
    private struct Choice {
        var name: String?
        var rest: String?
        let unknownStatus: ExitStatus
    }

    private func variant(
        of endpoint: LocatedEndpoint, in environment: EnvironmentChain
    ) throws(Failure) -> Choice? {
        if let last = given.last(where: { $0.fits(endpoint) }) {
            return Choice(name: last.variant, unknownStatus: .usage)
        }
        if let stubs = environment.stubs {
            if let own = stubs[named: endpoint.id] { return Choice(name: own.value, unknownStatus: .broken) }
            if let rest = stubs[named: "*"] { return Choice(rest: rest.value, unknownStatus: .broken) }
            throw Failure(
                .broken, code: .variantUnknown,
                "the environment \(environment.name) responds from stubs, but has no stub for \(endpoint.id)",
                hint: "add \"\(endpoint.id)\" or \"*\" to its \"stubs\"")
        }
        // If flags stub some endpoints, every other endpoint is stubbed, too, because the command promises to make no connection.
        return given.isEmpty ? nil : Choice(unknownStatus: .usage)
    }
}
