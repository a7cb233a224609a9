import Calling
import Checking
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// Where a secret of an environment can be sent.
struct SecretFlow: Sendable {
    /// One part of an endpoint's requests, and what receives it.
    struct Route: Sendable {
        let endpoint: String
        let part: SecretUse.Part
        let place: Place
        let target: SecretDestinations.Target
    }

    let environment: String
    let name: String
    /// Where the secret is read: `variable STAGING_TOKEN`.
    let source: String
    let place: Place
    /// Whether the user has agreed that it is read there; nil if that needs no agreement.
    let isAgreed: Bool?
    /// The only origins that may receive the secret; nil if the file doesn't say.
    let origins: [String]?
    let routes: [Route]

    /// The targets in order, each with its routes.
    var byTarget: [(target: SecretDestinations.Target, routes: [Route])] {
        Dictionary(grouping: routes, by: \.target).map { (target: $0.key, routes: $0.value) }
            .sorted { $0.target.phrase < $1.target.phrase }
    }

    /// The routes to targets other than these origins.
    func straying(from allowed: [String]) -> [Route] {
        routes.filter { if case .origin(let origin) = $0.target { !allowed.contains(origin) } else { true } }
    }
}

extension SecretFlow {
    /// The flows of all secrets of an environment, in the order of the file.
    static func all(
        in environment: EnvironmentChain, _ catalogue: Catalogue, _ loads: [LocatedLoad], _ workspace: Workspace,
        _ context: Context
    ) -> [SecretFlow] {
        let standing = EnvironmentStanding(environment, in: workspace, context)
        let passed = PassedSecrets(in: environment, catalogue.endpoints, catalogue.scenarios, loads)
        let destinations = SecretDestinations(workspace, in: environment, context.world, version: Program.version)
        var routes: [String: [Route]] = [:]
        for endpoint in catalogue.endpoints.map({ $0.inside(environment) }) {
            var targets: [SecretUse.Part: [SecretDestinations.Target]] = [:]
            for use in endpoint.secretUses(in: environment, passed: passed[endpoint.id]) {
                // All parts for the server of an endpoint have the same targets.
                let key = use.part.goesToServer ? .url : use.part
                let known = targets[key] ?? destinations.targets(of: use.part, in: endpoint)
                targets[key] = known
                routes[use.secret, default: []] += known.map {
                    Route(endpoint: endpoint.id, part: use.part, place: use.place, target: $0)
                }
            }
        }
        return standing.secrets.map { secret in
            SecretFlow(
                environment: environment.name, name: secret.name, source: secret.source, place: secret.place,
                isAgreed: context.hasAgreed(to: environment.secret(secret.name)?.set, of: workspace),
                origins: secret.origins, routes: routes[secret.name] ?? [])
        }
    }

    /// The flow as JSON.
    var record: OrderedJSON {
        .object([
            "name": .string(name), "source": .string(source), "file": .string(place.file.name),
            "line": .int(place.start.line), "agreed": isAgreed.map { .bool($0) },
            "origins": origins.map { .array($0.map { .string($0) }) },
            "destinations": .array(byTarget.map { Self.record(of: $0.target, $0.routes) }),
        ])
    }

    private static func record(of target: SecretDestinations.Target, _ routes: [Route]) -> OrderedJSON {
        var members: [OrderedJSON.Member] = []
        switch target {
        case .origin(let origin): members.append(OrderedJSON.Member("origin", .string(origin)))
        case .anywhere(let reason): members.append(OrderedJSON.Member("anywhere", .string(reason)))
        }
        let uses = routes.map { route -> OrderedJSON in
            .object([
                "endpoint": .string(route.endpoint), "part": .string(route.part.phrase),
                "file": .string(route.place.file.name), "line": .int(route.place.start.line),
            ])
        }
        return .object(members + [OrderedJSON.Member("uses", .array(uses))])
    }

    /// The flow for a person.
    var lines: [[Styled]] {
        let agreement = isAgreed.map { $0 ? ", agreed" : ", not agreed yet" } ?? ""
        let head = [
            Styled(harmlessLine(name), [.bold, .cyan]), Styled(harmlessLine(source) + agreement),
            Styled(place.lineText, .dim),
        ]
        let rows = byTarget.map { target, routes -> [Styled] in
            let endpoints = routes.map(\.endpoint).withoutRepetitions.joined(separator: ", ")
            let parts = routes.map(\.part.phrase).withoutRepetitions.joined(separator: ", ")
            let isOpen = if case .anywhere = target { true } else { false }
            return [
                Styled("  " + harmlessLine(target.phrase), isOpen ? [.yellow] : []),
                Styled(harmlessLine("\(parts) of \(endpoints)")), Styled(routes.first?.place.lineText ?? "", .dim),
            ]
        }
        return [head] + (rows.isEmpty ? [[Styled("  nowhere: no request uses it", .dim)]] : rows)
    }
}

extension Context {
    /// Whether the user has agreed that a secret is read; nil if that needs no agreement.
    fileprivate func hasAgreed(to source: SecretSource?, of workspace: Workspace) -> Bool? {
        let request: TrustRequest
        switch source {
        case .command(let words, _, _): request = .program(words.map(\.value))
        case .file(let path):
            guard let real = files.resolve(workspace.path(path.value)),
                !FilePath.isInside(real, files.resolve(workspace.root) ?? workspace.root)
            else { return nil }
            request = .file(path.value, real: real)
        case .processVariable, nil: return nil
        }
        guard let path = TrustStore.path(variable: world.variable) else { return false }
        let agreement = Agreement(
            to: request, by: workspace.root, files: files, searchPath: variable("PATH") ?? "")
        return TrustStore(path: path, files: files).holds(agreement)
    }
}

extension [String] {
    /// The texts in order, each once.
    var withoutRepetitions: [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
