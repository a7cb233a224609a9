/// What a word on the command line has to be: how help calls it, how it is read, how it completes.
///
/// A command adds its own kinds by extension, so that an option's definition reads as a sentence:
/// `Option("timeout", .duration, "Give up after this long")`.
package struct ValueSpec<Value: Sendable>: Sendable {
    /// How help calls the value: `FILE`, `NAME`, `auto|always|never`.
    package let placeholder: String
    /// What is expected, as it follows "takes" in a message: "a whole number from 0 to 20".
    package let expected: String
    /// The words there are to choose from, when only those are valid.
    package let words: [ValueWord]
    package let completion: CompletionKind
    /// Whether no message may show the value.
    package let mayHoldSecret: Bool
    let parse: @Sendable (String) throws(InvalidValue) -> Value
    let text: @Sendable (Value) -> String

    package init(
        _ placeholder: String,
        expected: String,
        words: [ValueWord] = [],
        completion: CompletionKind = .nothing,
        mayHoldSecret: Bool = false,
        text: @escaping @Sendable (Value) -> String = { String(describing: $0) },
        parse: @escaping @Sendable (String) throws(InvalidValue) -> Value
    ) {
        self.placeholder = placeholder
        self.expected = expected
        self.words = words
        self.completion = completion
        self.mayHoldSecret = mayHoldSecret
        self.text = text
        self.parse = parse
    }
}

/// One of the words that an enumerated value may be.
package struct ValueWord: Equatable, Sendable {
    package let text: String
    package let summary: String

    package init(_ text: String, _ summary: String = "") {
        (self.text, self.summary) = (text, summary)
    }
}

/// Why a value was refused; the message says what was expected and what was found.
package struct InvalidValue: Error, Equatable, Sendable {
    /// Replaces the spec's own `expected` where there is more to say about this one value.
    package let expected: String?
    package let hint: String?

    package init(expected: String? = nil, hint: String? = nil) {
        (self.expected, self.hint) = (expected, hint)
    }
}
