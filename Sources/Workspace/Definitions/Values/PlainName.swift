import ReqcliBasics
import ReqcliText

/// Names in a request. Placeholders are replaced in values but not in names; `\{{` is a literal `{{` everywhere.
enum PlainName {
    /// The pattern of one character of a name, to be repeated: anything but the start of a placeholder.
    static let pattern = #"(\\\{\{|(?!\{\{)[\s\S])"#

    /// Reads a name from a key or a string. A placeholder in the name is reported with its place.
    ///
    /// - Parameter what: The phrase for names of this kind in messages, such as "keys" or "the name of a part".
    static func read(
        _ text: JSONValue, in what: @autoclosure () -> String, _ decoding: inout Decoding
    ) -> String {
        let written = text.string ?? ""
        guard written.utf8.contains(.openBrace) else { return written }
        let parts = written.split(separator: #"\{{"#, omittingEmptySubsequences: false)
        for part in parts {
            guard let brace = part.utf8.firstOccurrence(of: "{{") else { continue }
            let start = written.utf8.distance(from: written.startIndex, to: part.startIndex)
            report(text, start + brace, in: what(), advice: Placeholder.literalAdvice, &decoding)
            return written
        }
        return parts.joined(separator: "{{")
    }

    /// Whether a text has no placeholder; reports a placeholder if there is one. For keys in a language with its own escapes.
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
            hint: "write the text without placeholders, or \(advice)")
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

extension Collection<UInt8> {
    /// The UTF-8 offset of the first occurrence of a text.
    fileprivate func firstOccurrence(of needle: String) -> Int? {
        guard contains(.openBrace) else { return nil }
        let bytes = Array(self)
        return bytes.indices.first { bytes[$0...].starts(with: needle.utf8) }
    }
}
