/// Finds secrets in text that is about to be shown, in every form in which they can appear, and masks them.
///
/// The same redactor is used for every kind of output. If several secrets match at one place, the longest match is masked.
package struct Redactor: Sendable {
    /// A value that must not be shown, and the label `<label>` that replaces it.
    package struct Secret: Hashable, Sendable {
        package let label: String
        package let value: String

        package init(label: String, value: String) {
            self.label = label
            self.value = value
        }
    }

    /// A range of the text that holds a secret.
    package struct Match: Hashable, Sendable {
        package let range: Range<Int>
        /// The index of the secret in `secrets`.
        package let secret: Int
        /// True if the secret is in plain text, false if it is encoded.
        package let isRaw: Bool
    }

    package let secrets: [Secret]
    private let index: FormIndex
    private let masks: Masks
    /// The maximum length of a match in bytes.
    package let longest: Int

    package init(_ secrets: [Secret]) {
        self.secrets = secrets
        var index = FormIndex()
        var longest = 0
        // Whitespace is not treated as secret: masking it would make every text unreadable.
        for (number, secret) in secrets.enumerated() where !secret.value.allSatisfy(\.isWhitespace) {
            for form in SecretForms.all(of: Array(secret.value.utf8), isCommon: secret.isCommon) {
                longest = max(longest, form.longest)
                index.add(form, of: number)
            }
        }
        index.sort()
        self.index = index
        masks = Masks(secrets.map(\.label))
        // A cut form is recognized by the mark after it, so the bytes of the mark are needed, too.
        self.longest = longest > 0 ? longest + SecretForms.cutMark.count : 0
    }

    /// Whether there are no secrets to look for.
    package var isEmpty: Bool { longest == 0 }

    /// The places that hold secrets, in order and without overlaps. A mask is never treated as a secret, even if its label
    /// contains a secret.
    ///
    /// - Parameter words: Ranges of ordinary words. A match within one of these ranges is ignored.
    package func matches(in bytes: [UInt8], sparing words: [Range<Int>] = []) -> [Match] {
        guard !isEmpty else { return [] }
        var result: [Match] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == Masks.opening, let end = masks.end(at: index, in: bytes) {
                index = end
            } else if let match = match(at: index, in: bytes),
                !words.contains(where: { $0.lowerBound <= index && match.range.upperBound <= $0.upperBound })
            {
                result.append(match)
                index = match.range.upperBound
            } else {
                index += 1
            }
        }
        return result
    }

    /// Whether the bytes contain a secret. Also finds a secret inside a word, which would not be masked there: the check for
    /// sending bytes to another server is stricter than the check for showing them.
    package func isSecret(in bytes: [UInt8]) -> Bool {
        !isEmpty && bytes.indices.contains { match(at: $0, in: bytes, withinWords: true) != nil }
    }

    /// The bytes with every secret masked.
    package func redact(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var shown = 0
        for match in matches(in: bytes) {
            result += bytes[shown..<match.range.lowerBound]
            result += mask(of: match)
            shown = match.range.upperBound
        }
        return shown == 0 ? bytes : result + bytes[shown...]
    }

    /// The first bytes of a text with every secret masked. A secret that crosses the end of these bytes is masked as a whole.
    ///
    /// - Parameter bytes: The text, or its first `count + longest` bytes.
    package func redact(_ bytes: [UInt8], upTo count: Int) -> (masked: [UInt8], end: Int) {
        var masked: [UInt8] = []
        var end = 0
        for match in matches(in: bytes) where match.range.lowerBound < count {
            masked += bytes[end..<match.range.lowerBound] + mask(of: match)
            end = match.range.upperBound
        }
        if end < min(count, bytes.count) {
            masked += bytes[end..<min(count, bytes.count)]
            end = min(count, bytes.count)
        }
        return (masked, end)
    }

    /// The text with every secret masked.
    package func redact(_ text: String) -> String {
        isEmpty ? text : String(decoding: redact(Array(text.utf8)), as: UTF8.self)
    }

    /// The text with the same mask in place of every secret.
    package func masking(_ text: String, with mask: String) -> String {
        if isEmpty { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var shown = 0
        for match in matches(in: bytes) {
            result += bytes[shown..<match.range.lowerBound] + mask.utf8
            shown = match.range.upperBound
        }
        return shown == 0 ? text : String(decoding: result + bytes[shown...], as: UTF8.self)
    }

    func mask(of match: Match) -> [UInt8] {
        Array("<\(secrets[match.secret].label)>".utf8)
    }

    private func match(at start: Int, in bytes: [UInt8], withinWords: Bool = false) -> Match? {
        var best: Match?
        index.forEachCandidate(at: start, in: bytes) { form, secret in
            var fitting = 0
            guard let end = form.end(at: start, in: bytes, fitting: &fitting) else { return fitting }
            guard withinWords || !form.isWord || bytes.isWord(start..<end) else { return .max }
            let match = Match(range: start..<end, secret: secret, isRaw: form.isRaw)
            if best.map({ match.isBetter(than: $0) }) ?? true { best = match }
            return .max
        }
        return best
    }
}

extension Redactor.Match {
    /// Whether this match is preferred to another match. The longer match is preferred. If both have the same length, the match in
    /// plain text is preferred, and then the secret given first.
    fileprivate func isBetter(than other: Self) -> Bool {
        if range.count != other.range.count { return range.count > other.range.count }
        return isRaw == other.isRaw ? secret < other.secret : isRaw
    }
}
