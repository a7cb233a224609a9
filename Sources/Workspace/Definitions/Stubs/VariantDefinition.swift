package import ReqcliText

/// A response that an endpoint can give without a server.
package struct VariantDefinition: Sendable {
    package enum Body: Sendable {
        /// JSON as in the file. It is converted only when a response is needed.
        case json(JSONValue)
        case text(String)
        case bytes([UInt8])
        /// A file below `stubs/`.
        case file(Located<String>)
    }

    package enum Fault: String, CaseIterable, Sendable {
        case timeout
        case refused
        case dns
        case tls
        case reset
        case truncated
    }

    package enum AfterLast: String, CaseIterable, Sendable {
        case last
        case loop
        case fail
    }

    package enum Verdict: String, CaseIterable, Sendable {
        case pass
        case fail
    }

    package var summary: String?
    package var body: Body?
    package var status: Int?
    package var headers: [Named<Setting<[ValueTemplate]>>] = []
    package var delay: ClosedRange<Duration>?
    package var like: Located<String>?
    package var fault: Fault?
    package var sequence: [Step]?
    package var afterLast: AfterLast?
    package var verdict: Verdict?
    package var drift: StubDrift?
    /// If no variant is chosen by name, this variant responds to the requests that meet this condition.
    package var condition: StubCondition?
    /// Whether placeholders in the headers and the body are filled with values of the request.
    package var isFilled: Bool?
    /// The time over which the body is sent.
    package var bodyTime: Duration?
    package let place: Place

    /// One response of a sequence: a variant by name, or an inline variant.
    package enum Step: Sendable {
        case named(Located<String>)
        case written(VariantDefinition)
    }
}

// MARK: - Tables

extension VariantDefinition {
    static let table: ObjectShape<VariantDefinition> = ObjectShape(
        "variant", title: "a stub variant",
        summary: "A response that is given without a server. Without a key for the body, the body is empty.",
        [
            Field("description", .text, "When to use this variant.") { $0.summary = $1 },
            Field("json", .anyJSON, "The body as JSON. Also sets the Content-Type.") { $0.body = .json($1) },
            Field("text", .text, "The body as text.") { $0.body = .text($1) },
            Field("base64", .base64, "The body as bytes, in base64.") { $0.body = .bytes($1) },
            Field("file", .located(.stubFile), "The body from a file below stubs/.") { $0.body = .file($1) },
            Field("status", .status, "The status of the response; 200 by default.") { $0.status = $1 },
            Field(
                "headers",
                .dictionary(
                    of: .setting(.stubFieldValues), keys: .headerName, ignoringCase: true,
                    expects: "an object of header names and values"),
                "The headers of the response."
            ) { $0.headers = $1 },
            Field("delay", .delay, "The delay: \"80ms\", or \"80ms..200ms\" for a random time in between.") {
                $0.delay = $1
            },
            Field("bodyTime", .bound, "The time over which the body is sent, evenly, as on a slow network.") {
                $0.bodyTime = $1
            },
            Field(
                "when", StubCondition.table.shape,
                "The requests that get this variant, if no variant is chosen by name."
            ) {
                $0.condition = $1
            },
            Field(
                "fill", .boolean,
                "Whether placeholders in the headers and the body are filled with values of the request; false by default."
            ) { $0.isFilled = $1 },
            Field("like", .located(.name("a variant")), "Another variant that this one copies and changes.") {
                $0.like = $1
            },
            Field("error", Shape<Fault>.word, "A fault of the connection instead of a response.") { $0.fault = $1 },
            Field("sequence", steps, "Variants that respond in turn, one for each request.") { $0.sequence = $1 },
            Field(
                "then", Shape<AfterLast>.word,
                "What follows after the last step of a sequence: the last step again (last), the first step (loop) or an error (fail)."
            ) {
                $0.afterLast = $1
            },
            Field("expect", Shape<Verdict>.word, "\"fail\": the endpoint's expectations must fail on this response.") {
                $0.verdict = $1
            },
            Field(
                "drift", StubDrift.shape,
                "How `drift` compares this variant with the server; false: drift skips the variant."
            ) {
                $0.drift = $1
            },
        ],
        rules: [
            .atMostOne(["json", "text", "base64", "file", "error", "sequence"]),
            .excludes("sequence", ["status", "headers", "delay", "bodyTime", "fill", "like", "expect", "drift"]),
            .excludes("error", ["status", "headers", "bodyTime", "fill", "drift"]),
            .needs("then", "sequence"),
        ],
        initial: { VariantDefinition(place: $0.place) })

    /// The steps of a sequence, each given by a name or an object. The table of keys is looked up only when an object is read,
    /// because a variant may contain variants.
    private static let steps = Shape<[Step]>.list(
        of: step, expects: "a list of variants, each by its name or defined here", isNeverEmpty: true)

    private static let step = Shape<Step>(
        expects: "the name of a variant, or a variant defined here",
        schema: .either([.text(pattern: Name.pattern), .named("variant") { .object(table.description) }])
    ) { value, decoding in
        if value.kind == .object { return table.decode(value, &decoding).map(Step.written) }
        return Shape<String>.name("a variant").decode(value, &decoding).map { .named(Located($0, at: value.place)) }
    }
}

extension Shape where Value == [ValueTemplate] {
    /// The value of a stub's header. The value is kept as written in the file, because stubs have other placeholders than
    /// requests.
    fileprivate static let stubFieldValues = oneOrMore(
        Shape<ValueTemplate>(
            expects: "text, a number, true or false", schema: .either([.text(), .number(), .boolean])
        ) { value in
            switch value.kind {
            case .string, .number, .true, .false: .plain(value)
            case .null, .array, .object, .invalid: nil
            }
        })
}

extension Shape where Value == String {
    /// A path below `stubs/`, without `..`.
    static let stubFile = text.checked(
        expects: "the path of a file below stubs/", schema: .text(pattern: #"^(?!/)(?!(.*/)?\.\.(/|$)).+$"#)
    ) { path, value in
        if !path.isEmpty, !path.hasPrefix("/"), !path.split(separator: "/").contains("..") { return nil }
        return Complaint(
            .valueInvalid, "a stub's file must be below stubs/; found \(value.shortDescription)",
            hint: "write its path relative to stubs/")
    }
}
