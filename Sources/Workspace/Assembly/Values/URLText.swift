import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// Values in URLs: none can leave the place that it is headed for, and no slash doubles or vanishes.
enum URLText {
    /// A path, percent-encoded. What the author wrote keeps its meaning; each value stays inside its segment.
    static func path(_ template: TextTemplate, _ evaluation: inout Evaluation) -> Evaluated<String> {
        // The complete segments, and the one being built.
        var path = ""
        var segment = Segment()
        var isWhole = true
        func end(_ evaluation: inout Evaluation) {
            if segment.text.isEmpty, let placeholder = segment.placeholders.first {
                isWhole = refuse(placeholder, "is empty", &evaluation)
            }
            path += segment.harmless
            segment = Segment()
        }
        for piece in template.pieces {
            switch piece {
            case .literal(let text):
                // Encoded piece by piece: an author's "%2" and a value's "F" don't make an escape.
                let encoded = PercentEncoding.path(text)
                let slash = UInt8(ascii: "/")
                guard let first = encoded.utf8.firstIndex(of: slash), let last = encoded.utf8.lastIndex(of: slash)
                else {
                    segment.text += encoded
                    continue
                }
                segment.text += encoded[..<first]
                end(&evaluation)
                // The segments between are the author's alone.
                path += encoded[first...last]
                segment.text += encoded[encoded.utf8.index(after: last)...]
            case .placeholder(let placeholder):
                switch evaluation.text(of: placeholder) {
                case .value(let text):
                    segment.text += PercentEncoding.queryComponent(text)
                    segment.placeholders.append(placeholder)
                case .failed: isWhole = false
                case .absent:
                    if template.onlyPlaceholder != nil { return .absent }
                    isWhole = refuse(placeholder, "was not given", &evaluation)
                }
            }
        }
        end(&evaluation)
        return isWhole ? .value(path) : .failed
    }

    /// A path from elements, percent-encoded: each is one segment, whatever it says, and absent ones leave no trace.
    static func path(segments templates: [ValueTemplate], _ evaluation: inout Evaluation) -> Evaluated<String> {
        let segments = evaluation.collect(templates) { template, evaluation -> Evaluated<String> in
            let segment = Self.segment(template, &evaluation)
            guard case .value(let value) = segment, value.text.isEmpty else { return segment.map(\.withoutDots) }
            evaluation.report(
                .valueUnresolved, "this segment of the path is empty", at: template.place,
                hint: "a param that isn't given leaves no trace; an empty one would double the slash")
            return .failed
        }
        return segments.map { $0.joined(separator: "/") }
    }

    private static func segment(_ template: ValueTemplate, _ evaluation: inout Evaluation) -> Evaluated<Segment> {
        switch template {
        case .choice(let choice):
            guard let picked = evaluation.pick(choice) else { return .failed }
            return picked.map { segment($0, &evaluation) } ?? .absent
        case .text(let text) where text.onlyPlaceholder == nil:
            var result = Segment()
            var isWhole = true
            for piece in text.pieces {
                switch piece {
                case .literal(let text): result.text += writtenSegment(text)
                case .placeholder(let placeholder):
                    if let value = evaluation.required(placeholder) {
                        result.text += PercentEncoding.queryComponent(value)
                    } else {
                        isWhole = false
                    }
                }
            }
            return isWhole ? .value(result) : .failed
        case .plain(let value) where value.kind == .string:
            return .value(Segment(text: writtenSegment(value.string ?? "")))
        case .plain, .text, .scalar, .list, .object:
            return evaluation.text(template).map { Segment(text: PercentEncoding.queryComponent($0)) }
        }
    }

    /// Text written in the file: its escapes are kept, and a slash is part of the segment.
    private static func writtenSegment(_ text: String) -> String {
        PercentEncoding.path(text).replacing("/", with: "%2F")
    }

    /// A query: the text between the values as it is written, and each value encoded, so that it stays in its item.
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
            .valueUnresolved, "\"\(placeholder.value.text)\" \(what), and a path can't do without its segment",
            at: placeholder.place, hint: "write the path as a list: an absent segment then leaves no trace")
        return false
    }
}

/// A path segment, and the values in it.
private struct Segment {
    var text = ""
    var placeholders: [Located<Placeholder>] = []

    /// Values can make a segment `..` that none of them is alone; what an author wrote out keeps its meaning.
    var harmless: String {
        placeholders.isEmpty ? text : withoutDots
    }

    /// Not even an author makes a segment `..` that is to be one.
    var withoutDots: String {
        guard text.hasPrefix(".") || text.hasPrefix("%2") else { return text }
        let dots = text.replacing("%2E", with: ".").replacing("%2e", with: ".")
        guard dots == "." || dots == ".." else { return text }
        return PercentEncoding.segment(dots)
    }
}

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
