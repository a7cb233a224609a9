import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// Collects the security schemes of a description, each scheme once, and tells which schemes an operation uses.
struct OpenAPISecurityWriter {
    private(set) var schemes: [OrderedJSON.Member] = []
    /// The credentials of each scheme, as an endpoint file states them.
    private var schemeCredentials: [OrderedJSON] = []
    /// The credentials of all operations that don't name other credentials.
    private(set) var root: OrderedJSON?
    private let environment: EnvironmentChain
    /// Names for credentials that aren't secrets of the environment, by their value in the file. The description refers to such a
    /// credential as a secret with this name.
    private var standIns: [String: String] = [:]
    private var taken: UniqueNames
    private var schemeNames = UniqueNames(separator: "")

    init(_ environment: EnvironmentChain) {
        self.environment = environment
        taken = UniqueNames(Set(environment.secrets.map(\.name)), separator: "")
        root = environment.auth?.set.map { [.object([OrderedJSON.Member(name(of: $0, nil), [])])] }
    }

    /// The credentials of one operation; nil if these credentials are equal to `root`.
    mutating func requirement(of request: OpenRequest) -> OrderedJSON? {
        let auth = request.endpoint.auth(in: environment)?.set
        let own: OrderedJSON? = auth.map { [.object([OrderedJSON.Member(name(of: $0, request), [])])] }
        if own == root { return nil }
        return own ?? []
    }

    /// The header (in lower case) or the query item that carries the credentials.
    func carriers(of endpoint: LocatedEndpoint) -> Set<String> {
        switch endpoint.auth(in: environment)?.set?.credentials {
        case .apiKey(.header, let name, _): [name.value.lowercased()]
        case .apiKey(.query, let name, _): [name.value]
        case .signature(let signature):
            Set(signature.carriers.map { $0.place == .header ? $0.name.lowercased() : $0.name })
        case nil, .bearer, .basic, .digest, .any, .oauth2: []
        }
    }

    /// The value of `auth` for the file of an environment, with the names of secrets.
    mutating func notation(of environment: EnvironmentChain) -> OrderedJSON? {
        environment.auth?.set.map { credentials($0, nil) }
    }

    /// The value of `auth` for the file of an endpoint: nil if the endpoint has the credentials of the environment, and null if the
    /// endpoint has no credentials.
    mutating func notation(of request: OpenRequest) -> OrderedJSON? {
        let own = (request.endpoint.auth(in: environment)?.set).map { credentials($0, request) }
        return own == notation(of: environment) ? nil : own ?? .null
    }

    /// The names of an environment's secrets, and of the secrets that this export has made from credentials.
    func secrets(in environment: EnvironmentChain) -> [String] {
        environment.secrets.map(\.name) + standIns.values.sorted()
    }

    /// - Parameter request: The request that has the credentials; nil for the credentials of the environment.
    private mutating func credentials(_ auth: Auth, _ request: OpenRequest?) -> OrderedJSON {
        if case .oauth2 = auth.credentials {
            // Whoever reads the description has another client, and gets a token in another way.
            let name = standIns["oauth2"] ?? taken.take("accessToken")
            standIns["oauth2"] = name
            return .object(["bearer": .string("{{secret.\(name)}}")])
        }
        return auth.source { part, value in text(part, value, request) }
    }

