package import SourceText

/// One row of `--data`: values for params.
package struct DataRow: Sendable {
    package struct Value: Sendable {
        package let name: String
        package let value: CallValue
        package let place: Place
    }

    /// From 1, in the order of the file.
    package let number: Int
    package let values: [Value]
    package let place: Place
}

/// A param's value in a call.
package enum CallValue: Sendable, Equatable {
    /// As it stands in a table or on a command line: the param says what it is read as.
    case text(String)
    /// With a type of its own.
    case json(OrderedJSON)

    /// The value on one line, for a person.
    package var shown: String {
        switch self {
        case .text(let text): text
        case .json(.string(let text)): text
        case .json(let value): value.compact
        }
    }
}

/// The rows of a file of data.
package struct DataTable: Sendable {
    package let rows: [DataRow]
    /// Each name once, with the place where it stands first.
    package let columns: [(name: String, place: Place)]
    package let file: SourceFile
}
