import Foundation
import ReqcliBasics
import ReqcliText

extension HurlCursor {
    /// A text between three backquotes. The cursor is at the first backquote.
    mutating func multilineText() throws(ImportProblem) -> HurlBody {
        let start = position
        position += 3
        let line = file.lineRange(containing: position)
        var language = ""
        var isRaw = false
        // A text on one line has no language.
        let head = file.text(position..<line.upperBound)
        if !head.contains("```") {
            let words = head.split(separator: ",").map { String($0).trimmed }
            language = head.hasPrefix(",") ? "" : words.first ?? ""
            isRaw = language == "raw" || words.contains("novariable")
            skipLine()
        }
        let range = try range(until: "```", of: "text between three backquotes", from: start)
        switch language {
        case "base64": return .base64(file.text(range).filter { !$0.isWhitespace })
        case "hex": return .base64(try base64(ofHex: range, from: start))
        default:
            let text = isRaw ? TemplateText(literal: file.text(range)) : template(in: range)
            return .text(text, language: language.isEmpty ? nil : language)
        }
    }

    /// The bytes of hex digits as base64.
    func base64(ofHex range: Range<Int>, from start: Int) throws(ImportProblem) -> String {
        let digits = file.bytes[range].filter { !$0.isJSONWhitespace }.map(\.hexValue)
        guard digits.count.isMultiple(of: 2), digits.allSatisfy({ $0 != nil }) else {
            throw problem("this is not a list of pairs of hex digits", at: start)
        }
        let values = digits.compactMap(\.self)
        let bytes = stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
        return Data(bytes).base64EncodedString()
    }

    /// The range of a JSON value. Braces of templates in the value are balanced, so they need no special treatment.
    mutating func jsonRange() throws(ImportProblem) -> Range<Int> {
        let start = position
        var depth = 0
        var isString = false
        while let next = byte() {
            position += 1
            if isString {
                if next == .backslash, !isAtEnd { position += 1 }
                if next == .quote { isString = false }
            } else {
                switch next {
                case .quote: isString = true
                case .openBrace, .openBracket: depth += 1
                case .closeBrace, .closeBracket: depth -= 1
                default: break
                }
            }
            if depth <= 0, !isString, isAtEndOfScalar(after: next) { return start..<position }
        }
        throw problem("this JSON body is never closed", at: start)
    }

    private func isAtEndOfScalar(after last: UInt8) -> Bool {
        if [.closeBrace, .closeBracket, .quote].contains(last) { return true }
        return byte().map { !$0.isAlphanumeric && $0 != .minus && $0 != .point && $0 != .plus } ?? true
    }

    /// The range of an XML document: up to the end of its outermost element.
    mutating func xmlRange() throws(ImportProblem) -> Range<Int> {
        let start = position
        var depth = 0
        while let next = byte() {
            guard next == UInt8(ascii: "<") else {
                position += 1
                continue
            }
            for (mark, end) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")]
            where begins(with: mark) {
                _ = try range(until: end, of: "an XML body", from: start)
                break
            }
            if byte() != UInt8(ascii: "<") { continue }
            if byte(1) == UInt8(ascii: "!") || byte(1) == UInt8(ascii: "?") { continue }
            let isEnd = byte(1) == .slash
            try skipTag(from: start)
            let isEmpty = file.bytes[position - 2] == .slash
            depth += isEnd ? -1 : isEmpty ? 0 : 1
            if depth <= 0 { return start..<position }
        }
        throw problem("this XML body is never closed", at: start)
    }

    private mutating func skipTag(from start: Int) throws(ImportProblem) {
        var quote: UInt8?
        while let next = byte() {
            position += 1
            if let open = quote {
                if next == open { quote = nil }
            } else if next == .quote || next == .apostrophe {
                quote = next
            } else if next == UInt8(ascii: ">") {
                return
            }
        }
        throw problem("this XML tag is never closed", at: start)
    }
}
