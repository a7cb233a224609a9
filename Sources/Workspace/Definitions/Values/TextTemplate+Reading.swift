import ReqcliBasics
import ReqcliFunctions
import ReqcliText

extension TextTemplate {
    /// Reads a JSON string; nil if the string has an invalid placeholder. The placeholder is reported with its place in the
    /// string.
    static func decode(_ value: JSONValue, _ decoding: inout Decoding) -> TextTemplate? {
        guard let text = value.string else {
            decoding.mismatch(value, expects: "text")
            return nil
        }
        guard text.utf8.contains(.openBrace) else { return TextTemplate(literal: text, at: value.place) }
        return pieces(text, of: value, &decoding).map { TextTemplate(pieces: $0, place: value.place) }
    }
}

extension TextTemplate {
    /// The pieces of a text; nil if the text has an invalid placeholder.
    private static func pieces(_ text: String, of value: JSONValue, _ decoding: inout Decoding) -> [Piece]? {
        let bytes = Array(text.utf8)
        var offsets = value.textOffsets
        var pieces: [Piece] = []
        var isUsable = true
        func report(_ complaint: Complaint, at range: Range<Int>) {
            decoding.report(
                .placeholderInvalid, complaint.message, at: offsets.place(ofText: range), hint: complaint.hint)
            isUsable = false
        }
        for piece in TemplateReader(bytes) {
            switch piece {
            case .literal(let text): pieces.append(.literal(text))
            case .placeholder(let content):
                let whole = content.lowerBound - 2..<content.upperBound + 2
                let name = String(decoding: bytes[content], as: UTF8.self)
                do throws(PipelineProblem) {
                    // Places within the placeholder come before the end of the whole one, so they need a converter of their own.
                    let inner = offsets
                    let computed = try ComputedPlaceholder.read(name) { range in
                        var offsets = inner
                        return offsets.place(
                            ofText: content.lowerBound + range.lowerBound..<content.lowerBound + range.upperBound)
                    }
                    if let computed {
                        for inner in computed.inner {
                            if let complaint = RequestWord.complaint(inner.value, decoding.requestWords) {
                                decoding.report(
                                    complaint.code, complaint.message, at: inner.place, hint: complaint.hint)
                                isUsable = false
                            }
                        }
                        pieces.append(.placeholder(Located(.computed(computed), at: offsets.place(ofText: whole))))
                        continue
                    }
                } catch {
                    let start = content.lowerBound + error.range.lowerBound
                    let range = start..<start + error.range.count
                    report(Complaint(.placeholderInvalid, error.message, hint: error.hint), at: range)
                    continue
                }
                do throws(Complaint) {
                    let placeholder = try Placeholder.parse(String(name.trimmingSpaces))
                    if let complaint = RequestWord.complaint(placeholder, decoding.requestWords) { throw complaint }
                    pieces.append(.placeholder(Located(placeholder, at: offsets.place(ofText: whole))))
                } catch {
                    report(error, at: whole)
                }
            case .unclosed(let start):
                report(
                    Complaint(
                        .placeholderInvalid, "this placeholder is never closed",
                        hint: "add }}, or \(Placeholder.literalAdvice)"),
                    at: start..<start + 2)
                return nil
            }
        }
        return isUsable ? pieces : nil
    }
}

extension String {
    fileprivate var trimmingSpaces: Substring {
        // Compares bytes, because comparing characters is slow: a character may be a space with an accent.
        let bytes = utf8
        let start = bytes.firstIndex { $0 != .space } ?? endIndex
        let end = bytes.lastIndex { $0 != .space }.map(bytes.index(after:)) ?? start
        return self[start..<end]
    }
}

extension Shape where Value == TextTemplate {
    /// A text that may have placeholders.
    static let template = Shape(expects: "text", schema: .text()) { value, decoding in
        TextTemplate.decode(value, &decoding)
    }

    static let filePath = template.checked(
        expects: "the path of a file", schema: .text(pattern: "."), code: .valueInvalid
    ) {
        !$0.pieces.isEmpty
    }
}
