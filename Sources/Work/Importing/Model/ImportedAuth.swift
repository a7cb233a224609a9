package import ReqcliDefinitions
import ReqcliFunctions
package import ReqcliText

/// The credentials of a request.
package enum ImportedAuth: Sendable, Equatable {
    /// The source states no credentials. The request uses the credentials of the group or the environment.
    case inherited
    case none
    case bearer(String)
    case account(AccountKind, user: String, password: String)
    case apiKey(Credentials.APIKeyPlace, name: String, value: String)
    /// A signature, or a client of an OAuth 2 server, as an endpoint file writes it.
    case other(key: String, OrderedJSON)

    /// How a user and a password are sent.
    package enum AccountKind: String, Sendable {
        case basic, digest, any
    }

    static func account(
        _ user: TemplateText, _ password: TemplateText, kind: AccountKind = .basic
    ) -> ImportedAuth { .account(kind, user: user.text, password: password.text) }

    /// Changes the credentials, but not the name of the header or query item for them.
    func mappingTexts(_ change: (TextRole, String) -> String) -> ImportedAuth {
        switch self {
        case .inherited, .none: self
        case .bearer(let token): .bearer(change(.credential("token"), token))
        case .account(let kind, let user, let password):
            .account(
                kind, user: change(.credential("user"), user), password: change(.credential("password"), password))
        case .apiKey(let place, let name, let value):
            .apiKey(place, name: name, value: change(.credential(name), value))
        case .other(let key, .object(let members)):
            .other(
                key: key,
                .object(
                    members.map { member in
                        .init(member.name, Self.mapped(member.value, ofKey: member.name, change))
                    }))
        case .other: self
        }
    }

    /// The strings that the server of an OAuth 2 client may get, which the source names; nil for other credentials.
    var tokenTexts: [String]? {
        guard case .other("oauth2", .object(let members)) = self else { return nil }
        return members.flatMap(\.value.texts)
    }

    /// Changes the strings in a key. The names of algorithms, encodings and flows are not strings with placeholders.
    private static func mapped(
        _ value: OrderedJSON, ofKey key: String, _ change: (TextRole, String) -> String
    ) -> OrderedJSON {
        switch (key, value) {
        case ("key", .string(let text)), ("accessKeyID", .string(let text)), ("secretAccessKey", .string(let text)),
            ("sessionToken", .string(let text)), ("clientSecret", .string(let text)):
            .string(change(.credential(key), text))
        // Without a client ID in the source, the ID becomes a secret, since each user has another one.
        case ("clientID", .string(let text))
        where text == "{{clientID}}" || text.hasPrefix("{{" + SecretPass.variableMark):
            .string(change(.credential(key), text))
        case ("service", .string(let text)), ("region", .string(let text)), ("sign", .string(let text)),
            ("issuer", .string(let text)), ("tokenURL", .string(let text)), ("authorizationURL", .string(let text)),
            ("deviceURL", .string(let text)), ("clientID", .string(let text)), ("redirect", .string(let text)):
            .string(change(.other, text))
        case ("scopes", .array(let scopes)): .array(scopes.map { $0.mapped(named: nil, change) })
        case ("headers", .object(let members)), ("query", .object(let members)), ("parameters", .object(let members)):
            .object(
                members.map { member in
                    // The text around a signature is a notation such as "v1=", whatever the name of the header is.
                    let texts = member.value.texts.flatMap(\.placeholders)
                    let isSignature = texts.contains(RequestWord.signature)
                    return .init(member.name, member.value.mapped(named: isSignature ? nil : member.name, change))
                })
        default: value
        }
    }

    /// The signature that curl's option `--aws-sigv4` makes with an account; nil for another provider than AWS.
    ///
    /// - Parameter scope: The value of the option, such as `aws:amz:eu-central-1:s3`. What is missing comes from the host.
    static func aws(curl scope: String, user: String, password: String, base: String?) -> ImportedAuth? {
        let parts = scope.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let providers = zip(parts, ["aws", "amz"])
        guard providers.allSatisfy({ $0.isEmpty || $0.lowercased() == $1 }) else { return nil }
        let host = base?.split(separator: "/").dropFirst().first?.prefix { $0 != ":" } ?? ""
        let labels = host.split(separator: ".").map(String.init)
        return .aws(
            service: parts.count > 3 ? parts[3] : labels.first ?? "",
            region: parts.count > 2 ? parts[2] : labels.dropFirst().first ?? "", accessKeyID: user,
            secretAccessKey: password)
    }

    /// The note about a signature of curl's option `--aws-sigv4` for another provider.
    static let otherProvider = "only signatures for AWS are converted; the endpoint has no credentials"

    /// A signature for AWS. Parts without a text are left out, and a part of the key without a text is a secret.
    static func aws(
        service: String, region: String, accessKeyID: String, secretAccessKey: String, sessionToken: String = "",
        inQuery: Bool = false
    ) -> ImportedAuth {
        func part(_ name: String, _ text: String) -> OrderedJSON { .string(text.isEmpty ? "{{\(name)}}" : text) }
        return .other(
            key: "aws",
            .object([
                "service": part("service", service), "region": part("region", region),
                "accessKeyID": part("accessKeyID", accessKeyID),
                "secretAccessKey": part("secretAccessKey", secretAccessKey),
                "sessionToken": sessionToken.isEmpty ? nil : .string(sessionToken), "in": inQuery ? "query" : nil,
            ]))
    }
}
