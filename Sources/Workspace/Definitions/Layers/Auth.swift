package import ReqcliText

/// The value of `"auth"`: credentials, and the key that they are written with.
package struct Auth: Sendable {
    private let kind: AuthKind
    package let credentials: Credentials

    /// The value as a file writes it.
    ///
    /// - Parameter text: Writes a part of the credentials, by its name.
    package func source(_ text: (_ part: String, ValueTemplate) -> OrderedJSON = { $1.source }) -> OrderedJSON {
        .object([OrderedJSON.Member(kind.key, kind.source(credentials, text))])
    }

    static let table = ObjectShape<Auth?>(
        "auth", title: "\"auth\"", summary: "The credentials of a request: one of these keys.",
        AuthKind.all.map { kind in
            Field(kind.key, kind.shape, kind.summary) { $0 = Auth(kind: kind, credentials: $1) }
        }, rules: [.exactlyOne(AuthKind.all.map(\.key))], initial: { _ in nil })
}

/// Credentials, and how a request carries them.
package enum Credentials: Sendable {
    case bearer(ValueTemplate)
    case basic(user: ValueTemplate, password: ValueTemplate)
    case digest(user: ValueTemplate, password: ValueTemplate)
    /// Answers the strongest challenge of the server: Digest, else Basic.
    case any(user: ValueTemplate, password: ValueTemplate)
    case apiKey(APIKeyPlace, name: Located<String>, value: ValueTemplate)
    /// A signature of the finished request.
    case signature(Signature)
    /// An access token of an OAuth 2 server.
    case oauth2(OAuthTemplate)

    package enum APIKeyPlace: String, Sendable {
        case header
        case query
    }

    /// The parts of the credentials, in the order in which a file writes them.
    package var values: [ValueTemplate] {
        switch self {
        case .bearer(let value), .apiKey(_, _, let value): [value]
        case .basic(let user, let password), .digest(let user, let password), .any(let user, let password):
            [user, password]
        case .signature(let signature): signature.values
        case .oauth2(let template): template.values
        }
    }

    /// Whether one of these headers (in lower case) or query items carries the credentials.
    func isCarried(in headers: Set<String>, _ query: Set<String>) -> Bool {
        switch self {
        case .bearer, .basic, .digest, .any, .oauth2: headers.contains("authorization")
        case .apiKey(.header, let name, _): headers.contains(name.value.lowercased())
        case .apiKey(.query, let name, _): query.contains(name.value)
        case .signature: false
        }
    }
}

extension LocatedEndpoint {
    /// `auth` in an environment: that of the endpoint, else of its group, else of the environment.
    package func auth(in environment: EnvironmentChain) -> Setting<Auth>? {
        let own = definition.environments[named: environment.name]?.layer.auth ?? definition.request.layer.auth
        return own ?? defaults?.layer.auth ?? environment.auth
    }
}

extension EnvironmentChain {
    package var auth: Setting<Auth>? { layers.reversed().lazy.compactMap(\.layer.auth).first }
}

/// A key of `"auth"`.
struct AuthKind: Sendable {
    typealias PartText = (_ part: String, ValueTemplate) -> OrderedJSON

    let key: String
    let summary: String
    let shape: Shape<Credentials>
    /// The value of the key in a file.
    let source: @Sendable (Credentials, PartText) -> OrderedJSON

