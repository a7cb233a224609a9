import Foundation
import ReqcliBasics

extension Cookie {
    /// Reads the `Set-Cookie` header of a response from this URL (RFC 6265bis §5.6, §5.7). Nil if the cookie must be ignored, for
    /// example because it is for another host's domain or for a public suffix.
    init?(setCookie text: String, from url: URL, now: Date, suffixes: PublicSuffixes) {
        guard let host = url.host?.lowercased() else { return nil }
        let parts = text.parts(at: UInt8(ascii: ";"))
        guard let pair = parts.first?.pair, let value = pair.value, !pair.name.isEmpty else { return nil }
        self.init(name: pair.name, value: value, domain: host, path: Self.defaultPath(of: url))
        var maximumAge: Date?
        var domain = ""
        for part in parts.dropFirst() {
            let (key, value) = (part.pair.name.lowercased(), part.pair.value ?? "")
            switch key {
            case "secure": isSecure = true
            case "httponly": isHTTPOnly = true
            case "path" where value.hasPrefix("/"): path = value
            case "expires": if let date = CookieDate.date(from: value) { expires = date }
            case "max-age":
                guard let seconds = Int64(value) else { continue }
                maximumAge = seconds <= 0 ? .distantPast : now.addingTimeInterval(Double(min(seconds, 1 << 33)))
            case "domain": domain = (value.hasPrefix(".") ? String(value.dropFirst()) : value).lowercased()
            default: break
            }
        }
        if let maximumAge { expires = maximumAge }
        guard take(domain, from: host, suffixes), keepsPrefixPromise(url) else { return nil }
        // A secure cookie cannot be set over a connection that others can read.
        if isSecure, !Self.isSecret(url) { return nil }
    }

    /// Applies the `Domain` attribute; false if the cookie must be ignored because of this attribute.
    private mutating func take(_ domain: String, from host: String, _ suffixes: PublicSuffixes) -> Bool {
        if domain.isEmpty || domain == host && Self.isAddress(host) { return true }
        guard Self.host(host, isWithin: domain) else { return false }
        switch suffixes.contains(domain) {
        // A public suffix such as `github.io` can have its own cookies.
        case true?: return domain == host
        // The domain may be a public suffix, so the cookie is only for the host that set it.
        case nil: return true
        case false?:
            self.domain = domain
            isHostOnly = false
            return true
        }
    }

    /// The directory of the request's path (§5.1.4).
    private static func defaultPath(of url: URL) -> String {
        let path = url.path(percentEncoded: true)
        guard path.hasPrefix("/"), let last = path.lastIndex(of: "/"), last != path.startIndex else { return "/" }
        return String(path[..<last])
    }

    /// Whether the cookie was set as its `__Secure-` or `__Host-` prefix requires.
    private func keepsPrefixPromise(_ url: URL) -> Bool {
        if name.hasPrefix("__Secure-") { return isSecure }
        if name.hasPrefix("__Host-") { return isSecure && isHostOnly && path == "/" }
        return true
    }
}

extension String {
    /// The parts of the string between the bytes that equal `mark`. Compares bytes, because a separator and a combining mark
    /// after it form a single `Character`, although other programs split the string at the separator.
    func parts(at mark: UInt8) -> [String] {
        utf8.split(separator: mark, omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    /// The text before and after the first `=`.
    fileprivate var pair: (name: String, value: String?) {
        guard let equals = utf8.firstIndex(of: UInt8(ascii: "=")) else { return (String(trimmingSpacesAndTabs), nil) }
        return (
            String(self[..<equals].trimmingSpacesAndTabs),
            String(self[utf8.index(after: equals)...].trimmingSpacesAndTabs)
        )
    }
}

/// Dates in cookies, which have many forms (RFC 6265 §5.1.1). The parts are recognized in any order.
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
