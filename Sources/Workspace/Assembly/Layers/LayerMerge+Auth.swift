import ReqcliDefinitions
import ReqcliText
@_spi(Generated) import RequestBuilding

extension LayerMerge {
    mutating func add(_ credentials: Credentials, at place: Place) {
        switch credentials {
        case .bearer(let token):
            addCredentials(
                [("the bearer token", token)], .header("Authorization"), "Bearer \(written(token))", at: place
            ) { $0.authorization(bearer: $1[0]) }
        case .basic(let user, let password):
            addCredentials(
                [("the user", user), ("the password", password)], .header("Authorization"),
                "Basic \(written(user)):\(written(password))", at: place
            ) { $0.authorization(user: $1[0], password: $1[1]) }
        case .digest(let user, let password):
            addCredentials(
                [("the user", user), ("the password", password)], Carrier.digest.subject,
                "Digest \(written(user))", at: place
            ) { $0.setting(.digestAccount, Account(user: $1[0], password: $1[1])) }
        case .any(let user, let password):
            addCredentials(
                [("the user", user), ("the password", password)], Carrier.any.subject,
                "Digest or Basic \(written(user))", at: place
            ) { $0.setting(.anyAccount, Account(user: $1[0], password: $1[1])) }
        case .apiKey(.header, let name, let value):
            addCredentials(
                [("the API key", value)], .header(name.value), written(value), at: place, isWholeHeader: true
            ) { $0.header(name.value, $1[0]) }
        case .apiKey(.query, let name, let value):
            addCredentials([("the API key", value)], .queryItem(name.value), written(value), at: place) {
                $0.queryItem(name.value, $1[0])
            }
        case .oauth2(let template):
            add(.header("Authorization"), template.title, at: place) { builder, evaluation in
                evaluation.oauthClient(for: template).map { builder.authorization(of: $0) }
            }
        case .signature(let signature):
            add(.signature, signature.title, at: place) { builder, evaluation in
                evaluation.signer(for: signature).map { builder.signing($0) }
            }
        }
    }

    /// Adds credentials that the command line gives.
    mutating func addCredentials(_ given: CommandLineOverride.GivenCredentials, from origin: Origin) {
        let carrier: Carrier = if case .digest = given { .digest } else { .header("Authorization") }
        if let earlier = carriers.change(\.auth, to: carrier) { add(from: origin, earlier.removed(from:)) }
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
