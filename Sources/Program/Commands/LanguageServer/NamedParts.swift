import ReqcliDefinitions
import ReqcliText

/// The parts of a file that name something: links to files, and the colours of the parts of placeholders.
struct NamedParts {
    /// The types of tokens; the index of a type is its number in the protocol.
    static let tokenTypes = ["parameter", "variable", "property", "namespace"]

    let document: AskedDocument

    private var occurrences: [Occurrence] { document.workspace.reading.occurrences(in: document.name) }

    var links: [OrderedJSON] {
        occurrences.compactMap { occurrence in
            guard case .file(let path) = occurrence.symbol,
                document.context.files.kind(FilePath.join(document.workspace.root, path)) == .file
            else { return nil }
            return .object([
                "range": document.positions.json(occurrence.place.range), "target": .string(document.places.uri(path)),
            ])
        }
    }

    var tokens: OrderedJSON {
        let positions = document.positions
        let parts = occurrences.compactMap { occurrence -> (range: Range<Int>, type: Int)? in
            guard occurrence.isName, !occurrence.isDefinition, let type = occurrence.symbol.tokenType else {
                return nil
            }
            return (occurrence.place.range, type)
        }
        var numbers: [OrderedJSON] = []
        var last = (line: 0, column: 0)
        var end = 0
        for part in parts.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) where part.range.lowerBound >= end {
            let (start, stop) = (
                positions.position(of: part.range.lowerBound), positions.position(of: part.range.upperBound)
            )
            guard start.line == stop.line, start.column < stop.column else { continue }
            let column = start.line == last.line ? start.column - last.column : start.column
            numbers += [start.line - last.line, column, stop.column - start.column, part.type, 0].map { .int($0) }
            (last, end) = (start, part.range.upperBound)
        }
        return .object(["data": .array(numbers)])
    }
}

extension Symbol {
    /// The number of the token's type; nil for what isn't a part of a placeholder.
    fileprivate var tokenType: Int? {
        switch self {
        case .parameter: 0
        case .variable: 1
        case .secret, .capture: 2
        case .alias, .step: 3
        case .endpoint, .environment, .variant, .file: nil
        }
    }
}
