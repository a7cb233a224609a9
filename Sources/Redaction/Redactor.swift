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

    private struct Candidate {
        let secret: Int
        let form: SecretForms.Form
        /// The byte behind the one that a match starts with, where that may be any of many.
        let second: UInt8?

        init(_ form: SecretForms.Form, of secret: Int) {
            self.secret = secret
            self.form = form
            second = form.before ? form.bytes.first : nil
        }
    }

    package let secrets: [Secret]
    /// By the byte that a match starts with, those first that may be the longest.
    private let candidates: [[Candidate]]
    let longest: Int

    package init(_ secrets: [Secret]) {
        self.secrets = secrets
        // Whitespace is no secret, and a text without any could not be read.
        let isBlank = secrets.map { $0.value.allSatisfy(\.isWhitespace) }
        guard isBlank.contains(false) else {
            (candidates, longest) = ([], 0)
            return
        }
        var table = [[Candidate]](repeating: [], count: 256)
        var longest = 0
        for (index, secret) in secrets.enumerated() where !isBlank[index] {
            for form in SecretForms.all(of: Array(secret.value.utf8)) {
                longest = max(longest, form.longest)
                for byte in form.firstBytes { table[Int(byte)].append(Candidate(form, of: index)) }
            }
        }
        candidates = table.map { $0.sorted { $0.form.longest > $1.form.longest } }
        // A cut is known by what follows it.
        self.longest = longest + SecretForms.cutMark.count
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

    func match(at index: Int, in bytes: [UInt8]) -> Match? {
        guard !isEmpty else { return nil }
        var best: Match?
        let list = candidates[Int(bytes[index])]
        let next = index + 1 < bytes.count ? bytes[index + 1] : nil
        for position in list.indices {
            // Most are none, which is seen before a copy of the candidate is made.
            if let second = list[position].second, second != next, !SecretForms.mayBreakLine(next) { continue }
            let candidate = list[position]
            // None of those that follow reaches as far.
            if let best, best.range.count > candidate.form.longest { break }
            guard let end = candidate.form.end(at: index, in: bytes) else { continue }
            let match = Match(range: index..<end, secret: candidate.secret, isRaw: candidate.form.isRaw)
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
