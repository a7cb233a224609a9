/// A ``ValueSpec`` without its type, for the parser, help and completions. Only the option's key knows the type.
package struct AnyValueSpec: Sendable {
    package let placeholder: String
    package let expected: String
    package let words: [ValueWord]
    package let completion: CompletionKind
    let mayHoldSecret: Bool
    let parse: @Sendable (String) throws(InvalidValue) -> any Sendable

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
