package import ReqcliText
package import RequestBuilding

/// The value of `"oauth2"`: the server, the client, and what a token is for.
package struct OAuthTemplate: Sendable {
    package private(set) var flow = OAuthClient.Flow.clientCredentials
    /// The texts by their keys.
    private var texts: [Key: ValueTemplate] = [:]
    package private(set) var authentication: OAuthClient.Authentication?
    package private(set) var scopes: [ValueTemplate] = []
    package private(set) var parameters: [Named<ValueTemplate>] = []
    package let place: Place

    package enum Key: String, CaseIterable, Sendable {
        case issuer, tokenURL, authorizationURL, deviceURL, clientID, clientSecret, redirect

        /// The problem with a value, as the rest of a sentence that begins with the value; nil if it is valid.
        package func complaint(about text: String) -> String? {
            switch self {
            case .issuer, .tokenURL, .authorizationURL, .deviceURL: OAuthClient.complaint(aboutServer: text)
            case .redirect: OAuthClient.complaint(aboutRedirect: text)
            case .clientID, .clientSecret: nil
            }
        }

        package var title: String {
            switch self {
            case .issuer: "the issuer"
            case .tokenURL: "the token URL"
            case .authorizationURL: "the authorization URL"
            case .deviceURL: "the device URL"
            case .clientID: "the client ID"
            case .clientSecret: "the client secret"
            case .redirect: "the redirect"
            }
        }
    }

    package subscript(_ key: Key) -> ValueTemplate? { texts[key] }

    var values: [ValueTemplate] {
        Key.allCases.compactMap { texts[$0] } + scopes + parameters.map(\.value)
    }

    /// The server as it is written, for lists of operators.
    package var title: String {
        let server = (texts[.issuer] ?? texts[.tokenURL])?.source.plainText ?? ""
        return "a token of \(server)"
    }

    func source(_ text: AuthKind.PartText) -> OrderedJSON {
        .object([
            "flow": .string(flow.rawValue), "issuer": texts[.issuer]?.source, "tokenURL": texts[.tokenURL]?.source,
            "authorizationURL": texts[.authorizationURL]?.source, "deviceURL": texts[.deviceURL]?.source,
            // The ID of the client is no secret, but like the name of a user.
            "clientID": texts[.clientID].map { text("user", $0) },
            "clientSecret": texts[.clientSecret].map { text("clientSecret", $0) },
            "clientAuth": authentication.map { .string($0.rawValue) },
            "scopes": scopes.isEmpty ? nil : .array(scopes.map(\.source)),
            "parameters": parameters.isEmpty
                ? nil : .object(parameters.map { OrderedJSON.Member($0.name, $0.value.source) }),
            "redirect": texts[.redirect]?.source,
        ])
    }

    private static func field(_ key: Key, isNeeded: Bool = false, _ summary: String) -> Field<OAuthTemplate> {
        Field(key.rawValue, Shape<ValueTemplate>.scalarValue, required: isNeeded, summary) { $0.texts[key] = $1 }
    }

    static let table = ObjectShape<OAuthTemplate>(
        "oauth2", title: "\"oauth2\"", summary: "An access token of an OAuth 2 server.",
        [
            Field(
                "flow", Shape<OAuthClient.Flow>.word, required: true,
                "How a token is obtained: clientCredentials, with the client's own secret; or by a login: "
                    + "authorizationCode in a browser on this machine, deviceCode in one on any device."
            ) { $0.flow = $1 },
            field(.issuer, "The server. Its metadata (OpenID Connect or RFC 8414) names its endpoints."),
            field(.tokenURL, "The token endpoint of a server without metadata."),
            field(.authorizationURL, "The authorization endpoint of a server without metadata."),
            field(.deviceURL, "The device authorization endpoint of a server without metadata."),
            field(.clientID, isNeeded: true, "The ID of the client."),
            field(.clientSecret, "The client's secret, as a placeholder for a secret."),
            Field(
                "clientAuth", Shape<OAuthClient.Authentication>.word,
                "How the client's secret is sent: basic (the default with a secret), post (in the form) or none."
            ) { $0.authentication = $1 },
            Field("scopes", .list(of: .scalarValue), "What the token is for.") { $0.scopes = $1 },
            Field(
                "parameters",
                .dictionary(
                    of: .scalarValue, keys: .plainName("a parameter"), expects: "an object of names and values"),
                "Other parameters for the token endpoint, such as audience or resource."
            ) { $0.parameters = $1 },
            field(
                .redirect,
                "The address on this machine at which the browser ends a login, as the client is registered; by default "
                    + "http://127.0.0.1/callback, with any free port."),
        ], rules: [.exactlyOne(["issuer", "tokenURL"]), .excludes("issuer", ["authorizationURL", "deviceURL"])],
        initial: { OAuthTemplate(place: $0.headPlace) },
        check: { template, value, decoding in
            for key in Key.allCases {
                guard let url = template[key], let text = url.literal?.plainText,
                    let complaint = key.complaint(about: text)
                else { continue }
                decoding.report(.valueInvalid, "\(key.title) \"\(text)\" \(complaint)", at: url.place)
            }
            for parameter in template.parameters where OAuthClient.reservedParameters.contains(parameter.name) {
                decoding.report(
                    .valueInvalid, "\"parameters\" can't contain \"\(parameter.name)\", which reqcli sets",
                    at: parameter.namePlace)
            }
            let keys: [(Key, OAuthClient.Flow)] = [
                (.authorizationURL, .authorizationCode), (.redirect, .authorizationCode), (.deviceURL, .deviceCode),
            ]
            for (key, flow) in keys {
                if flow != template.flow, template[key] != nil {
                    decoding.report(
                        .keyConflict, "\"\(key.rawValue)\" can only be used with the flow \(flow.rawValue)",
                        at: value.placeOfKey(key.rawValue))
                } else if flow == template.flow, key != .redirect, template[.tokenURL] != nil, template[key] == nil {
                    decoding.report(
                        .keyMissing, "\"oauth2\" needs \"\(key.rawValue)\" for the flow \(flow.rawValue)",
                        at: value.headPlace)
                }
            }
            let hasSecret = value["clientSecret"] != nil
            let usual: OAuthClient.Authentication = template.flow == .clientCredentials ? .basic : .none
            if !hasSecret, template.authentication ?? usual != .none {
                let reason = template.authentication.map { "\"clientAuth\": \"\($0.rawValue)\"" }
                decoding.report(
                    .keyMissing,
                    "\"oauth2\" needs \"clientSecret\" for \(reason ?? "the flow \(template.flow.rawValue)")",
                    at: value.headPlace)
            } else if hasSecret, template.authentication == OAuthClient.Authentication.none {
                decoding.report(
                    .keyConflict, "\"clientSecret\" is not sent with \"clientAuth\": \"none\"",
                    at: value.placeOfKey("clientSecret"), hint: "remove one of the two")
            }
        })

    private init(place: Place) { self.place = place }
}
