import ReqcliBasics
import ReqcliText

/// A decimal number with at most 28 digits. Results are rounded half to even, as in Python's `decimal`. The result of an operation
/// is nil if its power of ten is out of range.
struct DecimalNumber {
    private static let precision = 28
    private static let powers = -400...400

    private(set) var isNegative: Bool
    /// The digits from 0 to 9, without zeros at the start; empty for zero.
    private var digits: [UInt8]
    /// The value is `digits × 10^exponent`.
    private var exponent: Int

    private init?(_ isNegative: Bool, _ digits: [UInt8], _ exponent: Int) {
        (self.isNegative, self.digits, self.exponent) = (isNegative, Array(digits.drop { $0 == 0 }), exponent)
        drop(self.digits.count - Self.precision, halfToEven: true)
        while self.digits.last == 0 {
            self.digits.removeLast()
            self.exponent += 1
        }
        if self.digits.isEmpty { (self.isNegative, self.exponent) = (false, 0) }
        if !Self.powers.contains(self.exponent + self.digits.count) { return nil }
    }

    init?(_ number: JSONNumber) {
        guard Self.powers.contains(number.exponent) else { return nil }
        self.init(number.isNegative, number.digits.map { $0 & 15 }, number.exponent - number.digits.count)
    }

    init(_ value: Int) {
        (isNegative, exponent) = (value < 0, 0)
        digits = value == 0 ? [] : String(value.magnitude).utf8.map { $0 & 15 }
    }

    /// The number, if it isn't 0.
    var nonzero: DecimalNumber? { digits.isEmpty ? nil : self }

    // MARK: Operations

    static func + (one: DecimalNumber, other: DecimalNumber) -> DecimalNumber? {
        let exponent = min(one.exponent, other.exponent)
        func aligned(_ number: DecimalNumber, _ count: Int) -> [UInt8] {
            let digits = number.digits + [UInt8](repeating: 0, count: number.exponent - exponent)
            return [UInt8](repeating: 0, count: count - digits.count) + digits
        }
        let count = 1 + max(one.digits.count + one.exponent, other.digits.count + other.exponent) - exponent
        var (large, small) = (aligned(one, count), aligned(other, count))
        let isDifference = one.isNegative != other.isNegative
        let isSwapped = isDifference && large.lexicographicallyPrecedes(small)
        if isSwapped { swap(&large, &small) }
        var carry = 0
        for index in large.indices.reversed() {
            let sum = Int(large[index]) + (isDifference ? -Int(small[index]) : Int(small[index])) + carry
            carry = sum < 0 ? -1 : sum / 10
            large[index] = UInt8(sum - carry * 10)
        }
        return DecimalNumber(isSwapped ? other.isNegative : one.isNegative, large, exponent)
    }

    static func - (one: DecimalNumber, other: DecimalNumber) -> DecimalNumber? {
        var negated = other
        negated.isNegative.toggle()
        return one + negated
    }

    static func * (one: DecimalNumber, other: DecimalNumber) -> DecimalNumber? {
        var columns = [Int](repeating: 0, count: one.digits.count + other.digits.count)
        for (index, digit) in one.digits.enumerated() {
            for (offset, factor) in other.digits.enumerated() {
                columns[index + offset + 1] += Int(digit) * Int(factor)
            }
        }
        var carry = 0
        for index in columns.indices.reversed() {
            let sum = columns[index] + carry
            (columns[index], carry) = (sum % 10, sum / 10)
        }
        return DecimalNumber(
            one.isNegative != other.isNegative, columns.map { UInt8($0) }, one.exponent + other.exponent)
    }

    /// - Parameter divisor: A number that isn't 0.
    static func / (one: DecimalNumber, divisor: DecimalNumber) -> DecimalNumber? {
        let denominator = divisor.digits.reduce(UInt128(0)) { $0 * 10 + UInt128($1) }
        // Two more digits than needed. After them, a digit says whether something is left, so that halves are rounded correctly.
        let places = precision + 2 + divisor.digits.count
        var remainder = UInt128(0)
        var quotient: [UInt8] = []
        for index in 0..<(one.digits.count + places) {
            remainder = remainder * 10 + (index < one.digits.count ? UInt128(one.digits[index]) : 0)
            let (digit, rest) = remainder.quotientAndRemainder(dividingBy: denominator)
            quotient.append(UInt8(digit))
            remainder = rest
        }
        return DecimalNumber(
            one.isNegative != divisor.isNegative, quotient + [remainder == 0 ? 0 : 1],
            one.exponent - divisor.exponent - places - 1)
    }

    /// The number with this many decimal places, as text. Halves are rounded away from zero.
    func rounded(to places: Int) -> String {
        var number = self
        number.drop(-exponent - places, halfToEven: false)
        if number.digits.isEmpty { (number.isNegative, number.exponent) = (false, 0) }
        if number.exponent > -places {
            number.digits += [UInt8](repeating: 0, count: number.digits.isEmpty ? 0 : number.exponent + places)
            number.exponent = -places
        }
        return number.plainText
    }

    /// Removes this many digits at the end.
    private mutating func drop(_ count: Int, halfToEven: Bool) {
        guard count > 0 else { return }
        exponent += count
        guard count <= digits.count else { return digits = [] }
        let kept = digits.count - count
        let isHalf = digits[kept] == 5 && digits[(kept + 1)...].allSatisfy { $0 == 0 }
        let isUp = halfToEven && isHalf ? kept > 0 && digits[kept - 1] % 2 == 1 : digits[kept] >= 5
        digits.removeLast(count)
        guard isUp else { return }
        let last = digits.lastIndex { $0 < 9 }
        for index in digits.indices.suffix(digits.count - 1 - (last ?? -1)) { digits[index] = 0 }
        if let last { digits[last] += 1 } else { digits.insert(1, at: 0) }
    }

    // MARK: Text

    /// The number as JSON: without a power of ten, unless there would be many zeros.
    var text: String {
        let isPlain = exponent <= 12 && exponent + digits.count > -12
        if isPlain || digits.isEmpty { return plainText }
        let whole = DecimalNumber(isNegative, digits, 1 - digits.count)?.plainText ?? "0"
        return "\(whole)e\(exponent + digits.count - 1)"
    }

    private var plainText: String {
        var text = digits.map { $0 + .zero } + [UInt8](repeating: .zero, count: max(0, exponent))
        let places = max(0, -exponent)
        if text.count <= places { text = [UInt8](repeating: .zero, count: places + 1 - text.count) + text }
        if places > 0 { text.insert(.point, at: text.count - places) }
        return (isNegative ? "-" : "") + String(decoding: text, as: UTF8.self)
    }
}
