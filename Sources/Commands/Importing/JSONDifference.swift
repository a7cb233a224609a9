import Importing
import SourceText

/// The first difference between JSON that a source states and the JSON that is sent.
struct JSONDifference {
    /// The names and indexes that lead to the value, from the inside out.
    private var steps: [String] = []
    /// The types of both values, if they differ.
    private let kinds: (stated: String, made: String)?

    /// "body", and where another type is sent the place of it: "body, where $.page is a number instead of a string".
    var text: String {
        guard let kinds else { return "body" }
        return "body, where $\(steps.reversed().joined()) is \(kinds.made) instead of \(kinds.stated)"
    }

    /// Fails for values that can be the same.
    init?(_ stated: OrderedJSON, _ made: OrderedJSON) {
        switch (stated, made) {
        case (.string(StatedText.unknownJSON), _), (_, .string(StatedRequest.unknown)):
            // What is unknown to the source is unknown here: a stand-in for a param.
            return nil
        case (.string(let one), .string(let other)):
            if StatedText(one).matches(other) { return nil }
            kinds = nil
        case (.array(let one), .array(let other)) where one.count == other.count:
            for (index, pair) in zip(one, other).enumerated() {
                guard var inner = JSONDifference(pair.0, pair.1) else { continue }
                inner.steps.append("[\(index)]")
                self = inner
                return
            }
            return nil
        case (.object(let one), .object(let other)):
            let (mine, sent) = (one.sorted { $0.name < $1.name }, other.sorted { $0.name < $1.name })
            if mine.map(\.name) == sent.map(\.name) {
                for (member, sent) in zip(mine, sent) {
                    guard var inner = JSONDifference(member.value, sent.value) else { continue }
                    inner.steps.append(".\(member.name)")
                    self = inner
                    return
                }
                return nil
            }
            kinds = nil
        default:
            if stated == made { return nil }
            kinds = stated.kind == made.kind ? nil : (stated.kind, made.kind)
        }
    }
}

extension OrderedJSON {
    /// The type of the value, with its article.
    fileprivate var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
