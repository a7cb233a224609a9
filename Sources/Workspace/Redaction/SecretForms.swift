import Foundation
import ReqcliBasics
import ReqcliText

/// The forms in which a secret's bytes can appear in text: unchanged, percent-encoded, in base64 or escaped in JSON. The forms of
/// parts of the secret are included, if a request can use the parts on their own.
enum SecretForms {
    /// A run of bytes to look for. `before` and `after` require one more base64 character before or after these bytes. This
    /// character mixes bits of the secret with bits of the byte next to the secret.
    struct Form: Hashable, Sendable {
        var bytes: [UInt8]
        var escaping = SecretEscaping.none
        var isRaw = false
        var before = false
        var after = false
        /// Whether the form may contain line breaks, as base64 in mails and keys does.
        var isWrapped = false
        /// Whether the form matches only as a whole word.
        var isWord = false
    }

    /// The minimum length of a form that was cut off. Shorter pieces would match ordinary text by chance.
    static let shortestCut = 4
    /// The mark that messages put where they shorten a text.
    static let cutMark = Array("…".utf8)

    /// - Parameter isCommon: Whether the secret is so short or so usual that text often contains it by chance. Such a secret is
    ///   found only as a whole word, and in base64 only after the colon of `user:secret`.
    static func all(of secret: [UInt8], isCommon: Bool) -> [Form] {
        var forms = readings(of: secret)
        for derived in [Array(secret.trimmingSpacesAndTabs)] + SecretURL(secret).pieces
        where derived != secret && !derived.isEmpty {
            forms += readings(of: derived).map { form in
                var form = form
                form.isRaw = false
                return form
            }
        }
        for escaped in escapedInJSON(secret) {
            forms += [Form(bytes: escaped, escaping: .percent), Form(bytes: escaped, escaping: .json)]
        }
        forms += wholeBase64(of: secret).map { Form(bytes: $0, isWrapped: true) }
        if isCommon { for index in forms.indices { forms[index].isWord = true } }
        // In the base64 of a longer text, a common secret would match ordinary text by chance. So the form must include the colon
        // of `user:secret`.
        for form in cutBase64(of: isCommon ? [UInt8(ascii: ":")] + secret : secret)
        where !forms.contains(where: { $0.bytes == form.bytes && $0.longest == form.longest }) {
            forms.append(form)
        }
        return forms
    }

    private static func readings(of secret: [UInt8]) -> [Form] {
        [Form(bytes: secret, isRaw: true)]
            + [.percent, .json, .html].map { Form(bytes: secret, escaping: $0) }
    }

