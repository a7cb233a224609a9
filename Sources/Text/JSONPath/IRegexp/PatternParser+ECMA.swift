/// The syntax that ECMA-262 has and RFC 9485 lacks.
extension PatternParser {
    /// Takes `\b` or `\B` if one of the two is next.
    mutating func takeWordBoundary() -> PatternAssertion? {
        guard peek() == "\\", let kind = peek(1), kind == "b" || kind == "B" else { return nil }
        position += 2
        return kind == "b" ? .wordBoundary : .noWordBoundary
    }

    /// Reads the options between the `(` of a group and its pattern: nothing, `?:` or `?<name>`.
    mutating func ecmaGroupOptions(from start: Int) throws(IRegexpProblem) {
        guard take("?") else { return }
        let next = peek()
        position += 1
        switch next {
        case ":": return
        case "=", "!": throw unsupported("lookahead", from: start)
        case "<" where peek() == "=" || peek() == "!":
            position += 1
            throw unsupported("lookbehind", from: start)
        case "<": try groupName(from: start)
        default:
            throw problem(
                "this is not a valid kind of group", from: start, hint: "write (…), (?:…) or (?<name>…)")
        }
    }

    private mutating func groupName(from start: Int) throws(IRegexpProblem) {
        let first = position
        while let next = peek(), next != ">" {
            let properties = next.properties
            guard
                next == "$" || properties.isIDStart || position == first && next == "_"
                    || position > first && (properties.isIDContinue || next == "\u{200C}" || next == "\u{200D}")
            else { break }
            position += 1
        }
        guard position > first, take(">") else {
            throw problem(
                "a group's name consists of letters, digits, $ and _, and ends with \">\"", hint: "write (?<name>…)")
        }
    }

    private func unsupported(_ syntax: String, from start: Int) -> IRegexpProblem {
        problem(
            "\(syntax) is not supported", from: start,
            hint: "reqcli leaves it out, because a match could then take very long")
    }

