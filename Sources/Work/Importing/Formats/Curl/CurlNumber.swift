import ReqcliBasics

/// Reads numbers in the values of curl's options.
enum CurlNumber {
    /// A whole number, which may be negative: for some options, -1 means "no limit".
    static func count(_ text: String) -> Int? { text.utf8.allSatisfy { $0.isDigit || $0 == .minus } ? Int(text) : nil }

    /// A number of seconds. Digits after the third decimal place are ignored.
    static func duration(_ text: String) -> Duration? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let (whole, fraction) = (parts[0], parts.count > 1 ? parts[1] : "")
        guard text.utf8.count > 0, (whole + fraction).utf8.allSatisfy(\.isDigit), !(whole + fraction).isEmpty else {
            return nil
        }
        guard let seconds = Int(whole.isEmpty ? "0" : whole), seconds <= 1_000_000_000 else { return nil }
        let digits = String(fraction.prefix(3))
        let milliseconds = Int(digits + String(repeating: "0", count: 3 - digits.count)) ?? 0
        return .milliseconds(seconds * 1000 + milliseconds)
    }
}
