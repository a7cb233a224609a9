import ReqcliText

/// The credentials that a request carries.
package enum Auth: Sendable {
    case bearer(ValueTemplate)
    case basic(user: ValueTemplate, password: ValueTemplate)
    case digest(user: ValueTemplate, password: ValueTemplate)
    /// Answers the strongest challenge of the server: Digest, else Basic.
    case any(user: ValueTemplate, password: ValueTemplate)
    case apiKey(APIKeyPlace, name: Located<String>, value: ValueTemplate)

    package enum APIKeyPlace: Sendable {
        case header
        case query
    }

    var placeholders: [Located<Placeholder>] {
        switch self {
        case .bearer(let value), .apiKey(_, _, let value): value.placeholders
        case .basic(let user, let password), .digest(let user, let password), .any(let user, let password):
            user.placeholders + password.placeholders
        }
    }

    /// Whether one of these headers (in lower case) or query items carries the credentials.
    func isCarried(in headers: Set<String>, _ query: Set<String>) -> Bool {
        switch self {
        case .bearer, .basic, .digest, .any: headers.contains("authorization")
        case .apiKey(.header, let name, _): headers.contains(name.value.lowercased())
        case .apiKey(.query, let name, _): query.contains(name.value)
        }
    }
}

// MARK: - Tables

extension Auth {
    /// The keys of `"auth"`, before the check that exactly one is given.
    struct Draft: Sendable {
        var bearer: ValueTemplate?
        var basic: Account?
        var digest: Account?
        var any: Account?
        var apiKey: APIKey?
    }

    struct Account: Sendable {
        var user: ValueTemplate?
        var password: ValueTemplate?
    }

    struct APIKey: Sendable {
        var header: Located<String>?
        var query: Located<String>?
        var value: ValueTemplate?
    }

    init?(_ draft: Draft) {
        if let token = draft.bearer {
            self = .bearer(token)
        } else if let user = draft.basic?.user, let password = draft.basic?.password {
            self = .basic(user: user, password: password)
        } else if let user = draft.digest?.user, let password = draft.digest?.password {
            self = .digest(user: user, password: password)
        } else if let user = draft.any?.user, let password = draft.any?.password {
            self = .any(user: user, password: password)
        } else if let key = draft.apiKey, let value = key.value, let name = key.header ?? key.query {
            self = .apiKey(key.header == nil ? .query : .header, name: name, value: value)
        } else {
            return nil
        }
    }

    static let table = ObjectShape<Draft>(
        "auth", title: "\"auth\"", summary: "The credentials of a request: one of these keys.",
        [
            Field("bearer", .scalarValue, "A token, sent as \"Authorization: Bearer …\".") { $0.bearer = $1 },
            Field("basic", accountTable.shape, "A user and a password, sent with each request (base64).") {
                $0.basic = $1
            },
            Field("apiKey", apiKeyTable.shape, "A key in a header or a query item of your choice.") { $0.apiKey = $1 },
            Field("digest", accountTable.shape, "A user and a password for the server's Digest challenge.") {
                $0.digest = $1
            },
            Field(
                "any", accountTable.shape,
                "A user and a password for Digest or Basic. If the server offers both, the stronger one is used."
            ) { $0.any = $1 },
        ], rules: [.exactlyOne(["bearer", "basic", "apiKey", "digest", "any"])], initial: { _ in Draft() })

    private static let accountTable = ObjectShape<Account>(
        "account", title: "the account", summary: "A user and a password.",
        [
            Field("user", .scalarValue, required: true, "The user's name.") { $0.user = $1 },
            Field("password", .scalarValue, required: true, "The password: a placeholder for a secret.") {
                $0.password = $1
            },
        ], initial: { _ in Account() })

    private static let apiKeyTable = ObjectShape<APIKey>(
        "apiKey", title: "\"apiKey\"", summary: "A key in a header or a query item.",
        [
            Field("header", .located(.headerName), "The header that carries the key.") { $0.header = $1 },
            Field("query", .located(.queryName), "The query item that carries the key.") {
                $0.query = $1
            },
            Field("value", .scalarValue, required: true, "The key: a placeholder for a secret.") { $0.value = $1 },
        ], rules: [.exactlyOne(["header", "query"])], initial: { _ in APIKey() })
}