    /// The secret escaped for JSON text, which may itself be put into a URL or into JSON. Some writers escape everything except
    /// ASCII. Some writers, such as PHP's, escape slashes.
    private static func escapedInJSON(_ secret: [UInt8]) -> [[UInt8]] {
        let text = JSONStringText.escaped(String(decoding: secret, as: UTF8.self))
        let ascii = text.utf16.map { unit in
            unit < 0x80 ? String(UnicodeScalar(UInt8(unit))) : JSONStringText.unicodeEscape(UInt32(unit))
        }.joined()
        let escaped = text == ascii ? [text] : [text, ascii]
        let withSlashes = escaped.filter { $0.contains("/") }.map { $0.replacing("/", with: #"\/"#) }
        return (escaped + withSlashes).map { Array($0.utf8) }.filter { $0 != secret }
    }

    // MARK: Base64

    private static func wholeBase64(of secret: [UInt8]) -> [[UInt8]] {
        let padded = base64(secret)
        let unpadded = Array(padded.prefix { $0 != UInt8(ascii: "=") })
        return [padded, unpadded].flatMap { [$0, urlSafe($0)] }
    }

    /// The secret inside the base64 of a longer text such as `user:secret`, in each of the three possible alignments.
    private static func cutBase64(of secret: [UInt8]) -> [Form] {
        (0..<3).flatMap { skipped -> [Form] in
            let encoded = base64([UInt8](repeating: 0, count: skipped) + secret)
            // The first characters contain no bits of the secret. The next character may mix bits of the secret with bits of the
            // byte before it.
            let first = [0, 2, 3][skipped]
            let bits = (skipped + secret.count) * 8
            guard bits / 6 > first else { return [] }
            let core = Array(encoded[first..<(bits / 6)])
            guard core.count >= shortestCut else { return [] }
            return [core, urlSafe(core)].map {
                Form(bytes: $0, before: skipped != 0, after: bits % 6 != 0, isWrapped: true)
            }
        }
    }

    private static func urlSafe(_ text: [UInt8]) -> [UInt8] {
        text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 }
    }

    static func base64(_ bytes: [UInt8]) -> [UInt8] { Array(Data(bytes).base64EncodedString().utf8) }

    /// The length of the line break at an index, plain or escaped in JSON, including the indentation of the next line; 0 if there
    /// is none.
    static func lineBreak(at index: Int, in text: [UInt8]) -> Int {
        let rest = text[index...]
        let lineBreak = [[0x0D, 0x0A], [0x0A], [0x0D], Array(#"\r\n"#.utf8), Array(#"\n"#.utf8)]
            .first { rest.starts(with: $0) }
        guard let lineBreak else { return 0 }
        return lineBreak.count
            + rest.dropFirst(lineBreak.count).prefix(deepestIndentation).prefix(while: \.isSpaceOrTab).count
    }

    /// The indentation, in bytes, up to which a folded line is recognized.
    static let deepestIndentation = 32

    static func mayBreakLine(_ byte: UInt8?) -> Bool { byte == 0x0A || byte == 0x0D || byte == UInt8(ascii: "\\") }

    /// Whether the byte is in the standard or the URL-safe base64 alphabet.
    static func isBase64(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || "+/-_".utf8.contains(byte)
    }
}

// MARK: - Matching

extension SecretForms.Form {
    /// The maximum length of a match in the text.
    var longest: Int {
        bytes.count * escaping.longest + (before ? 1 : 0) + (after ? 1 : 0)
            + (isWrapped ? mostBreaks * (4 + SecretForms.deepestIndentation) : 0)
    }

    /// The maximum number of line breaks in a match: enough for lines of four characters or more.
    private var mostBreaks: Int { bytes.count / 4 + 2 }

    /// The end of a match that begins at an index; nil if there is none.
    ///
    /// - Parameter fitting: Set to the number of bytes of the form that fit, if there is no match.
    func end(at index: Int, in text: [UInt8], fitting: inout Int) -> Int? {
        if before, !SecretForms.isBase64(text[index]) { return nil }
        let start = index + (before ? 1 : 0)
        let end =
            opening == nil
            ? plainEnd(from: start, in: text, &fitting) : escapedEnd(from: start, in: text, &fitting)
        guard let end else { return nil }
        fitting = bytes.count
        guard after else { return end }
        let last = end + lineBreak(at: end, in: text)
        return last < text.count && SecretForms.isBase64(text[last]) ? last + 1 : nil
    }

    private func lineBreak(at index: Int, in text: [UInt8]) -> Int {
        guard isWrapped, index < text.count, SecretForms.mayBreakLine(text[index]) else { return 0 }
        return SecretForms.lineBreak(at: index, in: text)
    }

    private var opening: UInt8? { escaping.opening }

    private func plainEnd(from start: Int, in text: [UInt8], _ fitting: inout Int) -> Int? {
        var end = start
        var breaks = 0
        for (index, byte) in bytes.enumerated() {
            fitting = index
            if index > 0 || before {
                let skipped = lineBreak(at: end, in: text)
                end += skipped
                breaks += skipped > 0 ? 1 : 0
            }
            guard end < text.count else { return nil }
            guard breaks < mostBreaks else {
                // A longer form allows more line breaks, so a longer form may still match.
                fitting = .max
                return nil
            }
            if text[end] != byte { return cut(at: end, after: index, in: text) }
            end += 1
        }
        return end
    }

    /// The end of a match that is cut off and followed by the mark of a cut; nil without the mark. Messages shorten a quoted text
    /// before the text is masked.
    private func cut(at end: Int, after count: Int, in text: [UInt8]) -> Int? {
        guard count >= SecretForms.shortestCut, text[end...].starts(with: SecretForms.cutMark) else { return nil }
        return end
    }

    private func escapedEnd(from start: Int, in text: [UInt8], _ fitting: inout Int) -> Int? {
        var end = start
        var found = 0
        while found < bytes.count {
            fitting = found
            guard end < text.count else { return nil }
            let byte = text[end]
            if byte == opening, let escape = escaping.escape(at: end, in: text) {
                guard bytes[found...].starts(with: escape.meaning) else {
                    fitting = found + escape.meaning.count - 1
                    return nil
                }
                end += escape.count
                found += escape.meaning.count
            } else {
                guard byte == bytes[found] || byte == escaping.substitute(for: bytes[found]) else {
                    return cut(at: end, after: found, in: text)
                }
                end += 1
                found += 1
            }
        }
        return end
    }
}
