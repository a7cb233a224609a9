import ReqcliBasics
package import ReqcliDefinitions
import ReqcliText

extension ImportedRequest {
    /// Sets the body from a text. The body becomes JSON or a form if that is equivalent, else it stays text. The Content-Type
    /// header is removed if the kind of body implies it.
    ///
    /// - Parameters:
    ///   - type: The Content-Type that the source sends, if no header states it.
    /// - Returns: The names of placeholders whose values are JSON, not text.
    @discardableResult
    package mutating func setBody(
        _ text: TemplateText, type: String? = nil, isExact: Bool, _ notes: inout [ConversionNote]
    ) -> Set<String> {
        let index = headers.firstIndex { $0.name.lowercased() == "content-type" }
        let stated = index.flatMap { index -> String? in
            if case .string(let text) = headers[index].value { text } else { nil }
        }
        var type = stated ?? type
        let media = type.map { MediaType($0) }
        var bareNames: Set<String> = []
        let implied: String
        let json = media?.isJSON ?? text.beginsLikeJSON ? TemplateJSON(text) : nil
        if json != nil, index == nil, type == nil {
            notes.append(
                ConversionNote(.approximated, "JSON without a Content-Type is sent as application/json", at: place))
            type = "application/json"
        }
        if let json, isExact ? json.value.compact == text.text : !json.isBetterAsText {
            body = .json(json.value)
            notes += json.notes(at: place)
            bareNames = json.bareNames
            implied = "application/json"
        } else if media?.isForm == true, let fields = FormText.fields(text, isExact: isExact) {
            body = .form(fields)
            implied = "application/x-www-form-urlencoded"
        } else {
            body = .text(text.text)
            implied = "text/plain; charset=utf-8"
        }
        if let type, type.trimmed.lowercased() != implied {
            if index == nil { headers.append(OrderedJSON.Member("Content-Type", .literal(type))) }
        } else if type != nil, let index {
            headers.remove(at: index)
        }
        return bareNames
    }
}

extension TemplateText {
    fileprivate var beginsLikeJSON: Bool {
        guard case .literal(let text)? = pieces.first else { return false }
        let first = text.utf8.first { !$0.isJSONWhitespace }
        return first == .openBrace || first == .openBracket
    }
}
