import ReqcliBasics
import ReqcliText

/// Replaces secrets in texts by stand-ins of the same length and the same kinds of characters, in every form in which a redactor finds
/// them. Equal secrets get equal stand-ins, so that comparisons between texts keep their results.
package final class SecretReplacement: Sendable {
    private let redactor: Redactor
    private let standIns: Mutex<[[UInt8]: [UInt8]]>

    /// - Parameter likely: Values that are probably secrets.
    package init(_ secrets: [Redactor.Secret], likely: Set<String> = []) {
        let known = Set(secrets.map(\.value))
        redactor = Redactor(
            secrets + likely.subtracting(known).sorted().map { Redactor.Secret(label: "likely", value: $0) })
        standIns = Mutex([:])
    }

    /// The stand-in of a secret.
    package func standIn(for secret: String) -> String {
        String(decoding: standIn(for: Array(secret.utf8)), as: UTF8.self)
    }

    /// The bytes with a stand-in in place of each secret. What can't be replaced is masked.
    package func replaced(_ bytes: [UInt8]) -> [UInt8] {
        if redactor.isEmpty { return bytes }
        var result: [UInt8] = []
        var end = 0
        for match in redactor.matches(in: bytes) {
            result += bytes[end..<match.range.lowerBound]
            result += replacement(of: Array(bytes[match.range]), Array(redactor.secrets[match.secret].value.utf8))
            end = match.range.upperBound
        }
        return redactor.redact(result + bytes[end...])
    }

    package func replaced(_ text: String) -> String {
        redactor.isEmpty ? text : String(decoding: replaced(Array(text.utf8)), as: UTF8.self)
    }

    private func replacement(of text: [UInt8], _ secret: [UInt8]) -> [UInt8] {
        rewritten(text, from: secret, to: standIn(for: secret), mayBeNested: true) ?? standIn(for: text)
    }

    /// A form of a secret, changed to the same form of its stand-in; nil for an unknown form.
    private func rewritten(
        _ text: [UInt8], from secret: [UInt8], to standIn: [UInt8], mayBeNested: Bool
    ) -> [UInt8]? {
        for escaping in [SecretEscaping.none, .json, .percent, .html] {
            if let result = escaping.rewritten(text, from: secret, to: standIn) { return result }
        }
        for start in [[], [UInt8.colon]] {
            if let result = Self.base64(text, from: start + secret, to: start + standIn) { return result }
        }
        guard mayBeNested else { return nil }
        // JSON inside of JSON, or in a URL.
        for escaping in [SecretEscaping.json, .percent] {
            let inner = escaping.unescaped(text)
            if inner != text, let result = rewritten(inner, from: secret, to: standIn, mayBeNested: false) {
                return escaping == .json
                    ? Array(JSONStringText.escaped(String(decoding: result, as: UTF8.self)).utf8)
                    : escaping.escaped(result, as: [])
            }
        }
        return nil
    }

    // MARK: Stand-ins

    private func standIn(for secret: [UInt8]) -> [UInt8] {
        standIns.withLock { known in
            if let standIn = known[secret] { return standIn }
            let standIn = Self.random(like: secret)
            known[secret] = standIn
            return standIn
        }
    }

    /// The punctuation that may replace each other, because it is escaped in the same places.
    private static let punctuation = ["-._~", "!$()*,;:@", "#?[]|^="].map { Array($0.utf8) }

    private static func random(like secret: [UInt8]) -> [UInt8] {
        func other(_ choices: some Collection<UInt8>, _ byte: UInt8) -> UInt8 {
            choices.filter { $0 != byte }.randomElement() ?? byte
        }
        return String(decoding: secret, as: UTF8.self).unicodeScalars.flatMap { scalar -> [UInt8] in
            guard scalar.isASCII else {
                // A small letter, an ideograph or an emoji of the same length.
                let first: UInt32 = scalar.value < 0x800 ? 0xE0 : scalar.value < 0x10000 ? 0x4E00 : 0x1F600
                let code = first + UInt32.random(in: 0..<22)
                return Array(String(Unicode.Scalar(code == scalar.value ? code + 1 : code) ?? scalar).utf8)
            }
            let byte = UInt8(scalar.value)
            switch byte {
            case 0x30...0x39: return [other(0x31...0x39, byte)]
            case 0x41...0x5A: return [other(0x41...0x5A, byte)]
            case 0x61...0x7A: return [other(0x61...0x7A, byte)]
            default: return [punctuation.first { $0.contains(byte) }.map { other($0, byte) } ?? byte]
            }
        }
    }

    // MARK: Base64

    /// The base64 in which the bits of a secret are replaced, at each of its possible alignments; nil if it doesn't hold the secret.
    private static func base64(_ text: [UInt8], from secret: [UInt8], to standIn: [UInt8]) -> [UInt8]? {
        let places = text.indices.filter { digit(text[$0]) != nil && !isEscape(at: $0, in: text) }
        func bits(_ bytes: [UInt8]) -> [Bool] { bytes.flatMap { byte in (0..<8).map { byte & (0x80 >> $0) != 0 } } }
        let (old, new) = (bits(secret), bits(standIn))
        let found = places.flatMap { place -> [Bool] in
            (0..<6).map { (digit(text[place]) ?? 0) & (0x20 >> UInt8($0)) != 0 }
        }
        for skipped in [0, 2, 4] where found.count > skipped {
            let count = min(old.count, found.count - skipped)
            guard count * 8 >= old.count * 6, found.count - skipped - count < 6,
                found[skipped..<skipped + count].elementsEqual(old[..<count])
            else { continue }
            var changed = found
            changed.replaceSubrange(skipped..<skipped + count, with: new[..<count])
            var result = text
            for (number, place) in places.enumerated() {
                let value = changed[number * 6..<number * 6 + 6].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
                result[place] = character(value, isURLSafe: text.contains { "-_".utf8.contains($0) })
            }
            return result
        }
        return nil
    }

    /// Whether a letter belongs to an escaped line break.
    private static func isEscape(at index: Int, in text: [UInt8]) -> Bool {
        index > 0 && text[index - 1] == .backslash
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static func digit(_ byte: UInt8) -> UInt8? {
        let plain: UInt8 = byte == UInt8(ascii: "-") ? UInt8(ascii: "+") : byte == UInt8(ascii: "_") ? .slash : byte
        return alphabet.firstIndex(of: plain).map { UInt8($0) }
    }

    private static func character(_ value: UInt8, isURLSafe: Bool) -> UInt8 {
        if isURLSafe, value > 61 { return value == 62 ? UInt8(ascii: "-") : UInt8(ascii: "_") }
        return alphabet[Int(value)]
    }
}

extension SecretEscaping {
    /// A text that holds a secret, escaped in this way or cut off, with another secret of the same length; nil if the text holds
    /// something else.
    fileprivate func rewritten(_ text: [UInt8], from secret: [UInt8], to other: [UInt8]) -> [UInt8]? {
        var result: [UInt8] = []
        var (index, found) = (0, 0)
        while index < text.count {
            if let escape = escape(at: index, in: text) {
                let end = found + escape.meaning.count
                guard end <= secret.count, secret[found..<end].elementsEqual(escape.meaning) else { return nil }
                result += escaped(Array(other[found..<end]), as: text[index..<index + escape.count])
                (index, found) = (index + escape.count, end)
            } else {
                guard found < secret.count,
                    text[index] == secret[found] || text[index] == substitute(for: secret[found])
                else {
                    return found >= SecretForms.shortestCut && text[index...].elementsEqual(SecretForms.cutMark)
                        ? result + text[index...] : nil
                }
                result.append(text[index] == secret[found] ? other[found] : text[index])
                (index, found) = (index + 1, found + 1)
            }
        }
        return found == secret.count || found >= SecretForms.shortestCut ? result : nil
    }

    /// The text with all escapes of this kind replaced by their meaning.
    fileprivate func unescaped(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        while index < text.count {
            let escape = escape(at: index, in: text)
            result += escape?.meaning ?? [text[index]]
            index += escape?.count ?? 1
        }
        return result
    }

    /// Bytes escaped in the same spelling as other bytes of the same kinds.
    fileprivate func escaped(_ bytes: [UInt8], as spelling: ArraySlice<UInt8>) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        switch self {
        case .none: return bytes
        case .percent:
            return bytes.flatMap { byte -> [UInt8] in
                if spelling.isEmpty, byte.isAlphanumeric || "-._~".utf8.contains(byte) { return [byte] }
                let digits = String(byte, radix: 16, uppercase: true)
                return Array("%\(digits.utf8.count < 2 ? "0" : "")\(digits)".utf8)
            }
        case .json:
            if spelling.count == 2 {
                // Control characters and quotes have no other stand-in than themselves.
                return Array(spelling)
            }
            return text.utf16.flatMap { Array(JSONStringText.unicodeEscape(UInt32($0)).utf8) }
        case .html: return text.unicodeScalars.flatMap { Array("&#\($0.value);".utf8) }
        }
    }
}
