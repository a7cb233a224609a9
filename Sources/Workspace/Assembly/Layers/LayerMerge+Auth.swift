package import ReqcliDefinitions
import ReqcliText
@_spi(Generated) package import RequestBuilding

extension LayerMerge {
    mutating func addAuth(_ setting: Setting<Auth>?) {
        guard let setting else { return }
        let auth = setting.set?.credentials
        carry(\.auth, by: auth?.carrier, at: setting.place)
        switch auth {
        case nil: break
        case .bearer(let token):
            addCredentials(
                [("the bearer token", token)], .header("Authorization"), "Bearer \(written(token))", at: setting.place
            ) { $0.authorization(bearer: $1[0]) }
        case .basic(let user, let password):
            addCredentials(
                [("the user", user), ("the password", password)], .header("Authorization"),
                "Basic \(written(user)):\(written(password))", at: setting.place
            ) { $0.authorization(user: $1[0], password: $1[1]) }
        case .digest(let user, let password):
            addCredentials(
                [("the user", user), ("the password", password)], Carrier.digest.subject,
                "Digest \(written(user))", at: setting.place
            ) { $0.setting(.digestAccount, Account(user: $1[0], password: $1[1])) }
        case .any(let user, let password):
            addCredentials(
                [("the user", user), ("the password", password)], Carrier.any.subject,
                "Digest or Basic \(written(user))", at: setting.place
            ) { $0.setting(.anyAccount, Account(user: $1[0], password: $1[1])) }
        case .apiKey(.header, let name, let value):
            addCredentials(
                [("the API key", value)], .header(name.value), written(value), at: setting.place, isWholeHeader: true
            ) { $0.header(name.value, $1[0]) }
        case .apiKey(.query, let name, let value):
            addCredentials([("the API key", value)], .queryItem(name.value), written(value), at: setting.place) {
                $0.queryItem(name.value, $1[0])
            }
        }
    }

    /// Adds credentials that the command line gives.
    mutating func addCredentials(_ given: CommandLineOverride.GivenCredentials, from origin: Origin) {
        let carrier: Carrier = if case .digest = given { .digest } else { .header("Authorization") }
        carry(\.auth, by: carrier, from: origin)
        // A header would be sent in place of the answer to the challenge.
        if case .digest = given { add(from: origin) { $0.removingHeader("Authorization") } }
        add(carrier.subject, "", from: origin) { builder, evaluation in
            evaluation.keepSecret(given.secret.value, named: given.secret.name)
            if let user = given.secretUser { evaluation.keepSecret(user, named: "user") }
            return switch given {
            case .bearer(let token): .value(builder.authorization(bearer: token))
            case .basic(let account): .value(builder.authorization(user: account.user, password: account.password))
            case .digest(let account): .value(builder.setting(.digestAccount, account))
            }
        }
    }

    /// Adds credentials. A missing or blank credential is an error, and its message contains the credential's name.
    ///
    /// - Parameter isWholeHeader: Whether the credential is the whole value of a header.
    private mutating func addCredentials(
        _ credentials: [(name: String, template: ValueTemplate)], _ subject: RequestSubject,
        _ written: @autoclosure @escaping @Sendable () -> String, at place: Place, isWholeHeader: Bool = false,
        set: @escaping @Sendable (RequestBuilder, [String]) -> RequestBuilder
    ) {
        add(subject, written(), at: place) { builder, evaluation in
            let values = evaluation.credentials(credentials)
            // "Token {{p}}" isn't blank, even if {{p}} is: each placeholder is checked, too.
            if isWholeHeader, case .value(let texts) = values, case .header(let name) = subject,
                !evaluation.areSendable(texts, credentials.map(\.template), in: name)
            {
                return .failed
            }
            return values.map { set(builder, $0) }
        }
    }
}

private func written(_ template: ValueTemplate) -> String { ValueText.text(of: template.source) }

extension Credentials {
    /// The part of the request that has the credentials.
    package var subject: RequestSubject { carrier.subject }

    fileprivate var carrier: Carrier {
        switch self {
        case .bearer, .basic: .header("Authorization")
        case .digest: .digest
        case .any: .any
        case .apiKey(.header, let name, _): .header(name.value)
        case .apiKey(.query, let name, _): .queryItem(name.value)
        }
    }
}

/// The part of the request that a setting such as `auth` has changed: a header, a query item or an account. The part is removed
/// when a later layer changes the setting.
enum Carrier: Sendable, Equatable {
    case header(String)
    case queryItem(String)
    case digest
    case any

    var subject: RequestSubject {
        switch self {
        case .header(let name): .header(name)
        case .queryItem(let name): .queryItem(name)
        case .digest: .setting(TransferSetting.digestAccount.name)
        case .any: .setting(TransferSetting.anyAccount.name)
        }
    }
}

/// The parts of the request that the last `auth` and the last `cachePolicy` have set.
struct Carriers: Sendable {
    var auth: Carrier?
    var cachePolicy: Carrier?

    /// Forgets a part that a layer sets directly, such as the header `Authorization`, so that a later `auth` or `cachePolicy`
    /// doesn't remove this part.
    mutating func release(_ subject: RequestSubject) {
        if auth?.subject == subject { auth = nil }
        if cachePolicy?.subject == subject { cachePolicy = nil }
    }
}

extension LayerMerge {
    /// Records which part of the request now carries a setting; `next` is nil if no part does. If another part carried the
    /// setting before, that part is removed.
    mutating func carry(
        _ setting: WritableKeyPath<Carriers, Carrier?>, by next: Carrier?, at place: Place? = nil,
        from origin: Origin? = nil
    ) {
        if let last = carriers[keyPath: setting], last.subject != next?.subject {
            add(at: place, from: origin) { builder in
                switch last {
                case .header(let name): builder.removingHeader(name)
                case .queryItem(let name): builder.removingQueryItem(name)
                case .digest: builder.removingSetting(.digestAccount)
                case .any: builder.removingSetting(.anyAccount)
                }
            }
        }
        carriers[keyPath: setting] = next
    }
}
