import ReqcliDefinitions
package import ReqcliText

/// Values as text, for the places that take no other.
package enum ValueText {
    /// A string as it is, anything else as compact JSON.
    package static func text(of value: OrderedJSON) -> String {
        if case .string(let text) = value { return text }
        return value.compact
    }
}

extension String {
    /// The text as a message quotes it: control characters escaped, cut where it is long.
    package var quoted: String { OrderedJSON.string(self).shortDescription }

    /// Completes a sentence about a value that has nothing in it; nil if it has.
    var blankness: String? { isEmpty ? "is empty" : allSatisfy(\.isWhitespace) ? "is only whitespace" : nil }
}
