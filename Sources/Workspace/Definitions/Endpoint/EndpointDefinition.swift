package import ReqcliText

/// An endpoint as its file describes it, before an environment or params are known.
package struct EndpointDefinition: Sendable {
    package var summary: String?
    /// The properties of the request in every environment.
    package var request = EndpointLayer()
    package var parameters: [Named<Parameter>] = []
    /// The tags, which replace the group's tags; nil if the endpoint itself gives no tags.
    package var tags: [String]?
    package var needs: [Named<Need>] = []
    /// The params and aliases of the group and the environment that this endpoint removes with `null`.
    package var removedParameters: Set<String> = []
    package var removedNeeds: Set<String> = []
    package var captures: [Named<Capture>] = []
    package var pages: Pages?
    package var checks: [NamedCheck] = []
    /// Whether `check --probe` may call the endpoint with other params.
    package var isProbed = true
    package var response: ResponseDescription?
    package var stubs: Stubs?
    /// The properties of the request in single environments.
    package var environments: [Named<EndpointLayer>] = []
    package let place: Place

    /// The elements that a closure returns for each layer of the request, beginning with the layer for every environment. Layers
    /// are large, so a list with copies of them is avoided.
    func flatMapLayers<Element>(_ transform: (EndpointLayer) -> [Element]) -> [Element] {
        environments.isEmpty ? transform(request) : transform(request) + environments.flatMap { transform($0.value) }
    }
}

/// The properties of an endpoint's request, for every environment or for one.
package struct EndpointLayer: Sendable {
    package var layer = RequestLayer()
    package var method: Located<String>?
    package var path: Setting<PathTemplate>?
    package var body: Setting<Body>?
    package var expectation: Setting<Expectation>?
}

// MARK: - Tables

extension EndpointLayer {
    static let fields: [Field<EndpointLayer>] =
        [
            Field(
                "method", .located(.method),
                "The HTTP method, GET by default. Any token is allowed except CONNECT. Case matters."
            ) {
                $0.method = $1
            },
            Field(
                "path", .setting(.path),
                "The path. It is appended to the base path, or replaces the base path if it begins with \"/\". In a list, each element is one segment."
            ) { $0.path = $1 },
        ]
        + RequestLayer.fields.map { field in field.lifted { outer, change in change(&outer.layer) } }
        + [
            Field("body", .setting(Body.shape), "The body of the request.") { $0.body = $1 },
            Field("expect", .setting(Expectation.table.shape), "The conditions that the response must meet.") {
                $0.expectation = $1
            },
        ]

    static let table = ObjectShape<EndpointLayer>(
        "endpointLayer", title: "an endpoint's settings for an environment",
        summary: "Settings of an endpoint for a single environment.",
        fields, rules: RequestLayer.rules, initial: { _ in EndpointLayer() })
}

extension EndpointDefinition {
    static let table = ObjectShape<EndpointDefinition>(
        "endpoint", title: "an endpoint", summary: "One request that can be sent, rendered, stubbed and checked.",
        [
            Field("description", .text, "What the endpoint is for, in a sentence.") { $0.summary = $1 },
            Field("tags", .list(of: .text, expects: "a list of words"), "Tags to select the endpoint by.") {
                $0.tags = $1
            },
        ]
            + EndpointLayer.fields.map { field in field.lifted { outer, change in change(&outer.request) } }
            + [
                Field(
                    "params",
                    .dictionary(
                        of: .setting(Parameter.table.shape), keys: .name("a param"),
                        expects: "an object of params by name"),
                    "Values that the caller gives; null removes a param of the group."
                ) { ($0.parameters, $0.removedParameters) = $1.split() },
                Field(
                    "needs",
                    .dictionary(of: .setting(.need), keys: .alias, expects: "an object of aliases and endpoint ids"),
                    "Endpoints to call first, by alias; {{alias.capture}} is a captured value. null removes a need of the group or the environment."
                ) { ($0.needs, $0.removedNeeds) = $1.split() },
                Field(
                    "capture",
                    .dictionary(
                        of: Capture.table.shape, keys: .name("a capture"), expects: "an object of captures by name"),
                    "Values taken from the response, for endpoints that need this one."
                ) { $0.captures = $1 },
                Field("pages", Pages.table.shape, "How to get all pages of a list.") { $0.pages = $1 },
                Field(
                    "checks", .list(of: NamedCheck.table.shape, expects: "a list of checks", isNeverEmpty: true),
                    "Additional cases of the endpoint for `check`."
                ) {
                    $0.checks = $1
                },
                Field("probe", .boolean, "false: `check --probe` does not call this endpoint with changed params.") {
                    $0.isProbed = $1
                },
                Field(
                    "response", ResponseDescription.table.shape,
                    "The successful response that the API's description promises. reqcli doesn't check it."
                ) { $0.response = $1 },
                Field("stubs", Stubs.table.shape, "Stub responses, which need no server.") { $0.stubs = $1 },
                Field(
                    "environments",
                    .dictionary(
                        of: EndpointLayer.table.shape, keys: .name("an environment"),
                        expects: "an object of environments"),
                    "Settings for single environments, by the name of the environment."
                ) { $0.environments = $1 },
            ],
        rules: RequestLayer.rules, initial: { EndpointDefinition(place: $0.headPlace) })
}

extension Shape where Value == String {
    /// The name of an alias. "secret" is not allowed, because placeholders use it for secrets.
    static let alias = Shape(
        expects: "the name of an alias", schema: .text(pattern: #"^(?!secret$)[A-Za-z0-9_-]+$"#)
    ) { key, decoding in
        guard key.equals("secret") else { return name("an alias").decode(key, &decoding) }
        decoding.report(
            .nameInvalid, "\"secret\" can't be an alias: {{secret.…}} means a secret", at: key.place,
            hint: "choose another name")
        return nil
    }
}
