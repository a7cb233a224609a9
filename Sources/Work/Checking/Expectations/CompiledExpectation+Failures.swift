package import Calling
import ReqcliDefinitions
import ReqcliJSONPath
import ReqcliMatching
package import ReqcliRedaction
import ReqcliText
import RequestBuilding

extension CompiledExpectation {
    /// All differences of a response from the expectation, in the order of the keys in the file format.
    package func failures(of response: ReceivedResponse, redactor: Redactor = Redactor([])) -> [ExpectationFailure] {
        let judgement = Judgement(response: response, excerpts: Excerpts(redactor))
        let described = openAPI.map { judgement.openAPI($0) }
        return judgement.status(status?.value, at: status?.place ?? place, isDescribed: openAPI?.judgesStatus ?? false)
            + (described?.failures ?? []) + headers.flatMap { judgement.header($0) } + judgement.maxTime(maxTime)
            + judgement.bodies(body, json + (snapshot?.match ?? []) + (described?.body ?? []))
            + judgement.events(events)
    }
}

/// Checks a response against the parts of an expectation.
struct Judgement {
    let response: ReceivedResponse
    let excerpts: Excerpts

    /// Checks the status. If no status is expected, 2xx is required, because an error page or a redirect might meet all other
    /// conditions.
    ///
    /// - Parameter isDescribed: Whether an API description decides on the status if no status is expected.
    func status(_ patterns: [StatusPattern]?, at place: Place, isDescribed: Bool = false) -> [ExpectationFailure] {
        if isDescribed, patterns == nil { return [] }
        let isExpected =
            patterns.map { $0.contains { $0.accepts(response.status) } } ?? (200...299).contains(response.status)
        if isExpected { return [] }
        let expected = patterns.map { $0.map(\.text).joined(separator: " or ") }
        return [
            ExpectationFailure(
                "status", expected: expected.map(Wording.init(own:)) ?? "2xx (the default)",
                actual: response.statusLine(excerpts), at: place,
                refusedStatus: response.status)
        ]
    }

    func maxTime(_ limit: Located<Duration>?) -> [ExpectationFailure] {
        guard let limit, response.duration > limit.value else { return [] }
        return [
            ExpectationFailure(
                "maxTime", expected: "at most \(own: limit.value.text)",
                actual: Wording(own: response.duration.text), at: limit.place)
        ]
    }

    // MARK: Headers

    /// Checks a header. For each condition, at least one value of the header must meet it. No value may meet a condition under
    /// `not`.
    func header(_ conditions: Conditions) -> [ExpectationFailure] {
        let fields = response.headers.named(conditions.name)
        let values = fields.map(\.value)
        func failure(_ condition: Condition, by shown: [HeaderFields.Field]) -> ExpectationFailure {
            let found =
                shown.isEmpty ? "no such header" : shown.map { excerpts.text($0.shownValue) }.joined(separator: ", ")
            return ExpectationFailure(
                "header \(own: conditions.name)", expected: condition.phrase(excerpts), actual: found,
                at: condition.place)
        }
        if let condition = conditions.all.first(where: { $0.wantsExistence == false }) {
            return values.isEmpty ? [] : [failure(condition, by: fields)]
        }
        guard !values.isEmpty else { return conditions.all.first.map { [failure($0, by: [])] } ?? [] }
        let rest = conditions.all.filter { $0.wantsExistence == nil }
        // Several fields of one name mean the same as one field with comma-separated values (RFC 9110, section 5.3). `Set-Cookie`
        // is the exception: each field is a separate cookie, so a single field must meet all conditions.
        let isCookie = conditions.name.lowercased() == "set-cookie"
        let candidates = isCookie ? [closest(of: fields, to: rest)].compactMap(\.self) : fields
        let forms = values.count > 1 && !isCookie ? values + [values.joined(separator: ", ")] : values
        return rest.compactMap { condition in
            if condition.isNegated {
                return forms.allSatisfy { condition.isMet(by: $0) } ? nil : failure(condition, by: fields)
            }
            let isMet = (isCookie ? candidates.map(\.value) : forms).contains { condition.isMet(by: $0) }
            return isMet ? nil : failure(condition, by: rest.count > 1 ? candidates : fields)
        }
    }

    /// The field that meets the most conditions; the first such field if there are several.
    private func closest(
        of fields: [HeaderFields.Field], to conditions: [Condition]
    ) -> HeaderFields.Field? {
        let wanted = conditions.filter { !$0.isNegated }
        let counts = fields.map { field in wanted.count { $0.isMet(by: field.value) } }
        return zip(fields, counts).first { $0.1 == counts.max() }?.0
    }

    // MARK: Body

    func bodies(_ body: Conditions?, _ json: PathConditions) -> [ExpectationFailure] {
        (body.map { texts($0) } ?? []) + paths(json)
    }

