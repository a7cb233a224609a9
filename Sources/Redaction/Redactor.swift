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
    }

    package let secrets: [Secret]
    /// By the byte that a match starts with, the longest first.
    private let candidates: [[Candidate]]
    let longest: Int

    package init(_ secrets: [Secret]) {
        self.secrets = secrets
        guard secrets.contains(where: { !$0.value.isEmpty }) else {
            (candidates, longest) = ([], 0)
            return
        }
        var table = [[Candidate]](repeating: [], count: 256)
        var longest = 0
        for (index, secret) in secrets.enumerated() where !secret.value.isEmpty {
            for form in SecretForms.all(of: Array(secret.value.utf8)) {
                longest = max(longest, form.count)
                let candidate = Candidate(secret: index, form: form)
                if form.before {
                    for byte in UInt8.min...UInt8.max where SecretForms.isBase64(byte) {
                        table[Int(byte)].append(candidate)
                    }
                } else if let first = form.bytes.first {
                    table[Int(first)].append(candidate)
                }
            }
        }
        // Of two secrets with the same text the first given counts: the sort is stable in that respect.
        candidates = table.map { list in
            list.enumerated().sorted { ($1.element.form.count, $0.offset) < ($0.element.form.count, $1.offset) }
                .map(\.element)
        }
        self.longest = longest
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
        for candidate in candidates[Int(bytes[index])] {
            let form = candidate.form
            let end = index + form.count
            guard end <= bytes.count else { continue }
            let start = index + (form.before ? 1 : 0)
            guard bytes[start] == form.bytes[0], bytes[start..<(start + form.bytes.count)].elementsEqual(form.bytes),
                !form.after || SecretForms.isBase64(bytes[end - 1])
            else { continue }
            return Match(range: index..<end, secret: candidate.secret, isRaw: form.isRaw)
        }
        return nil
    }
}
