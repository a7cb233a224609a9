import ReqcliText

@testable import Importing

/// A difference between JSON that a source states and the JSON that is sent.
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

    private init(_ kinds: (stated: String, made: String)?) { self.kinds = kinds }

    private func below(_ step: String) -> JSONDifference {
        var copy = self
        copy.steps.append(step)
        return copy
    }

    /// How many are told of one body.
    private static let most = 5

    /// The first differences; none for values that can be the same.
    static func all(_ stated: OrderedJSON, _ made: OrderedJSON) -> [JSONDifference] {
        switch (stated, made) {
        case (.string(StatedText.unknownJSON), _), (_, .string(StatedRequest.unknown)):
            // What is unknown to the source is unknown here: a stand-in for a param.
            return []
        case (.string(let one), .string(let other)):
            return StatedText(one).matches(other) ? [] : [JSONDifference(nil)]
        case (.array(let one), .array(let other)) where one.count == other.count:
            return first(zip(one, other).enumerated()) { index, pair in ("[\(index)]", pair.0, pair.1) }
        case (.object(let one), .object(let other)):
            let (mine, sent) = (one.sorted { $0.name < $1.name }, other.sorted { $0.name < $1.name })
            if mine.map(\.name) != sent.map(\.name) { return [JSONDifference(nil)] }
            return first(zip(mine, sent)) { (".\($0.name)", $0.value, $1.value) }
        default:
            if stated == made { return [] }
            return [JSONDifference(stated.kind == made.kind ? nil : (stated.kind, made.kind))]
        }
    }

    private static func first<Pairs: Sequence>(
        _ pairs: Pairs, _ parts: (Pairs.Element) -> (step: String, stated: OrderedJSON, made: OrderedJSON)
    ) -> [JSONDifference] {
        var found: [JSONDifference] = []
        for pair in pairs where found.count < most {
            let (step, stated, made) = parts(pair)
            found += all(stated, made).prefix(most - found.count).map { $0.below(step) }
        }
        return found
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
