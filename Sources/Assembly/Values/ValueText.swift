package import SourceText

/// Values as text, for the places that take no other.
package enum ValueText {
    /// A string as it is, anything else as compact JSON.
    package static func text(of value: OrderedJSON) -> String {
        if case .string(let text) = value { return text }
        return value.compact
    }
}
