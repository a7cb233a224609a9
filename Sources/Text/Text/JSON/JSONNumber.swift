import ReqcliBasics

/// A JSON number. It keeps the number as written, and numbers are compared by value without rounding.
package struct JSONNumber: Sendable {
    /// The number exactly as written.
    package let text: String
    package let isNegative: Bool
    /// The significant digits, without leading or trailing zeros; empty for zero.
    package let digits: [UInt8]
    /// The power of ten in the value, which is `0.digits × 10^exponent`.
    package let exponent: Int

    /// Parses a number; nil if the string is not a JSON number.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        var position = 0
        func isAt(_ byte: UInt8) -> Bool { position < bytes.count && bytes[position] == byte }
        func run() -> Range<Int> {
            let start = position
            while position < bytes.count, bytes[position].isDigit { position += 1 }
            return start..<position
        }

        isNegative = isAt(.minus)
        if isNegative { position += 1 }
        let whole = run()
        guard !whole.isEmpty, whole.count == 1 || bytes[whole.lowerBound] != .zero else { return nil }
        var fraction = position..<position
        if isAt(.point) {
            position += 1
            fraction = run()
            guard !fraction.isEmpty else { return nil }
        }
        var power = 0
        if isAt(0x65) || isAt(0x45) {
            position += 1
            let isNegativePower = isAt(.minus)
            if isNegativePower || isAt(.plus) { position += 1 }
            let powerDigits = run()
            guard !powerDigits.isEmpty else { return nil }
            // Exponents are exact up to 2^59. Larger exponents are treated as equal, so that adding them cannot overflow.
            let value = bytes[powerDigits].reduce(0) { min($0 * 10 + Int($1 - .zero), 1 << 59) }
            power = isNegativePower ? -value : value
        }
        guard position == bytes.count else { return nil }

        var digits: [UInt8] = []
        digits.reserveCapacity(whole.count + fraction.count)
        var leadingZeros = 0
        for digit in bytes[whole.lowerBound..<fraction.upperBound] where digit != .point {
            if digits.isEmpty, digit == .zero { leadingZeros += 1 } else { digits.append(digit) }
        }
        while digits.last == .zero { digits.removeLast() }
        self.digits = digits
        exponent = digits.isEmpty ? 0 : whole.count - leadingZeros + power
        self.text = text
    }

    package init(_ value: Int) {
        let magnitude = Array(String(value.magnitude).utf8)
        text = String(value)
        isNegative = value < 0
        digits = value == 0 ? [] : Array(magnitude.dropLast(magnitude.reversed().prefix { $0 == .zero }.count))
        exponent = value == 0 ? 0 : magnitude.count
    }

    /// Whether the value is a whole number, in any notation: `42`, `42.0` and `4.2e1` all are.
    package var isInteger: Bool { digits.count <= exponent || digits.isEmpty }

    /// The value, if it is whole and fits into an `Int`.
    package var int: Int? {
        guard isInteger, exponent <= 19 else { return nil }
        var magnitude: UInt64 = 0
        for place in 0..<max(exponent, 0) {
            let digit = place < digits.count ? UInt64(digits[place] - .zero) : 0
            let (tens, overflows) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, alsoOverflows) = tens.addingReportingOverflow(digit)
            if overflows || alsoOverflows { return nil }
            magnitude = sum
        }
        if !isNegative { return Int(exactly: magnitude) }
        return magnitude <= Int.min.magnitude ? Int(truncatingIfNeeded: 0 &- magnitude) : nil
    }

    /// The value without an exponent, if it is whole and has at most `count` digits.
    package func plainText(upTo count: Int) -> String? {
        guard isInteger, exponent <= count else { return nil }
        if digits.isEmpty { return "0" }
        let padded = digits + Array(repeating: UInt8.zero, count: exponent - digits.count)
        return (isNegative ? "-" : "") + String(decoding: padded, as: UTF8.self)
    }

    /// The nearest floating-point value.
    package var double: Double { Double(text) ?? .nan }
}

extension JSONNumber: Comparable, Hashable {
    package static func == (one: JSONNumber, other: JSONNumber) -> Bool {
        one.digits == other.digits && one.exponent == other.exponent
            && (one.isNegative == other.isNegative || one.digits.isEmpty)
    }

    package static func < (one: JSONNumber, other: JSONNumber) -> Bool {
        if one.sign != other.sign { return one.sign < other.sign }
        let isSmaller =
            one.exponent == other.exponent
            ? one.digits.lexicographicallyPrecedes(other.digits) : one.exponent < other.exponent
        return one.sign < 0 ? !isSmaller && one != other : isSmaller
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(sign)
        hasher.combine(digits)
        hasher.combine(exponent)
    }

    private var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }
}
