import ReqcliDefinitions
import ReqcliText
import RequestBuilding

extension Evaluation {
    /// The client of `auth.oauth2`. Its token isn't known yet: the request gets a stand-in.
    mutating func oauthClient(for template: OAuthTemplate) -> Evaluated<OAuthClient> {
        let keys = OAuthTemplate.Key.allCases.compactMap { key in template[key].map { (key, $0) } }
        let others = template.scopes.map { ("a scope", $0) } + template.parameters.map { ($0.name.quoted, $0.value) }
        guard case .value(let texts) = credentials(keys.map { ($0.0.title, $0.1) } + others, mayBeEmpty: false) else {
            return .failed
        }
        let values = Dictionary(zip(keys.map(\.0), texts), uniquingKeysWith: { $1 })
        var isWhole = true
        // A stand-in is no URL.
        for (key, url) in keys where !world.hasStandIns {
            let text = values[key] ?? ""
            guard let complaint = key.complaint(about: text) else { continue }
            report(.valueInvalid, "\(key.title) \(text.quoted) \(complaint)", at: url.place)
            isWhole = false
        }
        guard isWhole else { return .failed }
        keepSecret(values[.clientSecret] ?? "", named: "clientSecret")
        let rest = texts.dropFirst(keys.count)
        return .value(
            OAuthClient(
                flow: template.flow,
                server: values[.issuer].map { .issuer($0) }
                    ?? .endpoints(
                        token: values[.tokenURL] ?? "", authorization: values[.authorizationURL],
                        device: values[.deviceURL]),
                id: values[.clientID] ?? "", secret: values[.clientSecret], authentication: template.authentication,
                scopes: Array(rest.prefix(template.scopes.count)),
                parameters: zip(template.parameters.map(\.name), rest.dropFirst(template.scopes.count)).map {
                    ($0, $1)
                },
                redirect: values[.redirect], standIn: tokenStandIn()))
    }

    private mutating func tokenStandIn() -> String {
        if world.hasStandIns { return StandIn.text(for: .secret("accessToken")) }
        let endpoint = isInEnvironment ? [] : [call.endpoint.id]
        let words = ["reqcli", "token"] + endpoint + ["-e", call.environment.name]
        let standIn = ResolvedSecret(name: "token", value: "access.token.5Xq1vZ", origin: .accessToken(words))
        keepSecret(standIn)
        return standIn.value
    }
}
