import ReqcliBasics

/// Dates, times and durations as RFC 3339 writes them.
enum DateTimeText {
    static func isDateTime(_ text: String) -> Bool {
        var scanner = ByteScanner(text)
        return scanner.date() && (scanner.take("T") || scanner.take("t")) && scanner.time() && scanner.isAtEnd
    }

    static func isDate(_ text: String) -> Bool {
        var scanner = ByteScanner(text)
        return scanner.date() && scanner.isAtEnd
    }

    static func isTime(_ text: String) -> Bool {
        var scanner = ByteScanner(text)
        return scanner.time() && scanner.isAtEnd
    }

    /// A duration (RFC 3339, appendix A): no unit may be missing between two others, and weeks can't be combined with other
    /// units.
    static func isDuration(_ text: String) -> Bool {
        var scanner = ByteScanner(text)
        guard scanner.take("P") else { return false }
        let start = scanner
        if scanner.number(), scanner.take("W") { return scanner.isAtEnd }
        scanner = start
        if scanner.next.map(\.isDigit) == true {
            guard scanner.units("YMD") else { return false }
            if scanner.isAtEnd { return true }
        }
        return scanner.take("T") && scanner.units("HMS") && scanner.isAtEnd
    }
}

extension ByteScanner {
    fileprivate mutating func date() -> Bool {
        guard let year = digits(4), take("-"), let month = digits(2), take("-"), let day = digits(2),
            (1...12).contains(month)
        else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let length = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
        return (1...length).contains(day)
    }

    fileprivate mutating func time() -> Bool {
        guard let hour = digits(2), take(":"), let minute = digits(2), take(":"), let second = digits(2),
            hour < 24, minute < 60, second <= 60
        else { return false }
        if take("."), !number() { return false }
        var minutes = hour * 60 + minute
        if !take("Z"), !take("z") {
            let isAhead = take("+")
            guard isAhead || take("-"), let hours = digits(2), take(":"), let rest = digits(2), hours < 24, rest < 60
            else { return false }
            minutes += (hours * 60 + rest) * (isAhead ? -1 : 1)
        }
        // A leap second is the last second of a day in UTC.
        let day = 24 * 60
        return second < 60 || (minutes + day) % day == day - 1
    }

    /// Reads numbers, each followed by a unit. The units must be in the given order, and no unit may be missing between two
    /// others.
    fileprivate mutating func units(_ units: String) -> Bool {
        var rest = Array(units.utf8)[...]
        var isFirst = true
        while let next, next.isDigit {
            guard number(), let unit = self.next, let position = rest.firstIndex(of: unit),
                isFirst || position == rest.startIndex
            else { return false }
            isFirst = false
            rest = rest[(position + 1)...]
            advance()
        }
        return !isFirst
    }
}

/// Reads a text byte by byte.
struct ByteScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: some StringProtocol) { bytes = Array(text.utf8) }

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }
    var isAtEnd: Bool { position == bytes.count }
    mutating func advance() { position += 1 }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let next, UInt32(next) == character.value else { return false }
        position += 1
        return true
    }

    /// The value of a number with exactly this many digits.
    mutating func digits(_ count: Int) -> Int? {
        var value = 0
        for _ in 0..<count {
            guard let next, next.isDigit else { return nil }
            value = value * 10 + Int(next - .zero)
            position += 1
        }
        return value
    }

    /// Skips digits. Returns false if there are no digits.
    mutating func number() -> Bool { skip(\.isDigit) > 0 }

    /// Skips bytes and returns their number.
    mutating func skip(_ isSkipped: (UInt8) -> Bool) -> Int {
        let start = position
        while let next, isSkipped(next) { position += 1 }
        return position - start
    }
}
