/// Finds secrets in what is about to be shown, in every form in which they may turn up, and masks them.
///
/// One redactor serves every sink. Where several secrets match at one place the longest match counts.
package struct Redactor: Sendable {
    /// A value that must not be shown, and what is shown instead: `<label>`.
    package struct Secret: Hashable, Sendable {
        package let label: String
        package let value: String

        package init(label: String, value: String) {
            self.label = label
            self.value = value
        }
    }

    /// A place where a secret stands.
    package struct Match: Hashable, Sendable {
        package let range: Range<Int>
        /// The secret's index among those given.
        package let secret: Int
        /// True where the secret stands as it is, false where it was encoded.
        package let isRaw: Bool
    }

    package let secrets: [Secret]
    private let index: FormIndex
    /// No match has more bytes.
    package let longest: Int

    package init(_ secrets: [Secret]) {
        self.secrets = secrets
        var index = FormIndex()
        var longest = 0
        // Whitespace is not a secret: to mask it would make every text unreadable.
        for (number, secret) in secrets.enumerated() where !secret.value.allSatisfy(\.isWhitespace) {
            for form in SecretForms.all(of: Array(secret.value.utf8)) {
                longest = max(longest, form.longest)
                index.add(form, of: number)
            }
        }
        self.index = index
        // A cut is known by what follows it.
        self.longest = longest > 0 ? longest + SecretForms.cutMark.count : 0
    }

    /// True where there is nothing to look for.
    package var isEmpty: Bool { longest == 0 }

    /// The places where secrets stand, in order, none overlapping another.
    package func matches(in bytes: [UInt8]) -> [Match] {
        guard !isEmpty else { return [] }
        var result: [Match] = []
        var index = 0
        while index < bytes.count {
            if let match = match(at: index, in: bytes) {
                result.append(match)
                index = match.range.upperBound
            } else {
                index += 1
            }
        }
        return result
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

    /// The text with every secret masked.
    package func redact(_ text: String) -> String {
        isEmpty ? text : String(decoding: redact(Array(text.utf8)), as: UTF8.self)
    }

    func mask(of match: Match) -> [UInt8] {
        Array("<\(secrets[match.secret].label)>".utf8)
    }

    func match(at start: Int, in bytes: [UInt8]) -> Match? {
        var best: Match?
        index.forEachCandidate(at: start, in: bytes) { form, secret in
            guard let end = form.end(at: start, in: bytes) else { return }
            let match = Match(range: start..<end, secret: secret, isRaw: form.isRaw)
            if best.map({ match.isBetter(than: $0) }) ?? true { best = match }
        }
        return best
    }
}

extension Redactor.Match {
    /// The longer counts; of two secrets with the same text the first given; what stands as it is before what was encoded.
    fileprivate func isBetter(than other: Self) -> Bool {
        if range.count != other.range.count { return range.count > other.range.count }
        return secret == other.secret ? isRaw && !other.isRaw : secret < other.secret
    }
}
