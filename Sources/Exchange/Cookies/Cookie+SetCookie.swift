import Foundation

extension Cookie {
    /// The cookie that a `Set-Cookie` header of an answer from this URL sets (RFC 6265 §5.2, §5.3); nil where it is to be
    /// ignored, as one for another host's domain or for a whole top-level domain is.
    init?(setCookie text: String, from url: URL, now: Date) {
        guard let host = url.host?.lowercased() else { return nil }
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map { String($0).trimmedBlanks }
        guard let pair = parts.first, let equals = pair.firstIndex(of: "=") else { return nil }
        let name = String(pair[..<equals]).trimmedBlanks
        let value = String(pair[pair.index(after: equals)...]).trimmedBlanks
        guard !name.isEmpty, WireSyntax.isFieldValue(text),
            !text.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\t" })
        else { return nil }
        self.init(name: name, value: value, domain: host, path: Self.defaultPath(of: url))
        var maximumAge: Date?
        for part in parts.dropFirst() {
            let (key, value) = Self.attribute(part)
            switch key {
            case "secure": isSecure = true
            case "httponly": isHTTPOnly = true
            case "path" where value.hasPrefix("/"): path = value
            case "expires": if let date = CookieDate.date(from: value) { expires = date }
            case "max-age":
                guard let seconds = Int64(value) else { continue }
                maximumAge = seconds <= 0 ? .distantPast : now.addingTimeInterval(Double(min(seconds, 1 << 33)))
            case "domain":
                let domain = (value.hasPrefix(".") ? String(value.dropFirst()) : value).lowercased()
                if domain.isEmpty || domain == host { isHostOnly = domain.isEmpty || Self.isAddress(host); continue }
                // Without a list of public suffixes, what has no dot is taken for one.
                guard Self.host(host, isWithin: domain), domain.contains(".") else { return nil }
                self.domain = domain
                isHostOnly = false
            default: break
            }
        }
        if let maximumAge { expires = maximumAge }
        guard keepsPrefixPromise(url) else { return nil }
        // A jar's file has tabs between its fields.
        guard ![self.name, self.value, path].contains(where: { $0.utf8.contains(UInt8(ascii: "\t")) }) else {
            return nil
        }
        // A cookie that nobody may read along can't be set where somebody can.
        if isSecure, !Self.isSecret(url) { return nil }
    }

    private static func attribute(_ part: String) -> (String, String) {
        let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(pair[0]).trimmedBlanks.lowercased(), pair.count > 1 ? String(pair[1]).trimmedBlanks : "")
    }

    /// The directory of the request's path (§5.1.4).
    private static func defaultPath(of url: URL) -> String {
        let path = url.path(percentEncoded: true)
        guard path.hasPrefix("/"), let last = path.lastIndex(of: "/"), last != path.startIndex else { return "/" }
        return String(path[..<last])
    }

    /// `__Secure-` and `__Host-` names promise how the cookie was set.
    private func keepsPrefixPromise(_ url: URL) -> Bool {
        if name.hasPrefix("__Secure-") { return isSecure }
        if name.hasPrefix("__Host-") { return isSecure && isHostOnly && path == "/" }
        return true
    }
}

/// Dates in cookies, whose forms are many (RFC 6265 §5.1.1): the parts are told by their looks, in any order.
enum CookieDate {
    static func date(from text: String) -> Date? {
        var clock: [Int]?
        var day: Int?
        var month: String?
        var year: Int?
        let isDelimiter: (Character) -> Bool = { !($0.isLetter || $0.isNumber || $0 == ":") }
        for word in text.split(whereSeparator: isDelimiter) {
            let number = Int(word.prefix { $0.isASCII && $0.isNumber })
            let time = word.split(separator: ":").compactMap { Int($0) }
            if clock == nil, word.contains(":"), time.count == 3 {
                clock = time
            } else if day == nil, let number, word.count <= 2 {
                day = number
            } else if month == nil, HTTPDate.isMonth(String(word.prefix(3)).capitalized) {
                month = String(word.prefix(3)).capitalized
            } else if year == nil, let number, word.count >= 2 {
                year = number
            }
        }
        guard let clock, let day, let month, let year else { return nil }
        return HTTPDate.date(
            day: "\(day)", month: month, year: "\(year)", time: clock.map(String.init).joined(separator: ":")
        )
        .flatMap { $0.timeIntervalSince1970 > -11_644_473_600 ? $0 : nil }
    }
}
