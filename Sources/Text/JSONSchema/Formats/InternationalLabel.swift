/// Labels of domain names in other scripts (RFC 5892).
enum InternationalLabel {
    static func isValid(_ label: [Unicode.Scalar]) -> Bool {
        guard let first = label.first, first != "-", label.last != "-" else { return false }
        if label.count >= 4, label[2] == "-", label[3] == "-" { return false }
        if first.isMark { return false }
        return label.indices.allSatisfy { isAllowed(at: $0, in: label) }
    }

    private static func isAllowed(at index: Int, in label: [Unicode.Scalar]) -> Bool {
        let scalar = label[index]
        let before = index > 0 ? label[index - 1] : nil
        let after = index + 1 < label.count ? label[index + 1] : nil
        switch scalar.value {
        case 0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007: return true
        case 0x640, 0x7FA, 0x302E, 0x302F, 0x3031...0x3035, 0x303B: return false
        // Old Hangul.
        case 0x1100...0x11FF, 0xA960...0xA97F, 0xD7B0...0xD7FF: return false
        // MIDDLE DOT, KERAIA, GERESH and GERSHAYIM, KATAKANA MIDDLE DOT.
        case 0xB7: return before == "l" && after == "l"
        case 0x375: return after?.isGreek == true
        case 0x5F3, 0x5F4: return before?.isHebrew == true
        case 0x30FB: return label.contains(where: \.isJapanese)
        // The two rows of Arabic digits.
        case 0x660...0x669: return !label.contains { (0x6F0...0x6F9).contains($0.value) }
        case 0x6F0...0x6F9: return !label.contains { (0x660...0x669).contains($0.value) }
        // ZERO WIDTH NON-JOINER and JOINER.
        case 0x200C: return before?.isVirama == true || isBetweenJoining(index, label)
        case 0x200D: return before?.isVirama == true
        default: return isLetterOrDigit(scalar)
        }
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "-" || ("0"..."9").contains(scalar) { return true }
        let properties = scalar.properties
        switch properties.generalCategory {
        case .lowercaseLetter, .uppercaseLetter, .otherLetter, .modifierLetter, .decimalNumber, .nonspacingMark,
            .spacingMark:
            return !properties.changesWhenNFKCCaseFolded && !properties.isDefaultIgnorableCodePoint
        default: return false
        }
    }

    /// Whether the letters around a place join in a cursive script, so that ZERO WIDTH NON-JOINER between them has a meaning.
    private static func isBetweenJoining(_ index: Int, _ label: [Unicode.Scalar]) -> Bool {
        let before = label[..<index].last { $0.properties.generalCategory != .nonspacingMark }
        let after = label[(index + 1)...].first { $0.properties.generalCategory != .nonspacingMark }
        return before?.joinsNext == true && after?.isArabicLetter == true
    }
}

/// Labels that are written from right to left (RFC 5893).
enum BidiRule {
    static func holds(for labels: [[Unicode.Scalar]]) -> Bool {
        if labels.joined().allSatisfy(\.isASCII) { return true }
        let directions = labels.map { $0.map(Direction.init) }
        // The rule for both directions concerns only names that have a right-to-left label.
        guard directions.joined().contains(where: { $0 == .right || $0 == .arabicNumber }) else { return true }
        return directions.allSatisfy(isValid)
    }

    private static func isValid(_ label: [Direction]) -> Bool {
        let last = label.last { $0 != .mark }
        switch label.first {
        case .right:
            return !label.contains(.left) && [.right, .number, .arabicNumber].contains(last)
                && !(label.contains(.number) && label.contains(.arabicNumber))
        case .left:
            return !label.contains(.right) && !label.contains(.arabicNumber) && [.left, .number].contains(last)
        default: return false
        }
    }

    private enum Direction {
        case left, right, number, arabicNumber, mark, other

        init(_ scalar: Unicode.Scalar) {
            switch scalar.value {
            case 0x30...0x39, 0x6F0...0x6F9: self = .number
            case 0x660...0x669: self = .arabicNumber
            case _ where scalar.properties.generalCategory == .nonspacingMark: self = .mark
            case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: self = .right
            case _ where scalar.properties.isAlphabetic: self = .left
            default: self = .other
            }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isMark: Bool {
        [.nonspacingMark, .spacingMark, .enclosingMark].contains(properties.generalCategory)
    }
    fileprivate var isVirama: Bool { properties.canonicalCombiningClass == .virama }
    fileprivate var isGreek: Bool { (0x370...0x3FF).contains(value) || (0x1F00...0x1FFF).contains(value) }
    fileprivate var isHebrew: Bool { (0x591...0x5F4).contains(value) }

    /// Whether the character is Hiragana, Katakana or Han.
    fileprivate var isJapanese: Bool {
        switch value {
        case 0x3005, 0x3007, 0x3041...0x309F, 0x30A1...0x30FA, 0x30FD...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF,
            0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF66...0xFF9D, 0x20000...0x3FFFF:
            true
        default: false
        }
    }

    fileprivate var isArabicLetter: Bool {
        properties.generalCategory == .otherLetter
            && ((0x622...0x74F).contains(value) || (0x750...0x77F).contains(value) || (0x8A0...0x8C9).contains(value))
    }

    /// Whether the character is an Arabic letter that joins the letter after it.
    fileprivate var joinsNext: Bool {
        switch value {
        case 0x622...0x625, 0x627, 0x629, 0x62F...0x632, 0x648, 0x671...0x673, 0x675...0x677, 0x688...0x699, 0x6C0,
            0x6C3...0x6CB, 0x6CD, 0x6CF, 0x6D2, 0x6D3, 0x6D5:
            false
        default: isArabicLetter
        }
    }
}
