import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// Fills values into URLs. No value can leave its part of the URL, and no slash is doubled or removed.
enum URLFilling {
    /// A path, percent-encoded. The text that the author wrote keeps its meaning, and each value stays inside its segment of the
    /// path.
    static func path(_ template: TextTemplate, _ evaluation: inout Evaluation) -> Evaluated<String> {
        var filling = PathFilling()
        /// The placeholders of the segment.
        var placeholders: [Located<Placeholder>] = []
        var isWhole = true
        func end(_ ending: PathFilling.Ending, _ evaluation: inout Evaluation) {
            if ending == .emptySegment, let placeholder = placeholders.first {
                isWhole = refuse(placeholder, "is empty", &evaluation)
            }
            placeholders = []
        }
        for piece in template.pieces {
            switch piece {
            case .literal(let text): if let ending = filling.write(text) { end(ending, &evaluation) }
            case .placeholder(let placeholder):
                switch evaluation.text(of: placeholder) {
                case .value(let text):
                    filling.fill(text)
                    placeholders.append(placeholder)
                case .failed: isWhole = false
                case .absent:
                    if template.onlyPlaceholder != nil { return .absent }
                    isWhole = refuse(placeholder, "was not given", &evaluation)
                }
            }
        }
        end(filling.end(), &evaluation)
        return isWhole ? .value(filling.path) : .failed
    }

    /// A path from elements, percent-encoded. Each element is one segment, whatever characters it contains, and absent elements
    /// are left out.
    static func path(segments templates: [ValueTemplate], _ evaluation: inout Evaluation) -> Evaluated<String> {
        let segments = evaluation.collect(templates) { template, evaluation -> Evaluated<String> in
            switch segment(template, &evaluation) {
            case .absent: return .absent
            case .failed: return .failed
            case .value(var filling):
                if filling.end() == .segment { return .value(filling.path) }
                evaluation.report(
                    .valueUnresolved, "this segment of the path is empty", at: template.place,
                    hint: "leave the param out to drop its segment; an empty value would put \"//\" into the path")
                return .failed
            }
        }
        return segments.map { $0.joined(separator: "/") }
    }

    private static func segment(
        _ template: ValueTemplate, _ evaluation: inout Evaluation
    ) -> Evaluated<PathFilling> {
        var filling = PathFilling(isOneSegment: true)
        switch template {
        case .choice(let choice):
            guard let picked = evaluation.pick(choice) else { return .failed }
            return picked.map { segment($0, &evaluation) } ?? .absent
        case .text(let text) where text.onlyPlaceholder == nil:
            var isWhole = true
            for piece in text.pieces {
                switch piece {
                case .literal(let text): _ = filling.write(text)
                case .placeholder(let placeholder):
                    if let value = evaluation.required(placeholder) {
                        filling.fill(value)
                    } else {
                        isWhole = false
                    }
                }
            }
            return isWhole ? .value(filling) : .failed
        case .plain(let value) where value.kind == .string:
            _ = filling.write(value.string ?? "")
            return .value(filling)
        case .plain, .text, .scalar, .list, .object:
            return evaluation.text(template).map { text in
                filling.fill(text)
                return filling
            }
        }
    }

    /// A query. The text between the values stays as written, and each value is encoded, so that a value can't begin another
    /// query item.
    static func query(_ template: TextTemplate, _ evaluation: inout Evaluation) -> Evaluated<String> {
        if template.onlyPlaceholder != nil { return evaluation.text(template).map(PercentEncoding.queryComponent) }
        return evaluation.collect(template.pieces) { piece, evaluation -> Evaluated<String> in
            switch piece {
            case .literal(let text): .value(text)
            case .placeholder(let placeholder):
                evaluation.required(placeholder).map { .value(PercentEncoding.queryComponent($0)) } ?? .failed
            }
        }.map { $0.joined() }
    }

    private static func refuse(
        _ placeholder: Located<Placeholder>, _ what: String, _ evaluation: inout Evaluation
    ) -> Bool {
        evaluation.report(
            .valueUnresolved, "\"\(placeholder.value.text)\" \(what), but the path needs a value for this segment",
            at: placeholder.place, hint: "write the path as a list: a segment without a value is then left out")
        return false
    }
}

extension URLFilling {
    /// A base URL. If it is a single placeholder, the value is used unchanged; otherwise each value stays in its part of the URL.
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

    /// The index in `text` at which the path of the URL begins; nil if the path doesn't begin in this text. `head` is the part of
    /// the URL before the text.
    private static func pathStart(in text: String, after head: String) -> String.Index? {
        let characters = Array((head + text).utf8)
        guard let mark = characters.indices.first(where: { characters[$0...].starts(with: "://".utf8) }),
            let slash = characters[(mark + 3)...].firstIndex(of: UInt8(ascii: "/"))
        else { return nil }
        return text.utf8.index(text.startIndex, offsetBy: max(0, slash - head.utf8.count))
    }

    /// Whether a value before the path has no character that would end its part of the URL.
    private static func isHarmless(
        _ value: String, after head: String, before next: TextTemplate.Piece?, _ placeholder: Located<Placeholder>,
        _ evaluation: inout Evaluation
    ) -> Bool {
        if head.isEmpty, case .literal(let text) = next, text.hasPrefix("/") { return true }
        guard let mark = value.first(where: { "/\\?#@".contains($0) }) else { return true }
        evaluation.report(
            .valueInvalid,
            "\"\(placeholder.value.text)\" contains \"\(mark)\", which would end this part of the URL",
            at: placeholder.place,
            hint: "if the value is a whole base URL, write the placeholder alone: \"{{\(placeholder.value.text)}}\"")
        return false
    }
}
