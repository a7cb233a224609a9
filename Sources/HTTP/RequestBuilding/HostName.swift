import Foundation
import ReqcliBasics

/// Converts a host as the user wrote it into the form for a URL, or says why it is not valid.
package enum HostName {
    /// Converts the host of an existing URL, which may be percent-encoded, into the form for a new URL; nil if it is
    /// not valid. An IPv6 address is in brackets.
    package static func inURL(_ bytes: ArraySlice<UInt8>) -> String? {
        guard let text = String(bytes: bytes, encoding: .utf8), text.hasPrefix("[") || !text.contains("]") else {
            return nil
        }
        // An IPv6 address is not decoded, because its zone begins with an escaped percent sign.
        return try? normalized(text.hasPrefix("[") ? text : PercentEncoding.decoded(text))
    }

    package static func isValid(_ text: String) -> Bool { (try? normalized(text)) != nil }

    /// The host in the form for a URL: names in other scripts in ASCII (IDNA), an IPv6 address in brackets.
    static func normalized(_ text: String) throws -> String {
        if text.isEmpty { throw StepFailure(.invalidHost, "a host can't be empty") }
        if text.utf8.contains(UInt8(ascii: ":")) || text.utf8.first == UInt8(ascii: "[") { return try address(text) }
        let ascii = text.utf8.allSatisfy { $0 < 0x80 } ? text : idnaForm(of: text)
        guard let ascii, isName(ascii) else {
            throw StepFailure(
                .invalidHost,
                "\(quoted(text)) is not a host name: expected letters, digits, \"-\" and \"_\" between dots, "
                    + "or an address such as 127.0.0.1 or [::1]")
        }
        return ascii
    }

    private static func idnaForm(of text: String) -> String? {
        var components = URLComponents()
        components.host = text
        return components.encodedHost
    }

    private static func isName(_ text: String) -> Bool {
        var label = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: ".") {
                if label == 0 { return false }
                label = 0
            } else {
                label += 1
                if label > 63 || !isNameByte(byte) { return false }
            }
        }
        // A name may end with a dot ("example.com."), so the last label may be empty if there is another label.
        return (1...253).contains(text.utf8.count)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || byte == .minus || byte == UInt8(ascii: "_")
    }

    private static func address(_ text: String) throws -> String {
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]") && text.utf8.count > 2
        let inner = isBracketed ? String(text.dropFirst().dropLast()) : text
        // The percent sign of a zone ("%eth0") is written as %25 in a URL. Both spellings are accepted.
        let pieces = inner.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard isIPv6(pieces[0]) else {
            let hint = text.contains("]") || text.filter { $0 == ":" }.count > 1 ? "" : "; give the port separately"
            throw StepFailure(.invalidHost, "\(quoted(text)) is not a host name or an IPv6 address\(hint)")
        }
        guard pieces.count == 2 else { return "[\(inner)]" }
        let zone = pieces[1].hasPrefix("25") ? pieces[1].dropFirst(2) : pieces[1]
        guard !zone.isEmpty, zone.utf8.allSatisfy(isNameByte) else {
            throw StepFailure(
                .invalidHost, "\(quoted(text)) has a zone that is not a name; expected e.g. [fe80::1%eth0]")
        }
        return "[\(pieces[0])%25\(zone)]"
    }

    /// Whether the text is an IPv6 address (RFC 4291): eight groups of up to four hex digits. One run of zero groups may be
    /// written as "::", and the last two groups as an IPv4 address.
    private static func isIPv6(_ text: Substring) -> Bool {
        let halves = text.components(separatedBy: "::")
        guard halves.count <= 2 else { return false }
        var count = 0
        for (index, half) in halves.enumerated() where !half.isEmpty {
            let groups = half.split(separator: ":", omittingEmptySubsequences: false)
            for (position, group) in groups.enumerated() {
                let isLast = index == halves.count - 1 && position == groups.count - 1
                if isLast, group.contains("."), isIPv4(group) {
                    count += 2
                } else if (1...4).contains(group.utf8.count), group.utf8.allSatisfy({ Character(.init($0)).isHexDigit })
                {
                    count += 1
                } else {
                    return false
                }
            }
        }
        return halves.count == 2 ? count <= 7 : count == 8
    }

    private static func isIPv4(_ text: Substring) -> Bool {
        let groups = text.split(separator: ".", omittingEmptySubsequences: false)
        return groups.count == 4
            && groups.allSatisfy { group in
                (1...3).contains(group.utf8.count) && group.utf8.allSatisfy(\.isDigit)
                    && (Int(group) ?? 256) < 256
            }
    }
}
