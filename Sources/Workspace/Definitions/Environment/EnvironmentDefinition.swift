package import ReqcliText

/// An environment as its file describes it.
package struct EnvironmentDefinition: Sendable {
    package var name = ""
    package var summary: String?
    /// The environments that this environment extends, left to right.
    package var extends: [Located<String>] = []
    package var layer = RequestLayer()
    /// The endpoints to call before each endpoint that is used in the environment; nil for an alias that is removed.
    package var needs: [Named<Setting<Need>>] = []
    /// The conditions for the response of each endpoint that sets no conditions itself.
    package var expectation: Setting<Expectation>?
    package var variables: [Named<Setting<ValueTemplate>>] = []
    package var secrets: [Named<Setting<SecretSource>>] = []
    /// The origins that may receive a secret, by the name of the secret, for the secrets of this file that are limited.
    package var origins: [Named<[Located<String>]>] = []
    package var policy: Setting<Policy>?
    /// The stub variants by endpoint id; `*` stands for all other endpoints.
    package var stubs: Setting<[Named<Setting<String>>]>?
    /// The names of all variables in the file, including invalid variables, so that a placeholder for an invalid variable is not
    /// reported as a typo.
    let declaredVariables: [String]
    let declaredSecrets: [String]
    package let place: Place

    init(_ object: JSONValue) {
        declaredVariables = Self.names(in: object["variables"])
        declaredSecrets = Self.names(in: object["secrets"])
        place = object.headPlace
    }

    /// The names in an object, except names with the value `null`, because `null` removes a value.
    private static func names(in object: JSONValue?) -> [String] {
        object?.members.filter { $0.value.kind != .null }.map(\.name) ?? []
    }
}

// MARK: - Tables

extension EnvironmentDefinition {
    static let table = ObjectShape<EnvironmentDefinition>(
        "environment", title: "an environment",
        summary: "The server for requests, and settings that all requests share.",
        [
            Field("description", .text, "What this environment is for.") { $0.summary = $1 },
            Field(
                "extends", .oneOrMore(.located(.name("an environment"))),
                "Environments that this one extends, left to right."
            ) { $0.extends = $1 },
        ]
            + RequestLayer.fields.map { field in field.lifted { outer, change in change(&outer.layer) } }
            + [
                Field(
                    "needs",
                    .dictionary(of: .setting(.need), keys: .alias, expects: "an object of aliases and endpoint ids"),
                    "Endpoints to call before every endpoint, by alias, such as a login. null removes an inherited need."
                ) { $0.needs = $1 },
                Field(
                    "expect", .setting(Expectation.table.shape),
                    "The conditions for the responses of endpoints without \"expect\"."
                ) { $0.expectation = $1 },
                Field(
                    "variables",
                    .dictionary(of: .setting(.anyValue), keys: .name("a variable"), expects: "an object of variables"),
                    "Values for placeholders."
                ) { $0.variables = $1 },
                Field(
                    "secrets",
                    .dictionary(
                        of: .setting(SecretDefinition.shape), keys: .name("a secret"), expects: "an object of secrets"),
                    "Where to read each secret, and where it may be sent; never the secrets themselves."
                ) { environment, secrets in
                    environment.secrets = secrets.map {
                        Named($0.name, at: $0.namePlace, Setting($0.value.set?.source, at: $0.value.place))
                    }
                    environment.origins = secrets.compactMap { secret in
                        secret.value.set?.origins.map { Named(secret.name, at: secret.namePlace, $0) }
                    }
                },
                Field("policy", .setting(Policy.table.shape), "Rules for what may be sent in this environment.") {
                    $0.policy = $1
                },
                Field(
                    "stubs",
                    .setting(
                        .dictionary(
                            of: .setting(.name("a variant")), keys: .stubPattern,
                            expects: "an object of endpoint ids (or \"*\") and variants")),
                    "Respond with these stub variants and never open a socket; null removes an inherited variant."
                ) { $0.stubs = $1 },
            ], rules: RequestLayer.rules, initial: { EnvironmentDefinition($0) })
}

extension Shape where Value == String {
    /// The id of an endpoint, or `*` for all others.
    fileprivate static let stubPattern = text.checked(
        schema: .text(pattern: #"^(\*|[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*)$"#)
    ) { name, _ in
        name == "*" || Name.isValidID(name)
            ? nil : Complaint(.nameInvalid, "\"\(name)\" is neither the id of an endpoint nor \"*\"")
    }
}
