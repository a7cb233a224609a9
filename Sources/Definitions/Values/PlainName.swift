import ASCII
import SourceText

/// Names in a request. Placeholders are replaced in values but not in names; `\{{` is a literal `{{` everywhere.
enum PlainName {
    /// The pattern of one character of a name, to be repeated: anything but the start of a placeholder.
    static let pattern = #"(\\\{\{|(?!\{\{)[\s\S])"#

    /// The name in a key or a text. Reports a placeholder in it, with its place.
    ///
    /// - Parameter what: The names of this kind in messages: "keys", "the name of a part".
    static func read(_ text: JSONValue, in what: String, _ decoding: inout Decoding) -> String {
        read(text.string ?? "", text, in: what, &decoding)
    }

    /// The name in a key or a text that is already decoded.
    static func read(
        _ written: String, _ text: JSONValue, in what: @autoclosure () -> String, _ decoding: inout Decoding
    ) -> String {
        guard written.utf8.contains(.openBrace) else { return written }
        let bytes = Array(written.utf8)
        var plain: [UInt8] = []
        var position = 0
        while position < bytes.count {
            let rest = bytes[position...]
            if rest.starts(with: #"\{{"#.utf8) {
                plain += [.openBrace, .openBrace]
                position += 3
            } else if rest.starts(with: "{{".utf8) {
                report(text, position, in: what(), advice: Placeholder.literalAdvice, &decoding)
                return written
            } else {
                plain.append(bytes[position])
                position += 1
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }

    /// Whether a key has no placeholder, for keys in a language with its own escapes. Reports a placeholder.
    static func isNone(
        in written: String, _ text: JSONValue, _ what: String, advice: String, _ decoding: inout Decoding
    ) -> Bool {
        guard let brace = written.utf8.firstOccurrence(of: "{{") else { return true }
        report(text, brace, in: what, advice: advice, &decoding)
        return false
    }

    private static func report(
        _ text: JSONValue, _ brace: Int, in what: String, advice: String, _ decoding: inout Decoding
    ) {
        decoding.report(
            .placeholderInvalid, "placeholders are not replaced in \(what)", at: text.place(ofText: brace..<brace + 2),
            hint: "spell it out, or \(advice)")
    }
}

extension Shape where Value == String {
    /// The name of a query item.
    static let queryName = Shape(
        expects: "the name of a query item", schema: .text(pattern: "^\(PlainName.pattern)+$")
    ) { value, decoding in
        nonEmpty("the name of a query item").decode(value, &decoding).map { _ in
            PlainName.read(value, in: "the name of a query item", &decoding)
        }
    }
}

extension String.UTF8View {
    /// The UTF-8 offset of the first occurrence of a text.
    fileprivate func firstOccurrence(of needle: String) -> Int? {
        guard contains(.openBrace) else { return nil }
        let bytes = Array(self)
        return bytes.indices.first { bytes[$0...].starts(with: needle.utf8) }
    }
}
