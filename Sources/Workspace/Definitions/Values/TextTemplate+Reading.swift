import ReqcliBasics
import ReqcliText

extension TextTemplate {
    /// Reads a JSON string; nil if it has an invalid placeholder, which is reported with its place in the string.
    static func decode(_ value: JSONValue, _ decoding: inout Decoding) -> TextTemplate? {
        guard let text = value.string else {
            decoding.mismatch(value, expects: "text")
            return nil
        }
        guard text.utf8.contains(.openBrace) else { return TextTemplate(literal: text, at: value.place) }
        var scanner = TemplateScanner(text, of: value)
        scanner.scan(&decoding)
        return scanner.isUsable ? TextTemplate(pieces: scanner.pieces, place: value.place) : nil
    }
}

/// Splits a text into literals and placeholders.
private struct TemplateScanner {
    private let bytes: [UInt8]
    private var offsets: JSONValue.TextOffsets
    private var position = 0
    private var literal: [UInt8] = []
    private(set) var pieces: [TextTemplate.Piece] = []
    private(set) var isUsable = true

    init(_ text: String, of value: JSONValue) {
        bytes = Array(text.utf8)
        offsets = value.textOffsets
    }

    mutating func scan(_ decoding: inout Decoding) {
        while position < bytes.count {
            if bytes[position] == .backslash, isOpening(at: position + 1) {
                literal += [.openBrace, .openBrace]
                position += 3
            } else if !isOpening(at: position) {
                literal.append(bytes[position])
                position += 1
            } else if let end = closing(after: position + 2) {
                endLiteral()
                placeholder(position + 2..<end, &decoding)
                position = end + 2
            } else {
                report(
                    "this placeholder is never closed", hint: "add }}, or \(Placeholder.literalAdvice)", 2, &decoding)
                return
            }
        }
        endLiteral()
    }

    private mutating func placeholder(_ name: Range<Int>, _ decoding: inout Decoding) {
        do throws(Complaint) {
            let text = String(decoding: bytes[name], as: UTF8.self)
            let placeholder = try Placeholder.parse(String(text.trimmingSpaces))
            let place = offsets.place(ofText: name.lowerBound - 2..<name.upperBound + 2)
            pieces.append(.placeholder(Located(placeholder, at: place)))
        } catch {
            report(error.message, hint: error.hint, name.count + 4, &decoding)
        }
    }

    private mutating func report(_ message: String, hint: String?, _ length: Int, _ decoding: inout Decoding) {
        decoding.report(
            .placeholderInvalid, message, at: offsets.place(ofText: position..<position + length), hint: hint)
        isUsable = false
    }

    private mutating func endLiteral() {
        if !literal.isEmpty { pieces.append(.literal(String(decoding: literal, as: UTF8.self))) }
        literal = []
    }

    private func isOpening(at offset: Int) -> Bool {
        offset + 1 < bytes.count && bytes[offset] == .openBrace && bytes[offset + 1] == .openBrace
    }

    private func closing(after start: Int) -> Int? {
        var position = start
        while position + 1 < bytes.count {
            if bytes[position] == .closeBrace, bytes[position + 1] == .closeBrace { return position }
            position += 1
        }
        return nil
    }
}

extension String {
    fileprivate var trimmingSpaces: Substring {
        // Compares bytes, because comparing characters, which may be a space with an accent, is slow.
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
