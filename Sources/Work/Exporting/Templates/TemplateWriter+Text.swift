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
            ConversionNote(
                .approximated, "two braces would begin a variable: a space is put between the braces",
                request.endpoint.id,
                at: request.endpoint.definition.place))
        var spaced = text
        while spaced.contains("{{") { spaced = spaced.replacing("{{", with: "{ {") }
        return dialect.literal(spaced, place)
    }

    mutating func placeholder(
        _ value: OpenValue, _ place: TemplateDialect.Place, _ request: OpenRequest
    ) -> String {
        if case .generated(let generated) = value, let text = dialect.generated(generated) { return "{{\(text)}}" }
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
    mutating func json(_ value: OrderedJSON, _ request: OpenRequest, indent: Int = 0) -> String {
        let inner = String(repeating: "  ", count: indent + 1)
        let outer = String(repeating: "  ", count: indent)
        switch value {
        case .null, .bool: return value.compact
        case .number(let text):
            return StandIn.onlyValue(of: text).map { placeholder($0, .text, request) } ?? text
        case .string(let text):
            if let open = StandIn.onlyValue(of: text), !request.isText(open) {
                if let sample = request.sample(open), !dialect.holds(sample.plainText) {
                    return json(sample, request, indent: indent)
                }
                return placeholder(open, .text, request)
            }
            return "\"" + jsonText(text, request) + "\""
        case .array(let elements):
            if elements.isEmpty { return "[]" }
            return "[\n" + elements.map { inner + json($0, request, indent: indent + 1) }.joined(separator: ",\n")
                + "\n\(outer)]"
        case .object(let members):
            if members.isEmpty { return "{}" }
            return "{\n"
                + members.map {
                    "\(inner)\"\(jsonText($0.name, request))\": \(json($0.value, request, indent: indent + 1))"
                }.joined(separator: ",\n") + "\n\(outer)}"
        }
    }

    private mutating func jsonText(_ raw: String, _ request: OpenRequest) -> String {
        var result = ""
        for piece in StandIn.pieces(of: raw) {
            switch piece {
            case .literal(let text):
                result += literal(String(OrderedJSON.string(text).compact.dropFirst().dropLast()), .json, request)
            case .open(let value): result += placeholder(value, .json, request)
            }
        }
        return result
    }
}