    /// The name of the security scheme for the credentials. A new scheme is added if there is none yet.
    ///
    /// - Parameter request: The request that has the credentials; nil for the credentials of the environment.
    private mutating func name(of auth: Auth, _ request: OpenRequest?) -> String {
        // The bearer tokens of different clients are written alike, but their servers are not.
        let credentials =
            if case .oauth2 = auth.credentials { auth.source() } else { credentials(auth, request) }
        let (stem, type): (String, [OrderedJSON.Member]) =
            switch auth.credentials {
            case .oauth2(let template): ("oauth2", Self.scheme(of: template))
            case .bearer: ("bearer", [.init("type", "http"), .init("scheme", "bearer")])
            case .basic, .any: ("basic", [.init("type", "http"), .init("scheme", "basic")])
            case .digest: ("digest", [.init("type", "http"), .init("scheme", "digest")])
            case .apiKey(let place, let name, _):
                (
                    "apiKey",
                    [
                        .init("type", "apiKey"), .init("in", .string(place.rawValue)),
                        .init("name", .string(name.value)),
                    ]
                )
            case .signature(let signature): ("signature", Self.scheme(of: signature))
            }
        // The name of a header or a query item is part of the credentials. So equal credentials have equal schemes.
        if let index = schemeCredentials.firstIndex(of: credentials) { return schemes[index].name }
        let name = schemeNames.take(stem)
        schemes.append(OrderedJSON.Member(name, .object(type)))
        schemeCredentials.append(credentials)
        return name
    }

    /// A description has no scheme for signatures, so it tells the first part of the request that carries the signature.
    private static func scheme(of signature: Signature) -> [OrderedJSON.Member] {
        if case .jwt = signature {
            return [.init("type", "http"), .init("scheme", "bearer"), .init("bearerFormat", "JWT")]
        }
        let carrier = signature.carriers.first
        let isAWS = if case .aws = signature { true } else { false }
        return [
            .init("type", "apiKey"), .init("in", .string((carrier?.place ?? .header).rawValue)),
            .init("name", .string(carrier?.name ?? "")), .init("description", .string(signature.title)),
        ] + (isAWS ? [.init("x-amazon-apigateway-authtype", "awsSigv4")] : [])
    }

    /// The server of a client; only the kind of its tokens if the server or the flow can't be written.
    private static func scheme(of template: OAuthTemplate) -> [OrderedJSON.Member] {
        func text(_ key: OAuthTemplate.Key) -> String? { template[key]?.literal?.plainText }
        if let issuer = text(.issuer) {
            let url = (issuer.hasSuffix("/") ? issuer : issuer + "/") + ".well-known/openid-configuration"
            return [.init("type", "openIdConnect"), .init("openIdConnectUrl", .string(url))]
        }
        // OpenAPI has no device codes before 3.2.
        guard let token = text(.tokenURL), template.flow != .deviceCode else {
            return [.init("type", "http"), .init("scheme", "bearer")]
        }
        let scopes = template.scopes.compactMap(\.literal?.plainText).map { OrderedJSON.Member($0, "") }
        let flow = OrderedJSON.object([
            "authorizationUrl": text(.authorizationURL).map { .string($0) }, "tokenUrl": .string(token),
            "scopes": .object(scopes),
        ])
        return [.init("type", "oauth2"), .init("flows", .object([.init(template.flow.rawValue, flow)]))]
    }

    /// A part of the credentials: the placeholder of a secret, or the name of a user. Any other value may be secret, so the value
    /// becomes a secret.
    private mutating func text(_ part: String, _ value: ValueTemplate, _ request: OpenRequest?) -> OrderedJSON {
        var wanted = part
        if let literal = value.literal, part == "user" { return .string(TextTemplate.escaped(literal.plainText)) }
        if case .text(let template) = value, let placeholder = template.onlyPlaceholder?.value {
            switch placeholder {
            case .secret(let name): return .string("{{secret.\(name)}}")
            case .capture(_, let name): wanted = name
            case .name(let name) where part == "user":
                let open =
                    request?.endpoint.parameters[named: name] == nil
                    ? environment.variables[named: name]?.set?.literal : request?.sample(.parameter(name))
                if let open { return .string(TextTemplate.escaped(open.plainText)) }
            case .name, .generated, .processVariable, .computed: break
            }
        }
        let source = value.source.compact
        let name = standIns[source] ?? taken.take(wanted)
        standIns[source] = name
        return .string("{{secret.\(name)}}")
    }
}
