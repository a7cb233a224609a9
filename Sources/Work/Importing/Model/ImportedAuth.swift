package import ReqcliDefinitions
package import ReqcliText

/// The credentials of a request.
package enum ImportedAuth: Sendable, Equatable {
    /// The source states no credentials. The request uses the credentials of the group or the environment.
    case inherited
    case none
    case bearer(String)
    case account(AccountKind, user: String, password: String)
    case apiKey(Credentials.APIKeyPlace, name: String, value: String)
    /// A signature, as an endpoint file writes it.
    case signature(key: String, OrderedJSON)

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
        case .signature(let key, .object(let members)):
            .signature(
                key: key,
                .object(
                    members.map { member in
                        guard case .string(let text) = member.value else { return member }
                        let isOpen = ["service", "region", "in", "payload"].contains(member.name)
                        let isCredential = ["key", "accessKeyID", "secretAccessKey", "sessionToken"].contains(
                            member.name)
                        let role = isCredential ? TextRole.credential(member.name) : .other
                        return isOpen || isCredential ? .init(member.name, .string(change(role, text))) : member
                    }))
        case .signature: self
        }
    }

    /// The signature that curl's option `--aws-sigv4` makes with an account.
    ///
    /// - Parameter scope: The value of the option, such as `aws:amz:eu-central-1:s3`. What is missing comes from the host.
    static func aws(curl scope: String, user: String, password: String, base: String?) -> ImportedAuth {
        let parts = scope.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let host = base?.split(separator: "/").dropFirst().first?.prefix { $0 != ":" } ?? ""
        let labels = host.split(separator: ".").map(String.init)
        return .aws(
            service: parts.count > 3 ? parts[3] : labels.first ?? "",
            region: parts.count > 2 ? parts[2] : labels.dropFirst().first ?? "", accessKeyID: user,
            secretAccessKey: password)
    }

    /// A signature for AWS. Parts without a text are left out, and a part of the key without a text is a secret.
    static func aws(
        service: String, region: String, accessKeyID: String, secretAccessKey: String, sessionToken: String = "",
        inQuery: Bool = false
    ) -> ImportedAuth {
        func part(_ name: String, _ text: String) -> OrderedJSON { .string(text.isEmpty ? "{{\(name)}}" : text) }
        return .signature(
            key: "aws",
            .object([
                "service": part("service", service), "region": part("region", region),
                "accessKeyID": part("accessKeyID", accessKeyID),
                "secretAccessKey": part("secretAccessKey", secretAccessKey),
                "sessionToken": sessionToken.isEmpty ? nil : .string(sessionToken), "in": inQuery ? "query" : nil,
            ]))
    }
}
