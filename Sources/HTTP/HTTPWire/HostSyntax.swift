import ReqcliBasics

/// Checks a host with or without a port, as in Host fields and targets (RFC 3986, section 3.2).
///
/// An empty host is refused, because no `http` URL has an empty host (RFC 9110, section 4.2.1).
enum HostSyntax {
    static func isValid(_ range: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        guard let first = range.first else { return false }
        if bytes[first] == .openBracket {
            guard let end = bytes.firstIndex(of: .closeBracket, in: range) else { return false }
            let address = ((first + 1)..<end).map { bytes[$0] }
            return isIPv6(address[...]) && isPort((end + 1)..<range.upperBound, in: bytes)
        }
        let end = bytes.firstIndex(of: .colon, in: range) ?? range.upperBound
        return end > first && isName(first..<end, in: bytes) && isPort(end..<range.upperBound, in: bytes)
    }

    /// Whether the range is empty, or is a colon, perhaps with a port after it.
    private static func isPort(_ range: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        guard let colon = range.first else { return true }
        guard bytes[colon] == .colon, range.count <= 6 else { return false }
        var port = 0
        for index in (colon + 1)..<range.upperBound {
            guard bytes[index].isDigit else { return false }
            port = port * 10 + Int(bytes[index] - .zero)
        }
        return port <= 65_535
    }

    private static func isName(_ range: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            index += 1
            if byte.isAlphanumeric { continue }
            switch byte {
            case UInt8(ascii: "%"):
                guard index + 2 <= range.upperBound, bytes[index].hexValue != nil, bytes[index + 1].hexValue != nil
                else { return false }
                index += 2
            case .minus, .point, UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "!"), UInt8(ascii: "$"),
                UInt8(ascii: "&"), .apostrophe, UInt8(ascii: "("), UInt8(ascii: ")"), .asterisk, .plus, .comma,
                UInt8(ascii: ";"), UInt8(ascii: "="):
                continue
            default: return false
            }
        }
        return true
    }

    /// Whether this is an IPv6 address: eight groups of up to four digits. `::` may replace one or more groups, and an IPv4
    /// address may replace the last two groups.
    private static func isIPv6(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        var groups = 0
        var hasGap = rest.starts(with: [.colon, .colon])
        if hasGap { rest = rest.dropFirst(2) }
        while !rest.isEmpty {
            let group = rest.prefix { $0 != .colon }
            rest = rest[group.endIndex...]
            if rest.isEmpty, group.contains(.point) {
                guard isIPv4(group) else { return false }
                groups += 2
                break
            }
            guard (1...4).contains(group.count), group.allSatisfy({ $0.hexValue != nil }) else { return false }
            groups += 1
            guard rest.popFirst() != nil else { break }
            if rest.first == .colon {
                if hasGap { return false }
                hasGap = true
                rest = rest.dropFirst()
            } else if rest.isEmpty {
                return false
            }
        }
        return hasGap ? groups < 8 : groups == 8
    }

    private static func isIPv4(_ bytes: ArraySlice<UInt8>) -> Bool {
        let parts = bytes.split(separator: .point, omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                guard (1...3).contains(part.count), part.allSatisfy(\.isDigit), part.count == 1 || part.first != .zero
                else { return false }
                return part.reduce(0) { $0 * 10 + Int($1 - .zero) } <= 255
            }
    }
}
