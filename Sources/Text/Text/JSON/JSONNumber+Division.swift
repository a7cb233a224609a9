import ReqcliBasics

extension JSONNumber {
    /// Whether the number can be a divisor: it is not 0 and has at most 18 digits.
    package var canDivide: Bool { !digits.isEmpty && digits.count <= 18 }

    /// Whether the number is a whole multiple of another number, computed without rounding. False if `divisor` can't be a
    /// divisor.
    package func isMultiple(of divisor: JSONNumber) -> Bool {
        guard divisor.canDivide else { return false }
        if digits.isEmpty { return true }
        // Treats both numbers as whole numbers times a power of ten. The last digit is not 0, so a negative power always leaves a
        // remainder.
        let power = (exponent - digits.count) - (divisor.exponent - divisor.digits.count)
        guard power >= 0 else { return false }
        let modulus = divisor.digits.reduce(UInt64(0)) { $0 * 10 + UInt64($1 - .zero) }
        // A divisor below 2^60 has fewer than 60 of the prime factors 2 and 5, so more than 60 zeros would not change the result.
        let zeros = repeatElement(UInt8.zero, count: min(power, 60))
        func rest(_ start: UInt64, _ digits: some Sequence<UInt8>) -> UInt64 {
            // All numbers here are below 10^19, which fits into 64 bits.
            digits.reduce(start) { ($0 * 10 + UInt64($1 - .zero)) % modulus }
        }
        return rest(rest(0, digits), zeros) == 0
    }
}
