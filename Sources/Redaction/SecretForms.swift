/// The forms in which a secret's bytes turn up in text: as they are, percent-encoded, in base64, escaped in JSON.
enum SecretForms {
    /// A run of bytes to look for. `before` and `after` ask for one more base64 character on that side, which mixes bits
    /// of the secret with bits of its neighbour.
    struct Form: Hashable, Sendable {
        var bytes: [UInt8]
        var isRaw = false
        var before = false
        var after = false

        var count: Int { bytes.count + (before ? 1 : 0) + (after ? 1 : 0) }
    }

    /// A base64 run that is cut out of a longer one must be this long: shorter ones are found in any text.
    private static let shortestCut = 4

    static func all(of secret: [UInt8]) -> [Form] {
        var forms = [Form(bytes: secret, isRaw: true)]
        let encoded =
            percentEncodings(of: secret) + jsonEscapes(of: secret) + wholeBase64(of: secret).map { Form(bytes: $0) }
            + cutBase64(of: secret)
        for form in encoded where !forms.contains(where: { $0.bytes == form.bytes && $0.count == form.count }) {
            forms.append(form)
        }
        return forms
    }

    // MARK: Percent-encoding

    private static func percentEncodings(of secret: [UInt8]) -> [Form] {
        let kept: [(UInt8) -> Bool] = [
            { isUnreserved($0) },
            // What a path, a query and encodeURIComponent leave as they are.
            { isUnreserved($0) || "/:@!$&'()*+,;=".utf8.contains($0) },
            { isUnreserved($0) || "/:@!$&'()*+,;=?".utf8.contains($0) },
            { isUnreserved($0) || "!'()*".utf8.contains($0) },
            { isUnreserved($0) || $0 == UInt8(ascii: "*") },
        ]
        return kept.flatMap { isKept in
            ["0123456789ABCDEF", "0123456789abcdef"].flatMap { digits in
                [false, true].map { spaceIsPlus in
                    Form(bytes: percentEncode(secret, Array(digits.utf8), spaceIsPlus: spaceIsPlus, isKept))
                }
            }
        }
    }

    private static func percentEncode(
        _ secret: [UInt8], _ digits: [UInt8], spaceIsPlus: Bool, _ isKept: (UInt8) -> Bool
    ) -> [UInt8] {
        secret.flatMap { byte -> [UInt8] in
            if byte == UInt8(ascii: " "), spaceIsPlus { return [UInt8(ascii: "+")] }
            if isKept(byte) { return [byte] }
            return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }

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

    static func isBase64(_ byte: UInt8) -> Bool {
        isUnreserved(byte) && byte != UInt8(ascii: ".") && byte != UInt8(ascii: "~")
            || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
    }

    // MARK: JSON

    private static func jsonEscapes(of secret: [UInt8]) -> [Form] {
        let text = String(decoding: secret, as: UTF8.self)
        return [false, true].flatMap { escapesSlash in
            [false, true].flatMap { isASCIIOnly in
                [false, true].map { isUppercase in
                    Form(bytes: jsonEscape(text, escapesSlash, isASCIIOnly, isUppercase))
                }
            }
        }
    }

    private static func jsonEscape(
        _ text: String, _ escapesSlash: Bool, _ isASCIIOnly: Bool, _ isUppercase: Bool
    ) -> [UInt8] {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "/" where escapesSlash: result += "\\/"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{8}": result += "\\b"
            case "\u{C}": result += "\\f"
            case "\0"..<" ": result += unicodeEscape(UInt16(scalar.value), isUppercase)
            case _ where isASCIIOnly && !scalar.isASCII:
                for unit in String(scalar).utf16 { result += unicodeEscape(unit, isUppercase) }
            default: result.unicodeScalars.append(scalar)
            }
        }
        return Array(result.utf8)
    }

    private static func unicodeEscape(_ unit: UInt16, _ isUppercase: Bool) -> String {
        let hex = String(unit, radix: 16, uppercase: isUppercase)
        return "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
    }
}