    private func texts(_ conditions: Conditions) -> [ExpectationFailure] {
        let text = response.text
        return conditions.all.compactMap { condition in
            switch text {
            case .success(let text): return failure(of: condition, on: .text(text), .body)
            // The bytes are enough to check for an empty body.
            case .failure where condition.operation == .empty:
                return failure(of: condition, on: .text(response.body.bytes), .body)
            case .failure(let problem): return unjudged(condition, problem)
            }
        }
    }

    /// The failure for a body that can't be read. The condition counts as not met, even under `not`.
    private func unjudged(_ condition: Condition, _ problem: UnreadableBody) -> ExpectationFailure {
        ExpectationFailure(
            "body", expected: condition.phrase(excerpts), actual: problem.phrase(excerpts), at: condition.place)
    }

    private func paths(_ json: PathConditions) -> [ExpectationFailure] {
        guard let first = json.first else { return [] }
        func none(_ actual: Wording) -> [ExpectationFailure] {
            [ExpectationFailure("body", expected: "JSON", actual: actual, at: first.conditions.place)]
        }
        let document: JSONDocument
        switch response.content {
        case .success(let content): document = JSONDocument.read(SourceFile(name: "body", bytes: content))
        case .failure(let problem): return none(problem.phrase(excerpts))
        }
        guard let root = document.validRoot else { return none(notJSON(document)) }
        let repeated = RepeatedKeys(in: root)
        var failures: [ExpectationFailure] = []
        for each in json {
            if let found = repeated.phrase(along: each.path, in: root, each.conditions.depth, excerpts) {
                failures.append(
                    ExpectationFailure(
                        Wording(own: each.path.text), expected: "an object without duplicate keys", actual: found,
                        at: each.conditions.place))
            } else if !each.conditions.areMet(at: each.path, in: root) {
                failures +=
                    PathJudgement(path: each.path, conditions: each.conditions, root: root, judgement: self).failures
            }
        }
        return failures
    }

    private func notJSON(_ document: JSONDocument) -> Wording {
        let content = document.file.bytes
        if content.isEmpty { return "an empty body" }
        let type: Wording? = response.headers["content-type"].map { " (\(excerpts.line(Array($0.utf8))))" }
        let text = excerpts.text(content) + (type ?? "")
        guard let problem = document.problems.first else { return text }
        let position = document.file.position(of: problem.range.lowerBound)
        return
            "\(text); line \(position.line), column \(position.column): \(excerpts.line(Array(problem.message.utf8)))"
    }

    /// The failure of a value; nil if it meets the condition.
    func failure(
        of condition: Condition, on value: ActualValue, _ spot: @autoclosure () -> ValueSpot
    ) -> ExpectationFailure? {
        guard let objection = condition.objection(to: value) else { return nil }
        let spot = spot()
        var actual = excerpts.value(value)
        if case .unfit(let reason) = objection { actual = "\(actual), \(own: reason)" }
        if condition.operation == .length, let length = value.length { actual = "\(length): \(actual)" }
        return ExpectationFailure(
            spot.subject, path: spot.path, title: spot.title, expected: condition.phrase(excerpts), actual: actual,
            at: condition.place, difference: difference(condition, value, spot.root))
    }

    /// The differences, if the values are too large to compare at a glance; empty for a condition under `not`.
    private func difference(_ condition: Condition, _ value: ActualValue, _ path: Wording) -> [DifferenceLine] {
        guard !condition.isNegated, case .value(let expected) = condition.operand else { return [] }
        switch (condition.operation, value) {
        case (.equals, .json(let actual)): return difference(expected, actual, .equality, path)
        case (.includes, .json(let actual)): return difference(expected, actual, .inclusion, path)
        case (.equals, .text(let bytes)):
            if let text = expected.plainText {
                return TextComparison.lines(expected: Array(text.utf8), actual: bytes, excerpts)
            }
            let document = JSONDocument.read(SourceFile(name: "body", bytes: bytes))
            guard document.problems.isEmpty, let actual = document.root else { return [] }
            return difference(expected, actual, .equality, path)
        default: return []
        }
    }

    private func difference(
        _ expected: JSONValue, _ actual: JSONValue, _ mode: JSONComparison.Mode, _ path: Wording
    ) -> [DifferenceLine] {
        // Two short scalars are already shown in full.
        if expected.isShortScalar, actual.isShortScalar { return [] }
        return JSONComparison(mode, expected: expected, actual: actual).lines(below: path, excerpts)
    }
}

/// The place of a value in a response.
struct ValueSpot {
    /// The subject of the expectation: a path as written, or `body`.
    let subject: Wording
    /// The normalized path of the value; nil for the whole body.
    let path: Wording?
    /// The start of the paths of differences inside the value.
    let root: Wording

    static let body = ValueSpot(subject: "body", path: nil, root: "$")

    var title: Wording { path == nil || root == subject ? subject : "\(subject) at \(root)" }
}

extension Condition {
    fileprivate func isMet(by value: String) -> Bool { objection(to: .text(Array(value.utf8))) == nil }
}

extension JSONValue {
    fileprivate var isShortScalar: Bool { kind != .object && kind != .array && range.count <= 60 }
}
