import Foundation
package import ReqcliAssembly
package import ReqcliDefinitions
package import ReqcliText
import RequestBuilding

extension RequestPattern {
    /// Makes the patterns of endpoints in one environment. A class, because each pattern refers to it.
    package final class Maker: Sendable {
        let schemas: SchemaStore
        let calls: OpenCalls
        /// Makes calls with the values that a user gives.
        let examples: OpenCalls
        let world: World
        private let assembler: Assembler
        private let knownBase = LazyReference<Base>()
        private let endpoints: [LocatedEndpoint]
        private let knownKeys = LazyReference<Keys>()

        /// Prepares the patterns of one server.
        ///
        /// - Parameter endpoints: The endpoints of one server. All of them are needed, because a client may send the API key of
        ///   one endpoint to another endpoint.
        package init(
            _ workspace: Workspace, in environment: EnvironmentChain, for endpoints: [LocatedEndpoint] = [],
            world: World, version: String
        ) {
            self.endpoints = endpoints
            schemas = workspace.schemas
            calls = OpenCalls(workspace, in: environment, .whole, opensSwitches: true, version: version)
            examples = OpenCalls(workspace, in: environment, .filled, version: version)
            self.world = world
            assembler = calls.assembler(world)
        }

        /// The name of the environment.
        var environment: String { calls.environment.name }

        /// The pattern of an endpoint. If possible, no request is assembled for the pattern, because a server may have many
        /// endpoints.
        package func pattern(of endpoint: LocatedEndpoint) throws(Failure) -> RequestPattern {
            if let path = base.certain?.path(of: endpoint) {
                return RequestPattern(endpoint, path: path, by: self)
            }
            return try assembledPattern(of: endpoint)
        }

        /// The pattern of an endpoint whose requests are going to be read. A request is always assembled for it.
        package func assembledPattern(of endpoint: LocatedEndpoint) throws(Failure) -> RequestPattern {
            RequestPattern(endpoint, try assembled(endpoint), by: self)
        }

        /// A request with stand-ins, and the cases of each `$switch`.
        struct Assembled {
            let request: PreparedRequest
            let choices: [String: Choice]
        }

        func assembled(_ endpoint: LocatedEndpoint) throws(Failure) -> Assembled {
            let call = calls.call(endpoint, [:]).call
            return Assembled(request: try assembler.assemble(call).request, choices: try choices(of: endpoint, call))
        }

        /// The port that the environment names, if its server is this machine.
        package var localPort: Int? {
            guard let url = base.request?.url, let host = url.host?.lowercased(),
                host == "localhost" || host.hasSuffix(".localhost") || host == "127.0.0.1" || host == "::1"
            else { return nil }
            return url.port
        }

        /// The API keys of all endpoints.
        var keys: Set<SecretFields.APIKey> {
            let known = knownKeys.value ?? knownKeys.keep(Keys(endpoints.flatMap { $0.apiKeys(in: calls.environment) }))
            return known.all
        }

        private final class Keys: Sendable {
            let all: Set<SecretFields.APIKey>

            init(_ keys: [SecretFields.APIKey]) { all = Set(keys) }
        }

        private var base: Base { knownBase.value ?? knownBase.keep(Base(calls, assembler)) }

        /// The request of an empty endpoint.
        private final class Base: Sendable {
            /// The request; nil if it cannot be assembled.
            let request: PreparedRequest?
            let certain: CertainRequests?

            init(_ calls: OpenCalls, _ assembler: Assembler) {
                request = try? assembler.assemble(
                    calls.call(LocatedEndpoint(typed: "base", in: calls.environment), [:]).call
                ).request
                certain = request.flatMap { CertainRequests(calls, base: $0) }
            }
        }

        /// The values of the variables, except those that depend on params or secrets.
        package func variables(of endpoint: LocatedEndpoint) -> [String: OrderedJSON] {
            let call = calls.call(endpoint, [:]).call
            var values: [String: OrderedJSON] = [:]
            for variable in calls.environment.variables {
                guard let template = variable.value.set else { continue }
                let filled = try? assembler.fill([template], for: call, needsAll: true).values.first ?? nil
                if let value = filled, !value.hasOpenValues { values[variable.name] = value }
            }
            return values
        }

        private func choices(of endpoint: LocatedEndpoint, _ call: Call) throws(Failure) -> [String: Choice] {
            var found: [String: Choice] = [:]
            for choice in endpoint.switches(in: calls.environment) {
                let templates = choice.cases.map(\.value) + [choice.otherwise].compactMap(\.self)
                let values = try assembler.fill(templates, for: call, needsAll: false).values
                var subject: String?
                if case .name(let name)? = choice.subject.onlyPlaceholder?.value { subject = name }
                found[choice.key] = Choice(
                    parameter: endpoint.parameters[named: subject ?? ""] == nil ? nil : subject,
                    cases: zip(choice.cases, values).compactMap { one, value in value.map { (one.name, $0) } },
                    otherwise: choice.otherwise == nil ? nil : values.last ?? nil)
            }
            return found
        }
    }
}
