import Calling
import ReqcliDefinitions
import ReqcliJSONPath
import ReqcliJSONSchema
import ReqcliMatching
import ReqcliOpenAPI
import ReqcliText
import RequestBuilding

extension Judgement {
    /// Compares the status, the type and the headers of a response with an API description. The schema of the body becomes a
    /// condition on the whole body.
    func openAPI(_ parts: OpenAPIParts) -> (failures: [ExpectationFailure], body: PathConditions) {
        guard let operation = parts.operation(of: response) else {
            let failure = ExpectationFailure(
                "request", expected: "an operation of \(own: parts.contract.name)",
                actual: "a \(own: response.method) request that matches no operation", at: parts.expectation.place)
            return ([failure], [])
        }
        let known = parts.contract.operations[operation]
        guard let described = parts.described(operation, response.status) else {
            return ([undocumented(operation, parts)], [])
        }
        let judgement = DescribedJudgement(
            judgement: self, contract: parts.contract, operation: known.name, described: described)
        let (failures, content) = judgement.contents
        return (failures + judgement.headers, content.map { [(parts.whole, judgement.conditions(on: $0))] } ?? [])
    }

    private func undocumented(_ index: Int, _ parts: OpenAPIParts) -> ExpectationFailure {
        let operation = parts.contract.operations[index]
        let statuses = ((try? parts.contract.responses(of: index)) ?? []).map(\.status)
        let documented = statuses.isEmpty ? ", which documents no status" : ": \(statuses.joined(separator: ", "))"
        return ExpectationFailure(
            "status", expected: "a status documented for \(own: operation.name + documented)",
            actual: response.statusLine(excerpts),
            at: operation.place, refusedStatus: response.status)
    }
}

/// Compares one response with the documented response for its status.
private struct DescribedJudgement {
    let judgement: Judgement
    let contract: OpenAPIContract
    let operation: String
    let described: DescribedResponse

    private var response: ReceivedResponse { judgement.response }
    private var excerpts: Excerpts { judgement.excerpts }
    private var status: String { described.status == "default" ? "other statuses" : described.status }

    // MARK: The body

    /// The problems with the type of the body, and the documented content that the body has to match.
    var contents: (failures: [ExpectationFailure], content: DescribedResponse.Content?) {
        let type = response.headers["content-type"]
        let isBodiless = response.reasonForNoBody != nil
        let isEmpty = response.body.size == 0
        if described.contents.isEmpty {
            if isBodiless || isEmpty { return ([], nil) }
            let what: Wording? = type.map { " of \(excerpts.line(Array($0.utf8)))" }
            let failure = ExpectationFailure(
                "body", expected: "no body: \(own: operation) documents no content for \(own: status)",
                actual: "\(response.body.size) bytes\(what ?? "")", at: described.place)
            return ([failure], nil)
        }
        if isBodiless, type == nil || response.method != "HEAD" { return ([], nil) }
        let types = response.headers.values("content-type")
        if Set(types).count > 1 {
            let shown = types.map { excerpts.text($0) }.joined(separator: " and ")
            let failure = ExpectationFailure(
                "header Content-Type", expected: "one media type", actual: shown, at: described.place)
            return ([failure], nil)
        }
        let found = type.flatMap { MediaRange($0) }
        let match = type == nil ? described.contents.first { $0.text == "*/*" } : found.flatMap { content(for: $0) }
        if let match { return ([], isBodiless || found?.isJSON != true ? nil : match) }
        let list = described.contents.map(\.text).joined(separator: " or ")
        let subject: Wording = isEmpty && !isBodiless ? "body" : "header Content-Type"
        let actual = isEmpty && !isBodiless ? "an empty body" : type.map { excerpts.text($0) } ?? "no such header"
        let failure = ExpectationFailure(
            subject, expected: "\(own: list), which \(own: operation) documents for \(own: status)", actual: actual,
            at: described.contents.first?.place ?? described.place)
        // If the response has no `Content-Type` and the description documents a JSON body, the body is still checked.
        return ([failure], type == nil && !isEmpty ? described.contents.first { $0.range.isJSON } : nil)
    }

    /// The narrowest range that contains a media type.
    private func content(for type: MediaRange) -> DescribedResponse.Content? {
        described.contents.filter { $0.range.contains(type) }.max { $0.range.precision < $1.range.precision }
    }

    /// The conditions on a JSON body. Without a schema, the body only has to be JSON.
    func conditions(on content: DescribedResponse.Content) -> Conditions {
        let all = content.schema.flatMap(contract.schema).map { [Condition($0, at: content.place)] } ?? []
        return Conditions(name: "$", place: content.place, all: all)
    }

    // MARK: Headers

    var headers: [ExpectationFailure] { described.headers.flatMap { failures(of: $0) } }

    private func failures(of header: DescribedResponse.Header) -> [ExpectationFailure] {
        let fields = response.headers.named(header.name)
        guard !fields.isEmpty else {
            guard header.isRequired else { return [] }
            return [
                ExpectationFailure(
                    "header \(own: header.name)",
                    expected: "a value, which \(own: operation) requires for \(own: status)",
                    actual: "no such header", at: header.place)
            ]
        }
        guard let schema = header.schema.flatMap(contract.schema) else { return [] }
        // Each cookie is a separate value. Other header fields of the same name form one list.
        let isCookie = header.name.isSameHeader(as: "Set-Cookie")
        let values = isCookie ? fields.map(\.value) : [fields.map(\.value).joined(separator: ", ")]
        let shown = isCookie ? fields.map(\.shownValue) : values
        return zip(values, shown).flatMap { failures(of: $0, shown: $1, header, schema) }
    }

    /// The most failures of one header that are shown.
    private static let mostShown = 5

    private func failures(
        of text: String, shown: String, _ header: DescribedResponse.Header, _ schema: JSONSchema
    ) -> [ExpectationFailure] {
        let readings = header.reading.values(of: text)
        guard let likeliest = readings.first else {
            return [
                ExpectationFailure(
                    "header \(own: header.name)", expected: "JSON", actual: excerpts.text(shown), at: header.place)
            ]
        }
        if readings.contains(where: { schema.accepts($0) }) { return [] }
        return (schema.failures(of: likeliest)?.shown ?? []).prefix(Self.mostShown).map { failure in
            ExpectationFailure(
                "header \(own: header.name)", expected: excerpts.line(Array(failure.expectation.utf8)),
                actual: excerpts.text(shown), at: failure.place,
                schema: SchemaSpot(keyword: failure.keyword, absolute: failure.absolute, instance: failure.instance))
        }
    }
}
