/// An index of the forms of all secrets by their first two bytes. A lookup takes about the same time for three hundred secrets as
/// for one. With a plain list of the forms, `render` with 300 secrets takes 5 times as many instructions, and `check -v` with one
/// secret 30 % more.
struct FormIndex: Sendable {
    private struct Candidate {
        let form: SecretForms.Form
        let secret: Int
    }

    /// The forms that may match, as indices into `candidates`.
    private struct Bucket {
        var numbers: [Int] = []
        /// The length in bytes of the prefix that each form shares with the form before it; empty until the forms are sorted.
        var shared: [Int] = []
    }

    private var candidates: [Candidate] = []
    /// For each byte, whether any form may begin with it.
    private var begins = Self.noBegins
    /// A value that all redactors without secrets share, because most redactors have no secrets.
    private static let noBegins = [Bool](repeating: false, count: 256)
    /// The forms by their first two bytes; the first byte is in the upper half of the key.
    private var byPair: [UInt16: Bucket] = [:]
    /// The forms that consist of a single byte, by this byte.
    private var byFirst: [UInt8: Bucket] = [:]
    /// The forms that begin with an escape, by the first byte that the escape stands for.
    private var byEscape: [SecretEscaping: [UInt8: Bucket]] = [:]
    /// The forms with one more base64 character before them, by the byte after this character.
    private var byBase64: [UInt8: Bucket] = [:]

    mutating func add(_ form: SecretForms.Form, of secret: Int) {
        guard let first = form.bytes.first else { return }
        let number = candidates.count
        candidates.append(Candidate(form: form, secret: secret))
        if form.before {
            for byte in UInt8.min...UInt8.max where SecretForms.isBase64(byte) { begins[Int(byte)] = true }
            byBase64[first, default: Bucket()].numbers.append(number)
            return
        }
        let seconds = form.bytes.count > 1 ? form.spellings(of: form.bytes[1]) : []
        for first in [first, form.escaping.substitute(for: first)].compactMap(\.self) {
            begins[Int(first)] = true
            if seconds.isEmpty { byFirst[first, default: Bucket()].numbers.append(number) }
            for second in seconds { byPair[Self.pair(first, second), default: Bucket()].numbers.append(number) }
        }
        if let opening = form.escaping.opening {
            begins[Int(opening)] = true
            byEscape[form.escaping, default: [:]][first, default: Bucket()].numbers.append(number)
        }
    }

    /// Sorts the forms, so that a prefix that several forms share is compared only once. Without sorting, 4 MB of text that often
    /// contained the common prefix of 300 secrets took 11 seconds, because the text was compared with each secret from its start.
    mutating func sort() {
        // A few forms are faster to compare one after the other.
        guard candidates.count > Self.fewForms else { return }
        for key in Array(byPair.keys) { sort(&byPair[key]) }
        for key in Array(byFirst.keys) { sort(&byFirst[key]) }
        for key in Array(byBase64.keys) { sort(&byBase64[key]) }
        for escaping in Array(byEscape.keys) {
            for key in Array((byEscape[escaping] ?? [:]).keys) { sort(&byEscape[escaping, default: [:]][key]) }
        }
    }

    private static let fewForms = 200

    private func sort(_ bucket: inout Bucket?) {
        guard var numbers = bucket?.numbers else { return }
        numbers.sort { candidates[$0].form.precedes(candidates[$1].form) }
        let shared = zip(numbers, numbers.dropFirst()).map { candidates[$1].form.shared(with: candidates[$0].form) }
        bucket = Bucket(numbers: numbers, shared: [0] + shared)
    }

    /// Calls `body` with each form that may match at an index. The same form may be passed twice.
    ///
    /// - Parameter body: Compares a form with the text. Returns `Int.max` if the form matches, otherwise the number of bytes that
    ///   fit.
    func forEachCandidate(
        at index: Int, in text: [UInt8], _ body: (_ form: SecretForms.Form, _ secret: Int) -> Int
    ) {
        let first = text[index]
        guard begins[Int(first)] else { return }
        func visit(_ bucket: Bucket?) {
            guard let bucket else { return }
            var fitting = Int.max
            for (place, number) in bucket.numbers.enumerated() {
                // This form begins with the same bytes as the form before it, including the byte that didn't fit, so it can't
                // match either.
                if !bucket.shared.isEmpty, bucket.shared[place] > fitting { continue }
                fitting = body(candidates[number].form, candidates[number].secret)
            }
        }
        visit(byFirst[first])
        if SecretEscaping.mayOpen(first) {
            for (escaping, byMeaning) in byEscape where escaping.opening == first {
                if let meaning = escaping.escape(at: index, in: text)?.meaning.first { visit(byMeaning[meaning]) }
            }
        }
        guard index + 1 < text.count else { return }
        visit(byPair[Self.pair(first, text[index + 1])])
        guard !byBase64.isEmpty, SecretForms.isBase64(first) else { return }
        // There may be a line break after the first base64 character.
        let isBreak = SecretForms.mayBreakLine(text[index + 1])
        let next = index + 1 + (isBreak ? SecretForms.lineBreak(at: index + 1, in: text) : 0)
        if next < text.count { visit(byBase64[text[next]]) }
    }

    private static func pair(_ first: UInt8, _ second: UInt8) -> UInt16 { UInt16(first) << 8 | UInt16(second) }
}

extension SecretForms.Form {
    /// An order in which forms with a common prefix are neighbours.
    fileprivate func precedes(_ other: Self) -> Bool {
        kind == other.kind ? bytes.lexicographicallyPrecedes(other.bytes) : kind < other.kind
    }

    /// A number for the kind of the form. Forms of one kind are compared with a text in the same way.
    private var kind: Int {
        escaping.rank << 3 | (before ? 4 : 0) | (after ? 2 : 0) | (isWrapped ? 1 : 0)
    }

    /// The length of the prefix that this form shares with another form of the same kind; 0 for a form of another kind.
    fileprivate func shared(with other: Self) -> Int {
        kind == other.kind ? zip(bytes, other.bytes).prefix { $0 == $1 }.count : 0
    }

    /// The bytes that may be in a text where the form has this byte.
    fileprivate func spellings(of byte: UInt8) -> [UInt8] {
        let bytes = [byte, escaping.substitute(for: byte), escaping.opening].compactMap(\.self)
        return isWrapped ? bytes + [0x0A, 0x0D, UInt8(ascii: "\\")] : bytes
    }
}
