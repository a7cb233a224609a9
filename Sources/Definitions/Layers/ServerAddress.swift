/// The parts of a base URL: `https://api.example.com:8443/v2`.
package struct ServerAddress: Sendable, Equatable {
    package let scheme: Scheme
    package let host: String
    package let port: Int?
    /// The path, which is empty or begins with a slash.
    package let path: String

    package struct Problem: Error, Equatable {
        /// The problem, as the rest of a sentence that begins with what the address is for.
        package let complaint: String
    }

    package init(_ text: String) throws(Problem) {
        guard let colon = text.range(of: "://") else {
            throw Problem(complaint: "takes a whole URL, beginning with http:// or https://")
        }
        guard let scheme = Scheme(rawValue: text[..<colon.lowerBound].lowercased()) else {
            throw Problem(complaint: "takes http or https")
        }
        let rest = text[colon.upperBound...]
        if let mark = rest.first(where: { $0 == "?" || $0 == "#" }) {
            throw Problem(complaint: "can't have a \(mark == "?" ? "query" : "fragment")")
        }
        let authority = rest.prefix { $0 != "/" }
        if authority.contains("@") { throw Problem(complaint: "can't have a user or password in it; use \"auth\"") }
        let (host, port) = try Self.hostAndPort(authority)
        self.scheme = scheme
        self.host = host
        self.port = port
        path = String(rest[authority.endIndex...])
    }

    private static func hostAndPort(_ authority: Substring) throws(Problem) -> (String, Int?) {
        // In an IPv6 address the colons are inside the brackets.
        let afterBracket = authority.lastIndex(of: "]").map(authority.index(after:)) ?? authority.startIndex
        guard let colon = authority[afterBracket...].firstIndex(of: ":") else {
            return (try checkedHost(authority), nil)
        }
        let digits = authority[authority.index(after: colon)...]
        guard let port = Int(digits), digits.allSatisfy(\.isASCII), (1...65535).contains(port), !digits.hasPrefix("+")
        else {
            throw Problem(complaint: "takes a port from 1 to 65535")
        }
        return (try checkedHost(authority[..<colon]), port)
    }

    private static func checkedHost(_ host: Substring) throws(Problem) -> String {
        guard isHost(String(host)) else { throw Problem(complaint: "needs a host name or address") }
        return String(host)
    }

    static func complaint(about text: String) -> String? {
        do throws(Problem) {
            _ = try ServerAddress(text)
            return nil
        } catch {
            return error.complaint
        }
    }

    /// Whether a text is a host alone, without scheme, port, path, user or whitespace.
    package static func isHost(_ text: String) -> Bool {
        if text.hasPrefix("["), text.hasSuffix("]") {
            let inner = text.dropFirst().dropLast()
            return inner.contains(":") && inner.utf8.allSatisfy { $0.isHexOrColonOrDot }
        }
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        var labels = text.split(separator: ".", omittingEmptySubsequences: false)
        // A name may end with a dot.
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        return (!isASCII || text.utf8.count <= 253)
            && labels.allSatisfy { label in
                !label.isEmpty && (!isASCII || label.utf8.count <= 63)
                    // Names in other scripts are converted when the request is built, and checked there.
                    && (isASCII ? label.utf8.allSatisfy(\.isNameByte) : label.unicodeScalars.allSatisfy(isInName))
            }
    }

    private static func isInName(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value > 0x20 && scalar.value != 0x7F && !"/?#@:[]\\<>^`{|}%\"".unicodeScalars.contains(scalar)
    }
}

extension UInt8 {
    fileprivate var isNameByte: Bool {
        self &- 0x30 < 10 || (self | 0x20) &- 0x61 < 26 || self == 0x2D || self == 0x5F
    }

    fileprivate var isHexOrColonOrDot: Bool {
        self &- 0x30 < 10 || (self | 0x20) &- 0x61 < 6 || self == 0x3A || self == 0x2E
    }
}

extension String {
    /// The first occurrence of a text.
    fileprivate func range(of needle: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(needle) { return start..<index(start, offsetBy: needle.count) }
            start = index(after: start)
        }
        return nil
    }
}