    /// Reads the rest of an escape after its first character, which is `scalar`.
    mutating func ecmaEscape(
        _ scalar: Unicode.Scalar, from start: Int, isInClass: Bool
    ) throws(IRegexpProblem) -> ScalarSet.Item {
        if let value = Self.controls[scalar] { return .range(value...value) }
        if let ranges = Self.shorthands[scalar] { return .ranges(ranges) }
        switch scalar {
        case "^", "$", "\\", ".", "*", "+", "?", "(", ")", "[", "]", "{", "}", "|", "/":
            return .range(scalar.value...scalar.value)
        case "-" where isInClass: return .range(0x2D...0x2D)
        case "b" where isInClass: return .range(0x08...0x08)
        case "p", "P": return try property(from: start, isNegated: scalar == "P")
        case "c":
            guard let letter = peek(), ("a"..."z").contains(letter) || ("A"..."Z").contains(letter) else {
                throw problem(#"\c takes a letter"#, from: start, hint: #"write \cA to \cZ for a control character"#)
            }
            position += 1
            return .range(letter.value % 32...letter.value % 32)
        case "x": return .range(try hexadecimal(2, from: start, hint: #"write two digits, as in \x1F"#))
        case "u": return .range(try unicode(from: start))
        case "0" where peek().map { !("0"..."9").contains($0) } ?? true: return .range(0...0)
        case "1"..."9", "k":
            if isInClass { fallthrough }
            throw unsupported("a backreference", from: start)
        default:
            throw problem(
                "\"\\\(scalar)\" is not an escape of ECMA-262", from: start, hint: "write the character without \\")
        }
    }

    private mutating func unicode(from start: Int) throws(IRegexpProblem) -> ClosedRange<UInt32> {
        let hint = #"write four digits, as in \u00E9, or \u{1F600}"#
        if take("{") {
            var value: UInt32 = 0
            let first = position
            while let digit = hexadecimalDigit() {
                value = value * 16 + digit
                if value > 0x10FFFF { throw problem(#"no character is above \u{10FFFF}"#, from: start) }
            }
            guard position > first, take("}") else {
                throw problem(#"\u{…} takes hexadecimal digits"#, from: start, hint: hint)
            }
            return value...value
        }
        let high = try hexadecimal(4, from: start, hint: hint)
        guard (0xD800...0xDBFF).contains(high.lowerBound), peek() == "\\", peek(1) == "u", peek(2) != "{" else {
            return high
        }
        let next = position
        position += 2
        let low = try hexadecimal(4, from: next, hint: hint).lowerBound
        guard (0xDC00...0xDFFF).contains(low) else {
            // The two escapes are two separate characters, so the second escape is read again on its own.
            position = next
            return high
        }
        let pair = 0x10000 + (high.lowerBound - 0xD800) << 10 + (low - 0xDC00)
        return pair...pair
    }

    private mutating func hexadecimal(
        _ count: Int, from start: Int, hint: String
    ) throws(IRegexpProblem) -> ClosedRange<UInt32> {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let digit = hexadecimalDigit() else {
                throw problem("expected \(count) hexadecimal digits", from: start, hint: hint)
            }
            value = value * 16 + digit
        }
        return value...value
    }

    private mutating func hexadecimalDigit() -> UInt32? {
        guard let scalar = peek(), scalar.isASCII, let digit = Character(scalar).hexDigitValue else { return nil }
        position += 1
        return UInt32(digit)
    }
}

// MARK: - Sets of characters

extension PatternParser {
    /// Reads `{L}`, `{Script=…}` or `{Alphabetic}` after `\p`.
    private mutating func property(from start: Int, isNegated: Bool) throws(IRegexpProblem) -> ScalarSet.Item {
        var text = ""
        guard take("{") else { throw notAProperty(text, from: start) }
        while let next = peek(), next != "}", text.utf8.count < 60 {
            text.unicodeScalars.append(next)
            position += 1
        }
        guard take("}") else { throw notAProperty(text, from: start) }
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 1, let holds = UnicodeProperties.binary[text] {
            return .property { holds($0) != isNegated }
        }
        let namesCategory = parts.count == 1 || parts[0] == "General_Category" || parts[0] == "gc"
        guard namesCategory, let categories = CategorySet(ecmaName: String(parts[parts.count - 1])) else {
            throw notAProperty(text, from: start)
        }
        return isNegated ? .allBut(categories) : .categories(categories)
    }

    private func notAProperty(_ text: String, from start: Int) -> IRegexpProblem {
        let scripts = ["Script=", "sc=", "Script_Extensions=", "scx="]
        if scripts.contains(where: { text.hasPrefix($0) }) {
            return problem(
                "scripts are not supported", from: start, hint: #"write ranges, as in [\u0370-\u03FF] for Greek"#)
        }
        return problem(
            #"\p takes the name of a Unicode category or property"#, from: start,
            hint: #"write \p{L} for letters, \p{Nd} for digits, \p{Alphabetic} or \p{White_Space}"#)
    }

    private static let controls: [Unicode.Scalar: UInt32] = ["t": 0x09, "n": 0x0A, "v": 0x0B, "f": 0x0C, "r": 0x0D]

    private static let shorthands: [Unicode.Scalar: [ClosedRange<UInt32>]] = [
        "d": digits, "D": complement(of: digits), "w": ScalarSet.wordRanges, "W": complement(of: ScalarSet.wordRanges),
        "s": spaces, "S": complement(of: spaces),
    ]
    private static let digits: [ClosedRange<UInt32>] = [0x30...0x39]
    /// ECMA's WhiteSpace and LineTerminator.
    private static let spaces: [ClosedRange<UInt32>] = [
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
        0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ]

    /// - Parameter ranges: Ranges in order. No two ranges touch, and no range begins at 0 or ends at the last character.
    private static func complement(of ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        zip([0] + ranges.map { $0.upperBound + 1 }, ranges.map { $0.lowerBound - 1 } + [0x10FFFF]).map { $0...$1 }
    }
}

extension ScalarSet {
    /// The set for `.` in ECMA-262.
    static let ecmaAnyInLine = ScalarSet(
        [.range(0x0A...0x0A), .range(0x0D...0x0D), .range(0x2028...0x2029)], isNegated: true)

    static let wordRanges: [ClosedRange<UInt32>] = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
    static let word = ScalarSet([.ranges(wordRanges)])
}
