import ASCII
import SourceText

/// Names that go into a request. Placeholders stand in values, never in names; `\{{` is a literal `{{`, as in any text.
enum PlainName {
    /// What a name is made of, for a range to follow: no two braces that nothing escapes.
    static let pattern = #"(\\\{\{|(?!\{\{)[\s\S])"#

    /// The name that a key or a text stands for; a placeholder in it is reported at its place.
    ///
    /// - Parameter what: What the name belongs to: "keys", "the name of a part".
    static func read(_ text: JSONValue, in what: String, _ decoding: inout Decoding) -> String {
        read(text.string ?? "", text, in: what, &decoding)
    }

    /// The same where what the key or the text says is known.
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

    /// Whether there is no placeholder in a key whose language has escapes of its own; one that there is is reported.
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
    /// What a query item is called.
    static let queryName = Shape(
        expects: "the name of a query item", schema: .text(pattern: "^\(PlainName.pattern)+$")
    ) { value, decoding in
        nonEmpty("the name of a query item").decode(value, &decoding).map { _ in
            PlainName.read(value, in: "the name of a query item", &decoding)
        }
    }
}

extension String.UTF8View {
    /// Where a text first occurs, in UTF-8 offsets.
    fileprivate func firstOccurrence(of needle: String) -> Int? {
        guard contains(.openBrace) else { return nil }
        let bytes = Array(self)
        return bytes.indices.first { bytes[$0...].starts(with: needle.utf8) }
    }
}
