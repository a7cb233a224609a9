import ReqcliBasics

/// The styles of the parts of a JSON text.
package struct JSONColours: Sendable {
    /// A kind of token with its own colour. Brackets, colons and commas have no colour.
    package enum Sort: Int, CaseIterable, Sendable {
        case key
        case string
        case number
        case bool
        case null
    }

    /// The escape sequence before each sort of token. Without colour, all of them are empty.
    let openings: [[UInt8]]
    let closing: [UInt8]

    package init(_ style: (Sort) -> Style) {
        // The escape sequences before and after a text with this style.
        let sequences = Sort.allCases.map {
            style($0).applied(to: "\n", inColour: true).utf8.split(separator: .lineFeed)
        }
        openings = sequences.map { $0.count == 2 ? Array($0[0]) : [] }
        closing = sequences.first { $0.count == 2 }.map { Array($0[1]) } ?? []
    }

    package static let none = JSONColours { _ in .plain }

    package static let standard = JSONColours { sort in
        switch sort {
        case .key: [.bold, .blue]
        case .string: .green
        case .number: .cyan
        case .bool: .yellow
        case .null: .dim
        }
    }
}
