import SourceText

extension OrderedJSON {
    /// A string as it is, anything else as JSON on one line: what a person would type.
    var plainText: String {
        if case .string(let text) = self { text } else { compact }
    }
}
