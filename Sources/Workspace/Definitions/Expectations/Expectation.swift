package import ReqcliText

/// The conditions that a response must meet.
package struct Expectation: Sendable {
    package var status: Located<[StatusPattern]>?
    package var headers: [Named<Matchers>] = []
    package var maxTime: Located<Duration>?
    package var body: Matchers?
    /// Conditions on values of the JSON body, by JSONPath.
    package var json: [Named<Matchers>] = []
    /// The condition that the whole body fits a JSON Schema.
    package var schema: Matcher?
    package var openAPI: OpenAPIExpectation?
    package var events: EventsExpectation?
    package var snapshot: SnapshotExpectation?
    package let place: Place

    /// An expectation without conditions.
    package static func empty(at place: Place) -> Expectation { Expectation(place: place) }

    /// Whether there are no conditions at all.
    package var isEmpty: Bool {
        status == nil && headers.isEmpty && maxTime == nil && body == nil && json.isEmpty && schema == nil
            && openAPI == nil && events == nil && snapshot == nil
    }

    static let jsonField = Field<Expectation>(
        "json", .conditionsByPath, "Conditions on the values that a JSONPath (RFC 9535) selects."
    ) { $0.json = $1 }

    static let table = ObjectShape<Expectation>(
        "expect", title: "\"expect\"", summary: "A response must meet all of these conditions.",
        [
            Field("status", .located(.statusPatterns), "The status: 200, \"2xx\", or a list of such values.") {
                $0.status = $1
            },
            Field(
                "headers",
                .dictionary(
                    of: .matchers(Matchers.header, orEqualTo: .scalarValue), keys: .headerName, ignoringCase: true,
                    expects: "an object of header names and conditions"), "Conditions on headers."
            ) { $0.headers = $1 },
            Field("maxTime", .located(.bound), "The maximum time for the exchange.") { $0.maxTime = $1 },
            Field("body", .matchers(Matchers.body, orEqualTo: .scalarValue), "Conditions on the body as text.") {
                $0.body = $1
            },
            jsonField,
            Field(
                "schema", .jsonSchema,
                "A JSON Schema that the body must match: the name of a file below schemas/, such as \"user.json\", or the schema itself."
            ) {
                $0.schema = Matcher(operation: .schema, operand: $1, isNegated: false, place: $1.place)
            },
            Field(
                "openapi", OpenAPIExpectation.shape,
                "An OpenAPI description that status, headers and body must match."
            ) { $0.openAPI = $1 },
            Field("events", EventsExpectation.table.shape, "Conditions on the events of a stream.") { $0.events = $1 },
            Field(
                "snapshot", SnapshotExpectation.shape,
                "Compares the response with the snapshot in `snapshots/` that was accepted earlier."
            ) { $0.snapshot = $1 },
        ],
        rules: [
            .atLeastOne(["status", "headers", "maxTime", "body", "json", "schema", "openapi", "events", "snapshot"]),
            .excludes("events", ["body", "json", "schema", "snapshot"]),
        ],
        initial: { Expectation(place: $0.place) },
        check: { expectation, value, decoding in
            guard expectation.isEmpty else { return }
            // Conditions that can't be read have been reported already.
            let conditions = ["headers", "json"].compactMap { value[$0] }
            let areNone = conditions.allSatisfy { condition in
                condition.kind == .object && condition.members.allSatisfy { ObjectSchema.isMetadataKey($0.key) }
            }
            if !conditions.isEmpty, areNone {
                decoding.report(
                    .valueInvalid, "\"expect\" has no conditions", at: value.headPlace,
                    hint: "add one, such as {\"status\": 200}")
            }
        })
}

extension Shape where Value == [Named<Matchers>] {
    /// Conditions on the values of a JSON body, by JSONPath.
    static let conditionsByPath = dictionary(
        of: .matchers(Matchers.json, orEqualTo: .anyValueButObject), keys: .jsonPathKey,
        expects: "an object of JSONPaths and conditions")
}

extension Shape where Value == String {
    fileprivate static let jsonPathKey = Shape(
        expects: "a JSONPath", schema: .text(pattern: #"^\$((?!\{\{)[\s\S])*$"#)
    ) { key, decoding in
        let name = key.string ?? ""
        if name.hasPrefix("$") {
            let advice = #"write \\u007B{ for a literal {{"#
            return PlainName.isNone(in: name, key, "JSONPaths", advice: advice, &decoding) ? name : nil
        }
        decoding.report(
            .nameInvalid, "\"\(name)\" is not a JSONPath", at: key.place,
            hint: "a JSONPath begins with \"$\", such as \"$.id\"")
        return nil
    }
}

/// One status, `200`, or a class of statuses, `"2xx"`.
package struct StatusPattern: Sendable, Equatable {
    package let range: ClosedRange<Int>
    package let text: String

    package func accepts(_ status: Int) -> Bool { range.contains(status) }
}

extension Shape where Value == [StatusPattern] {
    static let statusPatterns = oneOrMore(.statusPattern, isNeverEmpty: true)
}

extension Shape where Value == StatusPattern {
    static let statusPattern = Shape(
        expects: "a status such as 200 or \"2xx\"",
        schema: .either([.integer(100...599), .text(pattern: "^[1-5][xX][xX]$")]),
        hint: { value in value.string.flatMap(Int.init).map { "write \($0) without quotes" } }
    ) { value in
        if let number = value.number?.int, (100...599).contains(number) {
            return StatusPattern(range: number...number, text: String(number))
        }
        guard let text = value.string?.lowercased(), text.utf8.count == 3, text.hasSuffix("xx"),
            let hundreds = text.first.flatMap({ Int(String($0)) }), (1...5).contains(hundreds)
        else { return nil }
        return StatusPattern(range: hundreds * 100...hundreds * 100 + 99, text: text)
    }
}

/// An additional case of an endpoint, with its own params and expectations.
package struct NamedCheck: Sendable {
    package var name: Located<String>?
    package var summary: String?
    package var tags: [String] = []
    package var parameters: [Named<ValueTemplate>] = []
    package var expectation: Expectation?

    static let table = ObjectShape<NamedCheck>(
        "check", title: "a check", summary: "An additional case of an endpoint.",
        [
            Field("name", .located(.text), required: true, "The name of the case in reports.") { $0.name = $1 },
            Field("description", .text, "What the case is about.") { $0.summary = $1 },
            Field("tags", .list(of: .text, expects: "a list of words"), "Tags to select the case by.") { $0.tags = $1 },
            Field(
                "with", .dictionary(of: .anyValue, keys: .name("a param"), expects: "an object of params and values"),
                "The params of this case."
            ) { $0.parameters = $1 },
            Field("expect", Expectation.table.shape, required: true, "The conditions that the response must meet.") {
                $0.expectation = $1
            },
        ], initial: { _ in NamedCheck() })
}
