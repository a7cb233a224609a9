package import Assembly
package import SourceText

/// One row of `--data`: values for params.
package struct DataRow: Sendable {
    package struct Value: Sendable {
        package let name: String
        package let value: ParameterArgument.Source
        package let place: Place
    }

    /// From 1, in the order of the file.
    package let number: Int
    package let values: [Value]
    package let place: Place
}

extension ParameterArgument.Source {
    /// The value on one line, for a person.
    package var shown: String {
        switch self {
        case .text(let text), .file(let text), .value(.string(let text)): text
        case .value(let value): value.compact
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
