import ReqcliDefinitions
package import ReqcliText

/// Values as text, for places that accept only text.
package enum ValueText {
    /// Returns a string unchanged, and any other value as compact JSON.
    package static func text(of value: OrderedJSON) -> String {
        if case .string(let text) = value { return text }
        return value.compact
    }
}

extension String {
    /// The text as a message quotes it: control characters are escaped, and a long text is shortened.
    package var quoted: String { OrderedJSON.string(self).shortDescription }

    /// The end of a message about an empty or blank value; nil for any other value.
    var blankness: String? { isEmpty ? "is empty" : allSatisfy(\.isWhitespace) ? "is only whitespace" : nil }
}
