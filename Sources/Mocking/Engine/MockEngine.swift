package import Assembly
package import CommandLineKit
package import Definitions
package import Exchange
import NearNames
package import SourceText
import Synchronization

/// What a server gives as its response.
package struct MockAnswer: Sendable {
    package enum Content: Sendable {
        /// A variant's response.
        case stub(Stub, variant: String)
        /// A response of the server itself: no endpoint, no variant, or a request that is wrong.
        case refusal(Refusal)
    }

    package struct Refusal: Sendable {
        package let status: Int
        package let title: String
        package var problems: [RequestReading.Problem] = []
        package var near: [NearMiss] = []
        /// The methods for the header `Allow`.
        package var allowed: [String] = []

        package init(
            status: Int, title: String, problems: [RequestReading.Problem] = [], near: [NearMiss] = [],
            allowed: [String] = []
        ) {
            self.status = status
            self.title = title
            self.problems = problems
            self.near = near
            self.allowed = allowed
        }
    }

    package let endpoint: LocatedEndpoint?
    package let content: Content
    /// What is wrong with the request, whether it is refused for it or not.
    package var problems: [RequestReading.Problem] = []
}

/// Finds the endpoint of each request, chooses one of its variants and takes the variant's turn.
package final class MockEngine: Sendable {
    /// The name of the header that chooses a variant in a request, and names it in a response.
    package static let header = "X-Reqcli-Stub"

    private let workspace: Workspace
    private let router: Router
    private let endpoints: [String: EndpointVariants]
    private let chosen: @Sendable (LocatedEndpoint) -> String?
    private let rest: String?
    private let isStrict: Bool
    private let variables: [String: OrderedJSON]
    private let world: World
    private let state = Mutex(State())

    private struct State {
        var scripts: [String: StubScript] = [:]
        var turns: [String: Int] = [:]
    }

    /// - Parameters:
    ///   - chosen: The variant that the command line or the environment names for an endpoint.
    ///   - rest: The environment's variant for every endpoint.
    ///   - isStrict: Whether a request that differs from what its endpoint describes is refused.
    package init(
        _ patterns: [RequestPattern], of workspace: Workspace, variables: [String: OrderedJSON], world: World,
        chosen: @escaping @Sendable (LocatedEndpoint) -> String?, rest: String?, isStrict: Bool
    ) throws(Failure) {
        self.workspace = workspace
        self.variables = variables
        self.world = world
        self.chosen = chosen
        self.rest = rest
        self.isStrict = isStrict
        router = Router(patterns, workspace.schemas)
        let variants = patterns.map { EndpointVariants($0.endpoint, workspace.schemas) }
        endpoints = Dictionary(variants.map { ($0.endpoint.id, $0) }, uniquingKeysWith: { first, _ in first })
        // A choice that names no variant is found before the first request.
        for variant in variants where !variant.names.isEmpty {
            guard let name = chosen(variant.endpoint) else { continue }
            _ = try script(name, of: variant.endpoint)
        }
    }

    /// Pairs of endpoints that no request can tell apart.
    package var indistinguishable: [(first: LocatedEndpoint, second: LocatedEndpoint)] { router.indistinguishable }

    package func answer(_ request: IncomingRequest) -> MockAnswer {
        switch router.route(request, host: request.host) {
        case .dotSegment: refusal(400, "the path has a segment . or .., which clients remove before they send it")
        case .nothing:
            MockAnswer(
                endpoint: nil,
                content: .refusal(
                    MockAnswer.Refusal(status: 404, title: "no endpoint", near: router.nearest(to: request))))
        case .otherMethods(let methods):
            MockAnswer(
                endpoint: nil,
                content: .refusal(
                    MockAnswer.Refusal(
                        status: request.method == "OPTIONS" ? 204 : 405,
                        title: "no endpoint for \(request.method); there is one for \(methods.joined(separator: ", "))",
                        allowed: methods)))
        case .found(let pattern, let reading): answer(request, pattern.endpoint, reading)
        }
    }

    private func refusal(_ status: Int, _ title: String, _ endpoint: LocatedEndpoint? = nil) -> MockAnswer {
        MockAnswer(endpoint: endpoint, content: .refusal(MockAnswer.Refusal(status: status, title: title)))
    }

    private func answer(
        _ request: IncomingRequest, _ endpoint: LocatedEndpoint, _ reading: RequestReading
    ) -> MockAnswer {
        guard let variants = endpoints[endpoint.id], !variants.names.isEmpty else {
            return refusal(501, "\(endpoint.id) has no stub variants", endpoint)
        }
        var answer: MockAnswer
        if isStrict, !reading.problems.isEmpty {
            let title = "the request differs from what \(endpoint.id) describes"
            answer = MockAnswer(
                endpoint: endpoint,
                content: .refusal(MockAnswer.Refusal(status: 400, title: title, problems: reading.problems)))
        } else {
            answer = respond(request, reading, variants)
        }
        answer.problems = reading.problems
        return answer
    }

    private func respond(
        _ request: IncomingRequest, _ reading: RequestReading, _ variants: EndpointVariants
    ) -> MockAnswer {
        let endpoint = variants.endpoint
        let asked = request.headers(named: Self.header).first
        if let asked, !variants.names.contains(asked) {
            let list = "it has \(variants.names.joined(separator: ", "))"
            let hint = NearNames.question(for: asked, among: variants.names).map { "\($0) \(list)" } ?? list
            return refusal(400, "\(endpoint.id) has no stub variant \(asked.quoted): \(hint)", endpoint)
        }
        guard let name = asked ?? chosen(endpoint) ?? variants.chosen(for: request, reading, rest: rest) else {
            let objections = variants.objections(to: request, reading).map { "\($0.variant) differs in \($0.subject)" }
            return refusal(404, "no variant is for this request: \(objections.joined(separator: "; "))", endpoint)
        }
        do throws(Failure) {
            let script = try script(name, of: endpoint)
            let turn = state.withLock { state in
                defer { state.turns["\(endpoint.id)=\(name)", default: 0] += 1 }
                return state.turns["\(endpoint.id)=\(name)", default: 0]
            }
            guard let stub = script.stub(turn), !(stub.error is Failure) else {
                return refusal(500, "the sequence \(name) has given all of its responses", endpoint)
            }
            let filling = Filling(
                request: request, reading: reading, parameters: Set(endpoint.parameters.map(\.name)),
                variables: variables, count: turn + 1, world: world)
            do throws(Filling.Unresolved) {
                return MockAnswer(endpoint: endpoint, content: .stub(try stub.filled(filling), variant: name))
            } catch {
                return refusal(500, "the variant \(name) cannot be filled: \(error.message)", endpoint)
            }
        } catch {
            return refusal(500, error.diagnostics.first?.message ?? "the variant \(name) cannot be read", endpoint)
        }
    }

    private func script(_ name: String, of endpoint: LocatedEndpoint) throws(Failure) -> StubScript {
        let key = "\(endpoint.id)=\(name)"
        if let known = state.withLock({ $0.scripts[key] }) { return known }
        let script = try workspace.stubs(name, of: endpoint, ifUnknown: .usage)
        state.withLock { $0.scripts[key] = script }
        return script
    }
}
