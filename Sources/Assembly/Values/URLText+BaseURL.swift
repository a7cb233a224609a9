import Definitions
import SourceText

extension URLText {
    /// A base URL. One that is all placeholder is taken as it is; inside a longer one each value stays in its part.
    static func baseURL(_ template: TextTemplate, _ evaluation: inout Evaluation) -> Evaluated<String> {
        if template.onlyPlaceholder != nil { return evaluation.text(template) }
        var head = ""
        var isWhole = true
        for (index, piece) in template.pieces.enumerated() {
            switch piece {
            case .literal(let text):
                guard let start = pathStart(in: text, after: head) else {
                    head += text
                    continue
                }
                head += text[..<start]
                let rest = [.literal(String(text[start...]))] + template.pieces[(index + 1)...]
                let path = path(TextTemplate(pieces: rest, place: template.place), &evaluation)
                return isWhole ? path.map { head + $0 } : .failed
            case .placeholder(let placeholder):
                let next = index + 1 < template.pieces.count ? template.pieces[index + 1] : nil
                let value = evaluation.required(placeholder)
                if let value, isHarmless(value, after: head, before: next, placeholder, &evaluation) {
                    head += value
                } else {
                    isWhole = false
                }
            }
        }
        return isWhole ? .value(head) : .failed
    }

    /// Where in a text the path of the URL begins that `head` has begun.
    private static func pathStart(in text: String, after head: String) -> String.Index? {
        let characters = Array((head + text).utf8)
        guard let mark = characters.indices.first(where: { characters[$0...].starts(with: "://".utf8) }),
            let slash = characters[(mark + 3)...].firstIndex(of: UInt8(ascii: "/"))
        else { return nil }
        return text.utf8.index(text.startIndex, offsetBy: max(0, slash - head.utf8.count))
    }

    /// Whether a value says no more than its place before the path has room for.
    private static func isHarmless(
        _ value: String, after head: String, before next: TextTemplate.Piece?, _ placeholder: Located<Placeholder>,
        _ evaluation: inout Evaluation
    ) -> Bool {
        if head.isEmpty, case .literal(let text) = next, text.hasPrefix("/") { return true }
        guard let mark = value.first(where: { "/\\?#@".contains($0) }) else { return true }
        evaluation.report(
            .valueInvalid,
            "\"\(placeholder.value.text)\" has \"\(mark)\" in it, which would end this part of the URL",
            at: placeholder.place,
            hint: "a value that is a whole base URL stands alone: \"{{\(placeholder.value.text)}}\"")
        return false
    }
}
