package import ReqcliDefinitions
package import ReqcliText
import RequestBuilding

extension Parameter {
    /// The param's meaning and its values, as one phrase.
    package var explanation: String {
        var notes: [String] = []
        if isRequired { notes.append("required") } else if defaultValue == nil { notes.append("optional") }
        notes += constraints
        if let items { notes += items.constraints.map { "each \($0)" } }
        if let separator { notes.append("joined by \(OrderedJSON.string(separator).compact)") }
        if isSecret { notes.append("secret") }
        if let defaultValue { notes.append("default: \(isSecret ? "not shown" : defaultValue.value.plainText)") }
        if let example, !isSecret { notes.append("example: \(example.value.plainText)") }
        let text = summary.map { $0 + " " } ?? ""
        return harmlessLine(text + "(\(notes.joined(separator: "; ")))")
    }

    /// The question for the param's value: what the value means, what it may be, and an example.
    package func question(named name: String) -> String {
        var notes = [summary].compactMap(\.self)
        if kind != .string { notes.append(typeName) }
        notes += constraints
        if let example, !isSecret { notes.append("such as \(example.value.plainText)") }
        return harmlessLine(notes.isEmpty ? name : "\(name) (\(notes.joined(separator: "; ")))") + ": "
    }

    /// The conditions that a value must meet.
    private var constraints: [String] {
        var notes: [String] = []
        if let allowed { notes.append("one of " + allowed.map { $0.value.plainText }.joined(separator: ", ")) }
        notes += [
            Self.range(minimum?.text, maximum?.text), Self.range(minimumLength, maximumLength, "characters"),
            Self.range(minimumCount, maximumCount, "items"),
        ].compactMap(\.self)
        if let format { notes.append(format.rawValue) }
        if let pattern { notes.append("matches \(pattern.value)") }
        return notes
    }

    private static func range(_ minimum: Int?, _ maximum: Int?, _ unit: String) -> String? {
        range(minimum.map(String.init), maximum.map(String.init)).map { "\($0) \(unit)" }
    }

    private static func range(_ minimum: String?, _ maximum: String?) -> String? {
        switch (minimum, maximum) {
        case (let minimum?, let maximum?): "\(minimum) to \(maximum)"
        case (let minimum?, nil): "at least \(minimum)"
        case (nil, let maximum?): "at most \(maximum)"
        case (nil, nil): nil
        }
    }

    /// The type as people name it.
    package var typeName: String { items.map { "list of \($0.kind.rawValue)" } ?? kind.rawValue }
}

extension Expectation {
    /// A row for each condition.
    package var rows: [[Styled]] {
        var rows: [[Styled]] = []
        if let status {
            rows.append([Styled("status", .cyan), Styled(status.value.map(\.text).joined(separator: ", "))])
        }
        if let maxTime { rows.append([Styled("time", .cyan), Styled("at most \(maxTime.value.text)")]) }
        for header in headers { rows.append([Styled(harmlessLine(header.name), .cyan), header.value.phrase]) }
        if let body { rows.append([Styled("body", .cyan), body.phrase]) }
        for path in json { rows.append([Styled(harmlessLine(path.name), .cyan), path.value.phrase]) }
        if let schema {
            rows.append([Styled("schema", .cyan), Styled(harmlessLine(schema.operand.source.plainText))])
        }
        if let openAPI {
            let operation = openAPI.operation.map { ", operation \($0.value)" } ?? ""
            rows.append([Styled("openapi", .cyan), Styled(harmlessLine(openAPI.file.value + operation))])
        }
        return rows + (events?.rows ?? []) + (snapshot?.rows ?? [])
    }
}

extension SnapshotExpectation {
    fileprivate var rows: [[Styled]] {
        let what = ["status"] + headers + ["body"]
        let title = [Styled("snapshot", .cyan), Styled(harmlessLine(what.joined(separator: ", ")))]
        let left = ignored.map { [Styled(harmlessLine($0.value), .cyan), Styled("not compared")] }
        return [title] + match.map { [Styled(harmlessLine($0.name), .cyan), $0.value.phrase] } + left
    }
}

extension EventsExpectation {
    fileprivate var rows: [[Styled]] {
        let count = first.map { "the first \($0)" } ?? (inOrder.isEmpty ? "all" : "until all have arrived")
        let title = [Styled("events", .cyan), Styled("\(count), within \(within.text)")]
        return [title] + each.flatMap { $0.rows(of: "each") }
            + inOrder.enumerated().flatMap { $1.rows(of: "number \($0 + 1) in order") }
    }
}

extension Expectation {
    fileprivate func rows(of event: String) -> [[Styled]] {
        rows.map { row in [Styled("\(event): ", .cyan) + row[0]] + row.dropFirst() }
    }
}

extension Matchers {
    fileprivate var phrase: Styled {
        Styled(
            harmlessLine(
                all.map { matcher in
                    (matcher.isNegated ? "not " : "")
                        + "\(matcher.operation.rawValue) \(matcher.operand.source.compact)"
                }.joined(separator: ", ")))
    }
}

extension VariantDefinition {
    /// The response, followed by the summary.
    package var explanation: String {
        var parts: [String] = []
        if let fault { parts.append("error: \(fault.rawValue)") }
        if let sequence { parts.append("\(sequence.count) responses in turn") }
        if fault == nil, sequence == nil { parts.append(answer) }
        if let delay { parts.append("after \(delay.text)") }
        if verdict == .fail { parts.append("must fail the checks") }
        return parts.joined(separator: ", ") + (summary.map { ": \($0)" } ?? "")
    }

    private var answer: String {
        let taken = like.map { "like \($0.value)" }
        let code = status.map(String.init) ?? (taken == nil ? "200" : nil)
        return [taken, code, body?.phrase].compactMap(\.self).joined(separator: " ")
    }
}

extension VariantDefinition.Body {
    fileprivate var phrase: String {
        switch self {
        case .json: "JSON"
        case .text: "text"
        case .bytes(let bytes): bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes"
        case .file(let path): path.value
        }
    }
}

extension ClosedRange<Duration> {
    fileprivate var text: String {
        lowerBound == upperBound
            ? lowerBound.text
            : "\(lowerBound.text) to \(upperBound.text)"
    }
}
