import ReqcliBasics

/// URIs (RFC 3986) and IRIs (RFC 3987) as formats.
enum URIText {
    static func isValid(_ text: String, isInternational: Bool, isReference: Bool) -> Bool {
        guard text.utf8.allSatisfy({ $0 > .space && $0 != 0x7F && (isInternational || $0 < 0x80) }) else {
            return false
        }
        let uri = URIReference(text)
        let isAllowed = Allowed(isInternational: isInternational)
        guard uri.scheme != nil || isReference else { return false }
        // If there is no scheme, the text before a colon in the first segment would look like a scheme.
        if uri.scheme == nil, uri.authority == nil,
            uri.path.prefix(while: { $0 != "/" }).utf8.contains(.colon)
        {
            return false
        }
        return isAllowed.text(uri.path, ":@/") && (uri.authority.map { isAuthority($0, isAllowed) } ?? true)
            && (uri.query.map { isAllowed.text($0, ":@/?", isQuery: true) } ?? true)
            && (uri.fragment.map { isAllowed.text($0, ":@/?") } ?? true)
    }

    private static func isAuthority(_ text: String, _ isAllowed: Allowed) -> Bool {
        var host = text[...]
        if let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) {
            guard isAllowed.text(text[..<at], ":") else { return false }
            host = text[text.utf8.index(after: at)...]
        }
        if host.utf8.first == .openBracket {
            guard let end = host.utf8.firstIndex(of: .closeBracket) else { return false }
            let rest = host[host.utf8.index(after: end)...]
            return isAddress(host[..<end].dropFirst()) && (rest.isEmpty || isPort(rest))
        }
        guard let colon = host.utf8.firstIndex(of: .colon) else { return isAllowed.text(host, "") }
        return isAllowed.text(host[..<colon], "") && isPort(host[colon...])
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.utf8.first == .colon && text.utf8.dropFirst().allSatisfy(\.isDigit)
    }

    /// Whether this is an IPv6 address, or an address of a future version: `v1.` and further characters.
    private static func isAddress(_ text: Substring) -> Bool {
        guard text.utf8.first.map({ $0.lowercased == UInt8(ascii: "v") }) == true else {
            return IPAddress.isVersion6(text)
        }
        let parts = text.utf8.dropFirst().split(separator: .point, maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty && parts[0].allSatisfy { $0.hexValue != nil } && !parts[1].isEmpty
            && parts[1].allSatisfy { $0.isAlphanumeric || "-._~!$&'()*+,;=:".utf8.contains($0) }
    }

    /// The characters that parts of a URI may have.
    private struct Allowed {
        let isInternational: Bool

        /// Whether the text has only characters that every part of a URI may have, escapes, and the characters in `others`.
        func text(_ text: some StringProtocol, _ others: String, isQuery: Bool = false) -> Bool {
            var digits = 0
            for scalar in text.unicodeScalars {
                if digits > 0 {
                    guard scalar.isASCII, UInt8(scalar.value).hexValue != nil else { return false }
                    digits -= 1
                } else if scalar == "%" {
                    digits = 2
                } else if scalar.isASCII {
                    guard
                        UInt8(scalar.value).isAlphanumeric || "-._~!$&'()*+,;=".unicodeScalars.contains(scalar)
                            || others.unicodeScalars.contains(scalar)
                    else { return false }
                } else if !isInternational || !Self.isUnicode(scalar, isQuery: isQuery) {
                    return false
                }
            }
            return digits == 0
        }

        /// Whether the character is in `ucschar` or, in a query, in `iprivate` of RFC 3987.
        private static func isUnicode(_ scalar: Unicode.Scalar, isQuery: Bool) -> Bool {
            switch scalar.value {
            case 0xE000...0xF8FF, 0xF0000...0x10FFFF: isQuery && scalar.value & 0xFFFF < 0xFFFE
            case 0xA0...0xFDCF, 0xFDF0...0xFFEF, 0x10000...0xDFFFF: scalar.value & 0xFFFF < 0xFFFE
            case 0xE1000...0xEFFFD: true
            default: false
            }
        }
    }
}

/// URI templates (RFC 6570).
enum URITemplate {
    static func isValid(_ text: String) -> Bool {
        var rest = text[...]
        while let open = rest.utf8.firstIndex(of: .openBrace) {
            let inside = rest[open...].dropFirst()
            guard let close = inside.utf8.firstIndex(of: .closeBrace), isLiteral(rest[..<open]),
                isExpression(inside[..<close])
            else { return false }
            rest = inside[inside.utf8.index(after: close)...]
        }
        return isLiteral(rest)
    }

    private static func isLiteral(_ text: Substring) -> Bool {
        let allowed = text.unicodeScalars.allSatisfy { scalar in
            scalar.value > 0x20 && scalar.value != 0x7F && !"\"<>\\^`{|}".unicodeScalars.contains(scalar)
        }
        return allowed && hasWholeEscapes(text)
    }

    private static func hasWholeEscapes(_ text: Substring) -> Bool {
        text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst().allSatisfy { part in
            part.count >= 2 && part.prefix(2).allSatisfy { $0.hexValue != nil }
        }
    }

    private static func isExpression(_ text: Substring) -> Bool {
        let hasOperator = text.utf8.first.map { "+#./;?&".utf8.contains($0) } ?? false
        return text.dropFirst(hasOperator ? 1 : 0).split(separator: ",", omittingEmptySubsequences: false)
            .allSatisfy(isVariable)
    }

    private static func isVariable(_ text: Substring) -> Bool {
        var name = text
        if name.hasSuffix("*") {
            name = name.dropLast()
        } else if let colon = name.utf8.firstIndex(of: .colon) {
            let length = name[colon...].utf8.dropFirst()
            guard (1...4).contains(length.count), length.allSatisfy(\.isDigit), length.first != .zero else {
                return false
            }
            name = name[..<colon]
        }
        return hasWholeEscapes(name)
            && name.utf8.split(separator: .point, omittingEmptySubsequences: false).allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "%") }
            }
    }
}
