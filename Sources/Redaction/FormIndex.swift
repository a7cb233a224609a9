/// An index of the forms of all secrets by their first two bytes. A lookup takes about the same time for three hundred
/// secrets as for one. With a list of the forms, `render` with 300 secrets takes 5 times as many instructions, and `check -v` with one
/// secret 30 % more.
struct FormIndex: Sendable {
    private struct Candidate {
        let form: SecretForms.Form
        let secret: Int
    }

    private var candidates: [Candidate] = []
    /// For each byte, whether any form may begin with it.
    private var begins = Self.noBegins
    /// Shared by all redactors without secrets, because most have none.
    private static let noBegins = [Bool](repeating: false, count: 256)
    /// The forms by their first two bytes; the first byte is in the upper half of the key.
    private var byPair: [UInt16: [Int]] = [:]
    /// The forms of a single byte, by that byte.
    private var byFirst: [UInt8: [Int]] = [:]
    /// The forms that begin with an escape, by the first byte that the escape stands for.
    private var byEscape: [SecretEscaping: [UInt8: [Int]]] = [:]
    /// The forms that follow one more base64 character, by the byte after it.
    private var byBase64: [UInt8: [Int]] = [:]

    mutating func add(_ form: SecretForms.Form, of secret: Int) {
        guard let first = form.bytes.first else { return }
        let number = candidates.count
        candidates.append(Candidate(form: form, secret: secret))
        if form.before {
            for byte in UInt8.min...UInt8.max where SecretForms.isBase64(byte) { begins[Int(byte)] = true }
            byBase64[first, default: []].append(number)
            return
        }
        let seconds = form.bytes.count > 1 ? form.spellings(of: form.bytes[1]) : []
        for first in [first, form.escaping.substitute(for: first)].compactMap(\.self) {
            begins[Int(first)] = true
            if seconds.isEmpty { byFirst[first, default: []].append(number) }
            for second in seconds { byPair[Self.pair(first, second), default: []].append(number) }
        }
        if let opening = form.escaping.opening {
            begins[Int(opening)] = true
            byEscape[form.escaping, default: [:]][first, default: []].append(number)
        }
    }

    /// Calls `body` with each form that may match at an index. A form may come twice.
    func forEachCandidate(
        at index: Int, in text: [UInt8], _ body: (_ form: SecretForms.Form, _ secret: Int) -> Void
    ) {
        let first = text[index]
        guard begins[Int(first)] else { return }
        func visit(_ numbers: [Int]?) {
            for number in numbers ?? [] { body(candidates[number].form, candidates[number].secret) }
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
    /// The bytes that may stand in a text where the form has this byte.
    fileprivate func spellings(of byte: UInt8) -> [UInt8] {
        let bytes = [byte, escaping.substitute(for: byte), escaping.opening].compactMap(\.self)
        return isWrapped ? bytes + [0x0A, 0x0D, UInt8(ascii: "\\")] : bytes
    }
}
