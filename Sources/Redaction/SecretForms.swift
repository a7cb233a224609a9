/// The forms in which a secret's bytes turn up in text: as they are, percent-encoded, in base64, escaped in JSON.
enum SecretForms {
    /// A run of bytes to look for. `before` and `after` ask for one more base64 character on that side, which mixes bits
    /// of the secret with bits of its neighbour.
    struct Form: Hashable, Sendable {
        var bytes: [UInt8]
        var escaping = SecretEscaping.none
        var isRaw = false
        var before = false
        var after = false
    }

    /// A base64 run that is cut out of a longer one must be this long: shorter ones are found in any text.
    private static let shortestCut = 4

    static func all(of secret: [UInt8]) -> [Form] {
        var forms = readings(of: secret)
        // A header's value loses the blanks around it on its way.
        let trimmed = Array(secret.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
        if trimmed.count < secret.count, !trimmed.isEmpty {
            forms += readings(of: trimmed).map { form in
                var form = form
                form.isRaw = false
                return form
            }
        }
        for form in wholeBase64(of: secret).map({ Form(bytes: $0) }) + cutBase64(of: secret)
        where !forms.contains(where: { $0.bytes == form.bytes && $0.longest == form.longest }) {
            forms.append(form)
        }
        return forms
    }

    private static func readings(of secret: [UInt8]) -> [Form] {
        [
            Form(bytes: secret, isRaw: true), Form(bytes: secret, escaping: .percent),
            Form(bytes: secret, escaping: .json),
        ]
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    // MARK: Base64

    private static func wholeBase64(of secret: [UInt8]) -> [[UInt8]] {
        let padded = base64(secret)
        let unpadded = Array(padded.prefix { $0 != UInt8(ascii: "=") })
        return [padded, unpadded].flatMap { [$0, urlSafe($0)] }
    }

    /// What stands for the secret inside the base64 of something longer, such as `user:secret`: three alignments.
    private static func cutBase64(of secret: [UInt8]) -> [Form] {
        (0..<3).flatMap { skipped -> [Form] in
            let encoded = base64([UInt8](repeating: 0, count: skipped) + secret)
            // The first characters hold nothing of the secret, the next may mix it with what stands before.
            let first = [0, 2, 3][skipped]
            let bits = (skipped + secret.count) * 8
            guard bits / 6 > first else { return [] }
            let core = Array(encoded[first..<(bits / 6)])
            guard core.count >= shortestCut else { return [] }
            return [core, urlSafe(core)].map {
                Form(bytes: $0, before: skipped != 0, after: bits % 6 != 0)
            }
        }
    }

    private static func urlSafe(_ text: [UInt8]) -> [UInt8] {
        text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 }
    }

    static func base64(_ bytes: [UInt8]) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var result: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for index in 0..<4 {
                let isPadding = index > group.count
                result.append(isPadding ? UInt8(ascii: "=") : alphabet[bits >> (18 - 6 * index) & 63])
            }
        }
        return result
    }

    /// In either alphabet.
    static func isBase64(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || "+/-_".utf8.contains(byte)
    }
}

// MARK: - Where a form stands

extension SecretForms.Form {
    /// As many bytes of a text as it may take up.
    var longest: Int { bytes.count * escaping.longest + (before ? 1 : 0) + (after ? 1 : 0) }

    /// The bytes that a match may begin with.
    var firstBytes: [UInt8] {
        if before { return (UInt8.min...UInt8.max).filter(SecretForms.isBase64) }
        guard let first = bytes.first else { return [] }
        return Array(Set([first, escaping.substitute(for: first), escaping.opening].compactMap(\.self)))
    }

    /// Where a match that begins at an index ends; nil if none does.
    ///
    /// - Precondition: The byte at the index is one of `firstBytes`.
    func end(at index: Int, in text: [UInt8]) -> Int? {
        let start = index + (before ? 1 : 0)
        guard let end = opening == nil ? plainEnd(from: start, in: text) : escapedEnd(from: start, in: text) else {
            return nil
        }
        guard after else { return end }
        return end < text.count && SecretForms.isBase64(text[end]) ? end + 1 : nil
    }

    private var opening: UInt8? { escaping.opening }

    private func plainEnd(from start: Int, in text: [UInt8]) -> Int? {
        let end = start + bytes.count
        guard end <= text.count else { return nil }
        for index in bytes.indices where text[start + index] != bytes[index] { return nil }
        return end
    }

    private func escapedEnd(from start: Int, in text: [UInt8]) -> Int? {
        var end = start
        var found = 0
        while found < bytes.count {
            guard end < text.count else { return nil }
            let byte = text[end]
            if byte == opening, let escape = escaping.escape(at: end, in: text) {
                guard bytes[found...].starts(with: escape.meaning) else { return nil }
                end += escape.count
                found += escape.meaning.count
            } else {
                guard byte == bytes[found] || byte == escaping.substitute(for: bytes[found]) else { return nil }
                end += 1
                found += 1
            }
        }
        return end
    }
}
