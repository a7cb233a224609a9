import ReqcliBasics

/// Names of hosts: RFC 1123 and, for other scripts, IDNA 2008 (RFC 5890 to 5893).
enum DomainName {
    static func isValid(_ text: String, isInternational: Bool) -> Bool {
        var labels: [[Unicode.Scalar]] = [[]]
        for scalar in text.unicodeScalars {
            if scalar == "." || isInternational && ["\u{3002}", "\u{FF0E}", "\u{FF61}"].contains(scalar) {
                labels.append([])
            } else {
                guard isInternational || scalar.isASCII else { return false }
                labels[labels.count - 1].append(scalar)
            }
        }
        var length = labels.count - 1
        var decoded: [[Unicode.Scalar]] = []
        for label in labels {
            guard let (unicode, count) = checked(label) else { return false }
            decoded.append(unicode)
            length += count
        }
        return length <= 253 && BidiRule.holds(for: decoded)
    }

    /// The label with its escapes for other scripts resolved, and its length in ASCII; nil if it is not valid.
    private static func checked(_ label: [Unicode.Scalar]) -> (unicode: [Unicode.Scalar], length: Int)? {
        guard let first = label.first, let last = label.last, first != "-", last != "-", label.count <= 63 else {
            return nil
        }
        guard label.allSatisfy(\.isASCII) else {
            guard InternationalLabel.isValid(label), let encoded = Punycode.encoded(label), encoded.count + 4 <= 63
            else {
                return nil
            }
            return (label, encoded.count + 4)
        }
        guard label.allSatisfy({ UInt8($0.value).isAlphanumeric || $0 == "-" }) else { return nil }
        let bytes = label.map { UInt8($0.value).lowercased }
        guard bytes.starts(with: "xn--".utf8) else { return (label, label.count) }
        let encoded = Array(bytes.dropFirst(4))
        guard let unicode = Punycode.decoded(encoded), InternationalLabel.isValid(unicode),
            !unicode.allSatisfy(\.isASCII), Punycode.encoded(unicode) == encoded
        else { return nil }
        return (unicode, label.count)
    }
}

/// Punycode: strings in other scripts, encoded as ASCII (RFC 3492).
enum Punycode {
    private static let initialCode = 0x80
    private static let initialBias = 72

    static func decoded(_ text: [UInt8]) -> [Unicode.Scalar]? {
        let hyphen = text.lastIndex(of: .minus)
        var output = text[..<(hyphen ?? 0)].map { Unicode.Scalar($0) }
        var (code, index, bias) = (initialCode, 0, initialBias)
        var position = hyphen.map { $0 + 1 } ?? 0
        while position < text.count {
            let start = index
            var weight = 1
            var step = 36
            while true {
                guard position < text.count, let digit = digit(text[position]) else { return nil }
                position += 1
                index += digit * weight
                guard index < 1 << 30 else { return nil }
                let threshold = threshold(step, bias)
                if digit < threshold { break }
                weight *= 36 - threshold
                guard weight < 1 << 30 else { return nil }
                step += 36
            }
            bias = adapted(index - start, output.count + 1, isFirst: start == 0)
            code += index / (output.count + 1)
            index %= output.count + 1
            guard code <= 0x10FFFF, let scalar = Unicode.Scalar(UInt32(code)) else { return nil }
            output.insert(scalar, at: index)
            index += 1
        }
        return output
    }

    /// The label in Punycode, without the prefix `xn--`. Labels are short, so no number overflows.
    static func encoded(_ label: [Unicode.Scalar]) -> [UInt8]? {
        guard label.count <= 63 else { return nil }
        var output = label.filter(\.isASCII).map { UInt8($0.value) }
        let basic = output.count
        var done = basic
        if basic > 0 { output.append(.minus) }
        var (code, delta, bias) = (initialCode, 0, initialBias)
        while done < label.count {
            guard let next = label.map({ Int($0.value) }).filter({ $0 >= code }).min() else { return nil }
            delta += (next - code) * (done + 1)
            code = next
            for scalar in label {
                if scalar.value < code { delta += 1 }
                guard scalar.value == code else { continue }
                var rest = delta
                var step = 36
                while true {
                    let threshold = threshold(step, bias)
                    if rest < threshold { break }
                    output.append(character(threshold + (rest - threshold) % (36 - threshold)))
                    rest = (rest - threshold) / (36 - threshold)
                    step += 36
                }
                output.append(character(rest))
                bias = adapted(delta, done + 1, isFirst: done == basic)
                delta = 0
                done += 1
            }
            delta += 1
            code += 1
        }
        return output
    }

    private static func digit(_ byte: UInt8) -> Int? {
        if byte.isDigit { return Int(byte - .zero) + 26 }
        return byte.isLetter ? Int(byte.lowercased - 0x61) : nil
    }

    private static func character(_ digit: Int) -> UInt8 { UInt8(digit < 26 ? 0x61 + digit : 0x30 + digit - 26) }

    private static func threshold(_ step: Int, _ bias: Int) -> Int { min(max(step - bias, 1), 26) }

    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var step = 0
        while delta > 455 {
            delta /= 35
            step += 36
        }
        return step + 36 * delta / (delta + 38)
    }
}
