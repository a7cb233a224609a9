package import SourceText

/// One endpoint as its file describes it, before any environment or param is known.
package struct EndpointDefinition: Sendable {
    package var summary: String?
    /// What it says about its request in every environment.
    package var request = EndpointLayer()
    package var parameters: [Named<Parameter>] = []
    package var tags: [String] = []
    package var needs: [Named<Need>] = []
    package var captures: [Named<Capture>] = []
    package var checks: [NamedCheck] = []
    package var stubs: Stubs?
    /// What it says for one environment only.
    package var environments: [Named<EndpointLayer>] = []
    package let place: Place
}

/// What an endpoint says about its request: for every environment, or for one.
package struct EndpointLayer: Sendable {
    package var layer = RequestLayer()
    package var method: Located<String>?
    package var path: Setting<PathTemplate>?
    package var body: Setting<Body>?
    package var expectation: Setting<Expectation>?

    package var texts: [TextTemplate] {
        layer.texts + (path?.value.value?.texts ?? []) + (body?.value.value?.texts ?? [])
            + (expectation?.value.value?.texts ?? [])
    }
}

/// A path as one text, or as segments of which an absent one leaves no trace.
package enum PathTemplate: Sendable {
    case text(TextTemplate)
    case segments([ValueTemplate])

    var texts: [TextTemplate] {
        switch self {
        case .text(let template): [template]
        case .segments(let segments): segments.flatMap(\.texts)
        }
    }

    /// The path as a person reads it in a list.
    package var source: String {
        switch self {
        case .text(let template): template.source
        case .segments(let segments):
            segments.map { if case .string(let text) = $0.source { text } else { $0.source.compact } }
                .joined(separator: "/")
        }
    }
}

// MARK: - Tables

extension EndpointLayer {
    static let fields: [Field<EndpointLayer>] =
        [
            Field("method", .located(.method), "GET unless said otherwise; any token but CONNECT, spelt exactly.") {
                $0.method = $1
            },
            Field(
                "path", .setting(.path),
                "Below the base path, or in its place if it begins with \"/\"; as a list, one element is one segment."
            ) { $0.path = $1 },
        ]
        + RequestLayer.fields.map { field in field.lifted { outer, change in change(&outer.layer) } }
        + [
            Field("body", .setting(Body.shape), "What the request carries.") { $0.body = $1 },
            Field("expect", .setting(Expectation.table.shape), "What the answer has to be like.") {
                $0.expectation = $1
            },
        ]

    static let table = ObjectShape<EndpointLayer>(
        "endpointLayer", title: "an endpoint's environment", summary: "What an endpoint says for one environment only.",
        fields, rules: RequestLayer.rules, initial: { _ in EndpointLayer() })
}

extension EndpointDefinition {
    static let table = ObjectShape<EndpointDefinition>(
        "endpoint", title: "an endpoint", summary: "One request that can be sent, rendered, stubbed and checked.",
        [
            Field("description", .text, "What it is for, in a sentence.") { $0.summary = $1 },
            Field("tags", .list(of: .text, expects: "a list of words"), "Words to select it by.") { $0.tags = $1 },
        ]
            + EndpointLayer.fields.map { field in field.lifted { outer, change in change(&outer.request) } }
            + [
                Field(
                    "params",
                    .dictionary(
                        of: Parameter.table.shape, keys: .name("a param"), expects: "an object of params by name"),
                    "Values that the caller gives."
                ) { $0.parameters = $1 },
                Field(
                    "needs", .dictionary(of: .need, keys: .alias, expects: "an object of aliases and endpoint ids"),
                    "Endpoints that have to answer first, by the alias their captures go by."
                ) { $0.needs = $1 },
                Field(
                    "capture",
                    .dictionary(
                        of: Capture.table.shape, keys: .name("a capture"), expects: "an object of captures by name"),
                    "Values taken out of the answer for endpoints that need this one."
                ) { $0.captures = $1 },
                Field("checks", .list(of: NamedCheck.table.shape, expects: "a list of checks"), "Further cases.") {
                    $0.checks = $1
                },
                Field("stubs", Stubs.table.shape, "Answers that need no server.") { $0.stubs = $1 },
                Field(
                    "environments",
                    .dictionary(
                        of: EndpointLayer.table.shape, keys: .name("an environment"),
                        expects: "an object of environments"),
                    "What differs in one environment."
                ) { $0.environments = $1 },
            ],
        rules: RequestLayer.rules, initial: { EndpointDefinition(place: $0.headPlace) })
}

extension KeyRule {
    /// An alias is a name, but not the one that secrets go by.
    fileprivate static let alias = KeyRule(pattern: #"^(?!secret$)[A-Za-z0-9_-]+$"#, identity: { $0 }) {
        member, decoding in
        guard member.name == "secret" else { return KeyRule.name("an alias").accepts(member, &decoding) }
        decoding.report(
            .nameInvalid, "\"secret\" can't be an alias: {{secret.…}} means a secret", at: member.key.place,
            hint: "choose another name")
        return false
    }
}

extension Shape where Value == PathTemplate {
    static let path = Shape(
        expects: "a path, or a list of segments",
        schema: .either([.text(), .list(Shape<ValueTemplate>.scalarValue.schema)])
    ) { value, decoding in
        switch value.kind {
        case .string:
            guard let template = TextTemplate.decode(value, &decoding) else { return nil }
            if case .literal(let text)? = template.pieces.first, text.contains("://") {
                decoding.report(
                    .valueInvalid, "\"path\" takes a path, not a whole URL; found \(value.shortDescription)",
                    at: value.place,
                    hint: "put scheme, host and port into \"baseURL\"")
                return nil
            }
            if template.pieces.contains(where: {
                if case .literal(let text) = $0 { text.contains("?") || text.contains("#") } else { false }
            }) {
                decoding.report(
                    .valueInvalid, "a path has no \"?\" and no \"#\"; found \(value.shortDescription)", at: value.place,
                    hint: "put query items into \"query\"; write %3F or %23 for the characters themselves")
                return nil
            }
            return .text(template)
        case .array:
            return .segments(value.elements.compactMap { ValueTemplate.decode($0, .scalars, &decoding) })
        default:
            decoding.mismatch(value, expects: "a path, or a list of segments")
            return nil
        }
    }
}
