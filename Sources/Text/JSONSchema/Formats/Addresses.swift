import ReqcliBasics

/// IP addresses as strings.
enum IPAddress {
    /// Four numbers up to 255, without leading zeros.
    static func isVersion4(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: "." as Character, omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy(\.isDigit), let number = Int(part) else {
                    return false
                }
                return number <= 255 && (part.utf8.count == 1 || part.utf8.first != .zero)
            }
    }

    /// Eight groups of up to four digits (RFC 4291). One run of zeros may be written as `::`, and the last two groups may be
    /// written as an IPv4 address.
    static func isVersion6(_ text: some StringProtocol) -> Bool {
        guard text.utf8.count <= 45 else { return false }
        let halves = String(text).split(separator: "::" as String, omittingEmptySubsequences: false)
        guard let last = halves.last, halves.count <= 2 else { return false }
        var count = 0
        for half in halves where !half.isEmpty {
            let groups = half.split(separator: ":" as Character, omittingEmptySubsequences: false)
            for (index, group) in groups.enumerated() {
                let isLast = index == groups.count - 1 && half.endIndex == last.endIndex
                if isLast, isVersion4(group) {
                    count += 2
                } else {
                    guard (1...4).contains(group.utf8.count), group.utf8.allSatisfy({ $0.hexValue != nil }) else {
                        return false
                    }
                    count += 1
                }
            }
        }
        return halves.count == 2 ? count <= 7 : count == 8
    }
}

/// Mail addresses (RFC 5321, and RFC 6531 for other scripts).
enum MailAddress {
    static func isValid(_ text: String, isInternational: Bool) -> Bool {
        guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return false }
        let (local, domain) = (text[..<at], text[text.utf8.index(after: at)...])
        guard (1...64).contains(local.utf8.count), isInternational || text.utf8.allSatisfy({ $0 < 0x80 }) else {
            return false
        }
        return (isQuoted(local) || isDotted(local)) && isDomain(String(domain), isInternational)
    }

    private static func isQuoted(_ local: Substring) -> Bool {
        let bytes = Array(local.utf8)
        guard bytes.count >= 2, bytes.first == .quote, bytes.last == .quote else { return false }
        var isEscaped = false
        for byte in bytes[1..<(bytes.count - 1)] {
            if byte < .space || byte == 0x7F || byte == .quote && !isEscaped { return false }
            isEscaped = byte == .backslash && !isEscaped
        }
        return !isEscaped
    }

    private static func isDotted(_ local: Substring) -> Bool {
        local.utf8.split(separator: .point, omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty
                && part.allSatisfy { $0.isAlphanumeric || $0 >= 0x80 || "!#$%&'*+-/=?^_`{|}~".utf8.contains($0) }
        }
    }

    private static func isDomain(_ domain: String, _ isInternational: Bool) -> Bool {
        guard domain.hasPrefix("["), domain.hasSuffix("]") else {
            return DomainName.isValid(domain, isInternational: isInternational)
        }
        let inner = domain.dropFirst().dropLast()
        if inner.lowercased().hasPrefix("ipv6:") { return IPAddress.isVersion6(inner.dropFirst(5)) }
        return IPAddress.isVersion4(inner)
    }
}

/// Formats with simple rules.
enum PlainFormats {
    static func isUUID(_ text: String) -> Bool {
        let groups = text.utf8.split(separator: .minus, omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.joined().allSatisfy { $0.hexValue != nil }
    }

    static func isJSONPointer(_ text: some StringProtocol) -> Bool {
        guard text.utf8.isEmpty || text.utf8.first == .slash else { return false }
        var isEscape = false
        for byte in text.utf8 {
            if isEscape, byte != .zero, byte != UInt8(ascii: "1") { return false }
            isEscape = byte == UInt8(ascii: "~")
        }
        return !isEscape
    }

    static func isRelativeJSONPointer(_ text: String) -> Bool {
        let digits = text.utf8.prefix(while: \.isDigit)
        guard let first = digits.first, first != .zero || digits.count == 1 else { return false }
        let rest = text[digits.endIndex...]
        return rest == "#" || isJSONPointer(rest)
    }
}
