import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// Writes strings and JSON with `{{name}}` for open values.
extension TemplateWriter {
    /// A string with placeholders for open values. If a value must be encoded at its place, the encoded value is written instead
    /// of the placeholder.
    mutating func text(_ raw: String, _ place: TemplateDialect.Place, _ request: OpenRequest) -> String {
        var result = ""
        for piece in StandIn.pieces(of: raw) {
            switch piece {
            case .literal(let text): result += literal(text, place, request)
            case .open(let value): result += placeholder(value, place, request)
            }
        }
        return result
    }

    private mutating func literal(_ text: String, _ place: TemplateDialect.Place, _ request: OpenRequest) -> String {
        // In JSON, braces can be written as escapes.
        if place == .json { return dialect.literal(text.replacing("{{", with: "\\u007b\\u007b"), place) }
        guard !dialect.escapesBraces, place == .text || place == .header, text.contains("{{") else {
            return dialect.literal(text, place)
        }
        notes.append(
            request.note(.approximated, "two braces would begin a variable: a space is put between the braces"))
        var spaced = text
        while spaced.contains("{{") { spaced = spaced.replacing("{{", with: "{ {") }
        return dialect.literal(spaced, place)
    }

    mutating func placeholder(
        _ value: OpenValue, _ place: TemplateDialect.Place, _ request: OpenRequest
    ) -> String {
        if value.isGenerated, let text = dialect.generated(value.text) { return "{{\(text)}}" }
        if case .computed(let text, _) = value {
            notes.append(request.noteOnFunctions(text))
        }
        if let sample = request.sample(value)?.plainText {
            let encoded =
                switch place {
                case .url: PercentEncoding.queryComponent(sample)
                case .json: String(OrderedJSON.string(sample).compact.dropFirst().dropLast())
                case .server, .header, .text: sample
                }
            if encoded != sample || !dialect.holds(sample) { return literal(encoded, place, request) }
        }
        return "{{\(names.name(of: value, in: request))}}"
    }

    /// Writes JSON on several lines. Placeholders for values that are not strings are written without quotes.
    mutating func json(_ value: OrderedJSON, _ request: OpenRequest) -> String {
        var result = ""
        for piece in StandIn.jsonPieces(of: value.pretty, unquoting: { !request.isText($0) }) {
            switch piece.piece {
            case .literal(let text): result += literal(text, .json, request)
            case .open(let open):
                if piece.isWhole, let sample = request.sample(open), !dialect.holds(sample.plainText) {
                    result += json(sample, request)
                } else {
                    result += placeholder(open, piece.isWhole ? .text : .json, request)
                }
            }
        }
        return result
    }
}

extension StandIn {
    /// The pieces of a JSON text. A value that is a whole string of the text loses its quotes, if it isn't always a string.
    static func jsonPieces(
        of text: String, unquoting isAnyType: (OpenValue) -> Bool
    ) -> [(piece: OpenPiece, isWhole: Bool)] {
        var result: [(piece: OpenPiece, isWhole: Bool)] = []
        for piece in pieces(of: text) {
            switch piece {
            case .literal(let text):
                guard let last = result.last, let open = last.piece.value, isAnyType(open), text.hasPrefix("\""),
                    result.count > 1, case .literal(let before) = result[result.count - 2].piece,
                    before.hasSuffix("\""), !before.hasSuffix("\\\"")
                else {
                    result.append((piece, false))
                    continue
                }
                result[result.count - 2].piece = .literal(String(before.dropLast()))
                result[result.count - 1].isWhole = true
                result.append((.literal(String(text.dropFirst())), false))
            case .open: result.append((piece, false))
            }
        }
        return result
    }
}
