package import ReqcliText

/// The conditions on a request. A stub variant responds only if all of these conditions are met.
package struct StubCondition: Sendable {
    /// Conditions on the values of params, with their types.
    package var parameters: [Named<Matchers>] = []
    /// Conditions on query items. If several items have the same name, one of them must meet the conditions.
    package var query: [Named<Matchers>] = []
    package var headers: [Named<Matchers>] = []
    /// Conditions on values of the JSON body, by JSONPath.
    package var json: [Named<Matchers>] = []
    package var body: Matchers?
    package let place: Place

    package var all: [Matchers] { (parameters + query + headers + json).map(\.value) + [body].compactMap(\.self) }

    static let table = ObjectShape<StubCondition>(
        "when", title: "\"when\"", summary: "Conditions on a request, which must all be met.",
        [
            Field(
                "params",
                .dictionary(
                    of: .matchers(Matchers.json, orEqualTo: .anyValueButObject), keys: .name("a param"),
                    expects: "an object of params and conditions"), "Conditions on the typed values of params."
            ) { $0.parameters = $1 },
            Field(
                "query",
                .dictionary(
                    of: .matchers(Matchers.header, orEqualTo: .scalarValue), keys: .plainName("a query item"),
                    expects: "an object of query items and conditions"), "Conditions on query items."
            ) { $0.query = $1 },
            Field(
                "headers",
                .dictionary(
                    of: .matchers(Matchers.header, orEqualTo: .scalarValue), keys: .headerName, ignoringCase: true,
                    expects: "an object of header names and conditions"), "Conditions on headers."
            ) { $0.headers = $1 },
            Field("json", .conditionsByPath, "Conditions on the values that a JSONPath selects in the body.") {
                $0.json = $1
            },
            Field("body", .matchers(Matchers.body, orEqualTo: .scalarValue), "Conditions on the body as text.") {
                $0.body = $1
            },
        ], rules: [.atLeastOne(["params", "query", "headers", "json", "body"])],
        initial: { StubCondition(place: $0.place) },
        check: { condition, _, decoding in
            guard let placeholder = condition.all.lazy.flatMap(\.placeholders).first else { return }
            decoding.report(
                .placeholderInvalid, "\"when\" takes no placeholders: its text is compared with requests unchanged",
                at: placeholder.place, hint: Placeholder.literalAdvice)
        })
}
