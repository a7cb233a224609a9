import Definitions
import SourceText

/// The security schemes of a description, each once, and which operations use them.
struct OpenAPISecurity {
    private(set) var schemes: [OrderedJSON.Member] = []
    /// The credentials of all operations that name none of their own.
    private(set) var root: OrderedJSON?

    init(_ environment: EnvironmentChain) {
        root = environment.auth?.value.value.map { [.object([OrderedJSON.Member(name(of: $0), [])])] }
    }

    /// The credentials of one operation, if they are not those of all.
    mutating func requirement(of endpoint: LocatedEndpoint, _ environment: EnvironmentChain) -> OrderedJSON? {
        let auth = endpoint.auth(in: environment)
        let own: OrderedJSON? = auth.map { [.object([OrderedJSON.Member(name(of: $0), [])])] }
        if own == root { return nil }
        return own ?? []
    }

    /// The header (in lower case) or the query item that carries the credentials.
    func carriers(of endpoint: LocatedEndpoint, _ environment: EnvironmentChain) -> Set<String> {
        switch endpoint.auth(in: environment) {
        case .apiKey(.header, let name, _): [name.value.lowercased()]
        case .apiKey(.query, let name, _): [name.value]
        case nil, .bearer, .basic, .digest, .any: []
        }
    }

    private mutating func name(of auth: Auth) -> String {
        let (stem, scheme): (String, OrderedJSON) =
            switch auth {
            case .bearer: ("bearer", .object(["type": "http", "scheme": "bearer"]))
            case .basic, .any: ("basic", .object(["type": "http", "scheme": "basic"]))
            case .digest: ("digest", .object(["type": "http", "scheme": "digest"]))
            case .apiKey(let place, let name, _):
                (
                    "apiKey",
                    .object([
                        "type": "apiKey", "in": place == .header ? "header" : "query", "name": .string(name.value),
                    ])
                )
            }
        if let known = schemes.first(where: { $0.value == scheme }) { return known.name }
        var name = stem
        var number = 2
        while schemes.contains(where: { $0.name == name }) {
            name = "\(stem)\(number)"
            number += 1
        }
        schemes.append(OrderedJSON.Member(name, scheme))
        return name
    }
}