    /// All kinds, in the order of the reference. A kind with new credentials also needs a case of `Credentials`.
    static let all = [
        value("bearer", "A token, sent as \"Authorization: Bearer …\".", part: "token") { .bearer($0) },
        account("basic", "A user and a password, sent with each request (base64).") {
            .basic(user: $0, password: $1)
        },
        AuthKind(
            key: "apiKey", summary: "A key in a header or a query item of your choice.",
            shape: APIKey.table.shape.map(\.credentials)
        ) { credentials, text in
            guard case .apiKey(let place, let name, let value) = credentials else { return .null }
            return .object([
                OrderedJSON.Member(place.rawValue, .string(name.value)),
                OrderedJSON.Member("value", text("key", value)),
            ])
        },
        account("digest", "A user and a password for the server's Digest challenge.") {
            .digest(user: $0, password: $1)
        },
        account(
            "any",
            "A user and a password for Digest or Basic. If the server offers both, the stronger one is used."
        ) { .any(user: $0, password: $1) },
        AuthKind(
            key: "hmac",
            summary: "A signature (HMAC) of parts of the request, in headers or query items of your choice.",
            shape: HMACTemplate.table.shape.map { .signature(.hmac($0)) }, source: signature),
        AuthKind(
            key: "aws", summary: "A signature for AWS (Signature Version 4).",
            shape: AWSTemplate.table.shape.map { .signature(.aws($0)) }, source: signature),
        AuthKind(
            key: "jwt", summary: "A token (JSON Web Token) that reqcli makes and signs for each request.",
            shape: JWTTemplate.table.shape.map { .signature(.jwt($0)) }, source: signature),
        AuthKind(
            key: "oauth2", summary: "An access token of an OAuth 2 server, which reqcli gets and renews.",
            shape: OAuthTemplate.table.shape.map { .oauth2($0) }
        ) { credentials, text in
            if case .oauth2(let template) = credentials { template.source(text) } else { .null }
        },
    ]

    private static let signature: @Sendable (Credentials, PartText) -> OrderedJSON = { credentials, text in
        if case .signature(let signature) = credentials { signature.source(text) } else { .null }
    }

    /// A kind whose credentials are a single value.
    private static func value(
        _ key: String, _ summary: String, part: String, _ make: @escaping @Sendable (ValueTemplate) -> Credentials
    ) -> AuthKind {
        AuthKind(key: key, summary: summary, shape: Shape<ValueTemplate>.scalarValue.map(make)) { credentials, text in
            credentials.values.first.map { text(part, $0) } ?? .null
        }
    }

    /// A kind whose credentials are a user and a password.
    private static func account(
        _ key: String, _ summary: String, _ make: @escaping @Sendable (ValueTemplate, ValueTemplate) -> Credentials
    ) -> AuthKind {
        let shape = Account.table.shape.map { account -> Credentials? in
            guard let user = account.user, let password = account.password else { return nil }
            return make(user, password)
        }
        return AuthKind(key: key, summary: summary, shape: shape) { credentials, text in
            .object(zip(["user", "password"], credentials.values).map { OrderedJSON.Member($0, text($0, $1)) })
        }
    }
}

private struct Account: Sendable {
    var user: ValueTemplate?
    var password: ValueTemplate?

    static let table = ObjectShape<Account>(
        "account", title: "the account", summary: "A user and a password.",
        [
            Field("user", .scalarValue, required: true, "The user's name.") { $0.user = $1 },
            Field("password", .scalarValue, required: true, "The password, as a placeholder for a secret.") {
                $0.password = $1
            },
        ], initial: { _ in Account() })
}

private struct APIKey: Sendable {
    var header: Located<String>?
    var query: Located<String>?
    var value: ValueTemplate?

    var credentials: Credentials? {
        guard let value, let name = header ?? query else { return nil }
        return .apiKey(header == nil ? .query : .header, name: name, value: value)
    }

    static let table = ObjectShape<APIKey>(
        "apiKey", title: "\"apiKey\"", summary: "A key in a header or a query item.",
        [
            Field("header", .located(.headerName), "The header that carries the key.") { $0.header = $1 },
            Field("query", .located(.queryName), "The query item that carries the key.") {
                $0.query = $1
            },
            Field("value", .scalarValue, required: true, "The key, as a placeholder for a secret.") { $0.value = $1 },
        ], rules: [.exactlyOne(["header", "query"])], initial: { _ in APIKey() })
}
