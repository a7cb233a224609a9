/// The kind of value that an option or argument takes: its name in help, its parser and its completions.
///
/// A command adds its own kinds by extension, so that a definition reads like a sentence:
/// `Option("timeout", .duration, "Give up after this long")`.
package struct ValueSpec<Value: Sendable>: Sendable {
    /// The name of the value in help: `FILE`, `NAME`, `auto|always|never`.
    package let placeholder: String
    /// A description of the expected value. A message puts it after "takes": "a whole number from 0 to 20".
    package let expected: String
    /// The accepted words, if the value is one of a fixed list.
    package let words: [ValueWord]
    package let completion: CompletionKind
    /// Whether messages must not show the value.
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

/// One of the words that an enumeration accepts.
package struct ValueWord: Equatable, Sendable {
    package let text: String
    package let summary: String

    package init(_ text: String, _ summary: String = "") {
        (self.text, self.summary) = (text, summary)
    }
}

/// The reason why a value was rejected. The message says what was expected and what was found.
package struct InvalidValue: Error, Equatable, Sendable {
    /// A more precise description of the expected value, shown in place of the spec's `expected`; nil to show the spec's.
    package let expected: String?
    package let hint: String?

    package init(expected: String? = nil, hint: String? = nil) {
        (self.expected, self.hint) = (expected, hint)
    }
}

/// A ``ValueSpec`` without its Swift type, for the parser, help and completions. The type is known only to the ``Option`` or
/// ``Argument``.
package struct AnyValueSpec: Sendable {
    package let placeholder: String
    package let expected: String
    package let words: [ValueWord]
    package let completion: CompletionKind
    let mayHoldSecret: Bool
    let parse: @Sendable (String) throws(InvalidValue) -> any Sendable

    /// The hint of the error for an empty value; nil if there is none.
    var hintIfMissing: String? {
        do throws(InvalidValue) { _ = try parse("") } catch { return error.hint }
        return nil
    }

    init<Value>(_ spec: ValueSpec<Value>) {
        placeholder = spec.placeholder
        expected = spec.expected
        words = spec.words
        completion = spec.completion
        mayHoldSecret = spec.mayHoldSecret
        let parse = spec.parse
        self.parse = { (text) throws(InvalidValue) in try parse(text) }
    }
}
