package import Assembly
package import SourceText

/// One row of `--data`: values for params.
package struct DataRow: Sendable {
    package struct Value: Sendable {
        package let name: String
        package let value: ParameterArgument.Source
        package let place: Place
    }

    /// The number of the row in the file, from 1.
    package let number: Int
    package let values: [Value]
    package let place: Place
}

extension ParameterArgument.Source {
    /// The value on one line, for messages.
    package var shown: String {
        switch self {
        case .text(let text), .file(let text), .value(.string(let text)): text
        case .value(let value): value.compact
        }
    }
}

/// The rows of a data file.
package struct DataTable: Sendable {
    package let rows: [DataRow]
    /// The names of the columns, without duplicates, with the place where each one first occurs.
    package let columns: [(name: String, place: Place)]
    package let file: SourceFile
}
