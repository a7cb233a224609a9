/// A positional argument, defined once as a constant and used as the key to read it back: `parsed[SendCommand.id]`.
package struct Argument<Value: Sendable>: Sendable {
    package let spec: ArgumentSpec
    let read: @Sendable ([any Sendable]) -> Value?
}

extension Argument {
    /// A required argument.
    package init(_ name: String, _ value: ValueSpec<Value>, _ summary: String) {
        spec = ArgumentSpec(name: name, count: .one, value: AnyValueSpec(value), summary: summary)
        read = { $0.first as? Value }
    }

    /// An optional argument.
    package init<Wrapped>(optional name: String, _ value: ValueSpec<Wrapped>, _ summary: String)
    where Value == Wrapped? {
        spec = ArgumentSpec(name: name, count: .optional, value: AnyValueSpec(value), summary: summary)
        read = { .some($0.first as? Wrapped) }
    }

    /// An argument that takes all remaining words.
    package init<Element>(rest name: String, _ value: ValueSpec<Element>, _ summary: String, required: Bool = false)
    where Value == [Element] {
        spec = ArgumentSpec(
            name: name, count: required ? .oneOrMore : .any, value: AnyValueSpec(value), summary: summary)
        // `compactMap` looks for a conformance among all in the program.
        read = { words in
            var values: [Element] = []
            for word in words {
                if let value = word as? Element { values.append(value) }
            }
            return values
        }
    }
}

/// A positional argument without its type, for the parser, help, the man page and completions.
package struct ArgumentSpec: Sendable {
    package enum Count: Sendable {
        case one
        case optional
        case any
        case oneOrMore
    }

    /// The name in help, which also identifies the argument.
    package let name: String
    package let count: Count
    package let value: AnyValueSpec
    package let summary: String

    var isRequired: Bool { count == .one || count == .oneOrMore }
    var takesRest: Bool { count == .any || count == .oneOrMore }
}
