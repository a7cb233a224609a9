import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// Collects the security schemes of a description, each scheme once, and tells which schemes an operation uses.
///
/// OpenAPI can't express where credentials are read from. So `x-credentials` contains the value of `auth` as in an endpoint file,
/// with the names of secrets.
struct OpenAPISecurityWriter {
    private(set) var schemes: [OrderedJSON.Member] = []
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
        taken = UniqueNames(environment.secrets.map(\.name), separator: "")
        root = environment.auth?.set.map { [.object([OrderedJSON.Member(name(of: $0, nil), [])])] }
    }

    /// The credentials of one operation; nil if these credentials are equal to `root`.
    mutating func requirement(of request: OpenRequest) -> OrderedJSON? {
        let auth = request.endpoint.auth(in: environment)
        let own: OrderedJSON? = auth.map { [.object([OrderedJSON.Member(name(of: $0, request), [])])] }
        if own == root { return nil }
        return own ?? []
    }

    /// The header (in lower case) or the query item that carries the credentials.
    func carriers(of endpoint: LocatedEndpoint) -> Set<String> {
        switch endpoint.auth(in: environment) {
        case .apiKey(.header, let name, _): [name.value.lowercased()]
        case .apiKey(.query, let name, _): [name.value]
        case nil, .bearer, .basic, .digest, .any: []
        }
    }

    /// - Parameter request: The request that has the credentials; nil for the credentials of the environment.
    private mutating func name(of auth: Auth, _ request: OpenRequest?) -> String {
        var (known, names) = (standIns, taken)
        let credentials = auth.source { part, value in Self.text(part, value, request, environment, &known, &names) }
        (standIns, taken) = (known, names)
        let (stem, type): (String, [OrderedJSON.Member]) =
            switch auth {
            case .bearer: ("bearer", [.init("type", "http"), .init("scheme", "bearer")])
            case .basic, .any: ("basic", [.init("type", "http"), .init("scheme", "basic")])
            case .digest: ("digest", [.init("type", "http"), .init("scheme", "digest")])
            case .apiKey(let place, let name, _):
                (
                    "apiKey",
                    [
                        .init("type", "apiKey"), .init("in", place == .header ? "header" : "query"),
                        .init("name", .string(name.value)),
                    ]
                )
            }
        let scheme = OrderedJSON.object(type + [.init("x-credentials", credentials)])
        if let known = schemes.first(where: { $0.value == scheme }) { return known.name }
        let name = schemeNames.take(stem)
        schemes.append(OrderedJSON.Member(name, scheme))
        return name
    }

    /// A part of the credentials: the placeholder of a secret, or the name of a user. Any other value may be secret, so the value
    /// becomes a secret.
    private static func text(
        _ part: String, _ value: ValueTemplate, _ request: OpenRequest?, _ environment: EnvironmentChain,
        _ standIns: inout [String: String], _ taken: inout UniqueNames
    ) -> OrderedJSON {
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
            case .name, .generated, .processVariable: break
            }
        }
        let source = value.source.compact
        if let known = standIns[source] { return .string("{{secret.\(known)}}") }
        let name = taken.take(wanted)
        standIns[source] = name
        return .string("{{secret.\(name)}}")
    }
}
