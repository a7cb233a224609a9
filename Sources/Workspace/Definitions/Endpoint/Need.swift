import ReqcliJSONPath
package import ReqcliText

/// An entry of `needs`: another endpoint that must be called first.
package struct Need: Sendable {
    package var endpoint: Located<String>?
    package var parameters: [Named<ValueTemplate>] = []
    /// Response statuses of the endpoint that has this entry in `needs`. Each of them means that the captured values have
    /// expired.
    package var refreshOn: [Int] = []
    /// The time for which `send` uses the captured values again in later runs.
    package var keep: Duration?

    static let table = ObjectShape<Need>(
        "need", title: "a need", summary: "Another endpoint to call first.",
        [
            Field("endpoint", .located(.endpointID), required: true, "The id of the endpoint.") { $0.endpoint = $1 },
            Field(
                "with", .dictionary(of: .anyValue, keys: .name("a param"), expects: "an object of params and values"),
                "The params to call the endpoint with."
            ) { $0.parameters = $1 },
            Field(
                "refreshOn", .list(of: .status, expects: "a list of status codes"),
                "Status codes that mean that the captures have expired. The needed endpoint is then called again, and the request is repeated once."
            ) { $0.refreshOn = $1 },
            Field(
                "keep", .bound,
                "How long `send` keeps the captures for later runs, if you agree. The endpoint is called only once in this time."
            ) { $0.keep = $1 },
        ], initial: { _ in Need() })
}

extension Shape where Value == Need {
    static let need = object(
        Need.table, or: .endpointID, expects: "the id of an endpoint, or an object with \"endpoint\""
    ) {
        Need(endpoint: Located($0, at: $1))
    }
}

/// A value that is taken from an endpoint's response, for other endpoints that need this endpoint.
package struct Capture: Sendable {
    package enum Source: Sendable {
        case json(Located<String>)
        case header(Located<String>)
        case cookie(Located<String>)
        case body
        case status
        case url
    }

    package var source: Source?
    /// The regular expression that selects a part of the header.
    package var match: Located<String>?
    private var secrecy: Bool?

    /// Whether the value is never shown. A cookie may open a session, so a cookie is a secret unless the file says otherwise.
    package var isSecret: Bool {
        if case .cookie = source { secrecy ?? true } else { secrecy ?? false }
    }

    /// The mistake in the regular expression `match`, if there is one.
    package var patternProblem: Diagnostic? { match.flatMap(IRegexp.problem) }

    static let table = ObjectShape<Capture>(
        "capture", title: "a capture", summary: "A value taken from the response. Use one of these keys.",
        [
            Field("json", .jsonPath, "A JSONPath (RFC 9535) that selects one value of the body.") {
                $0.source = .json($1)
            },
            Field("header", .located(.headerName), "A header of the response.") { $0.source = .header($1) },
            Field(
                "match", .located(.text),
                "A regular expression (RFC 9485). The capture is the leftmost-longest match in the header."
            ) { $0.match = $1 },
            Field(
                "cookie", .located(.cookieName),
                "The value of a cookie that the response sets, or that a redirect before it sets. The value is a secret."
            ) { $0.source = .cookie($1) },
            Field("body", .always, "The whole body, as text.") { capture, _ in capture.source = .body },
            Field("status", .always, "The status code.") { capture, _ in capture.source = .status },
            Field("url", .always, "The URL of the response, after all redirects.") { capture, _ in
                capture.source = .url
            },
            Field("secret", .boolean, "true: never show the value, as for tokens. For a cookie, false shows the value.")
            {
                $0.secrecy = $1
            },
        ],
        rules: [.exactlyOne(["json", "header", "cookie", "body", "status", "url"]), .needs("match", "header")],
        initial: { _ in Capture() })
}

extension Shape where Value == Bool {
    /// A key whose only value is `true`.
    static let always = boolean.checked(expects: "true", schema: .constant(true), code: .valueInvalid) { $0 }
}

extension Shape where Value == Located<String> {
    /// The text of a JSONPath. Only its first character is checked here; `GrammarRules` checks the rest.
    static let jsonPath = Shape(
        expects: "a JSONPath such as \"$.items[0].id\"", schema: .text(pattern: #"^\$"#)
    ) { value in
        value.string.flatMap { $0.hasPrefix("$") ? Located($0, at: value.place) : nil }
    }
}
