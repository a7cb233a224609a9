package import ReqcliDefinitions

/// The credentials of a request.
package enum ImportedAuth: Sendable, Equatable {
    /// The source states no credentials. The request uses the credentials of the group or the environment.
    case inherited
    case none
    case bearer(String)
    case account(AccountKind, user: String, password: String)
    case apiKey(Credentials.APIKeyPlace, name: String, value: String)

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
        }
    }
}
