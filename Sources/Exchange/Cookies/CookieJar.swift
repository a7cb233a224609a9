public import Foundation

/// Cookies by the rules of RFC 6265: what answers set, and what requests carry.
public struct CookieJar: Hashable, Sendable {
    /// The cookies, oldest first.
    public private(set) var cookies: [Cookie] = []

    /// No server can make the jar larger than this; the oldest give way.
    static let limit = 3000

    /// An empty jar.
    public init() {}

    /// Adds a cookie; one of the same name, domain and path is replaced, one that has ended is removed.
    public mutating func set(_ cookie: Cookie, now: Date) {
        let index = cookies.firstIndex {
            $0.name == cookie.name && $0.domain == cookie.domain && $0.path == cookie.path
        }
        if let index {
            // The place shows the age, and the age is that of the first.
            if cookie.isExpired(at: now) { cookies.remove(at: index) } else { cookies[index] = cookie }
        } else if !cookie.isExpired(at: now) {
            cookies.append(cookie)
            if cookies.count > Self.limit { cookies.removeFirst() }
        }
    }

    /// Takes the `Set-Cookie` headers of an answer.
    public mutating func store(_ setCookies: [String], from url: URL, now: Date) {
        for text in setCookies {
            if let cookie = Cookie(setCookie: text, from: url, now: now) { set(cookie, now: now) }
        }
    }

    /// Forgets the cookies that have ended.
    public mutating func removeExpired(at now: Date) {
        cookies.removeAll { $0.isExpired(at: now) }
    }

    /// The cookies that a request carries: longer paths first, then older cookies.
    public func cookies(for url: URL, now: Date) -> [Cookie] {
        cookies.filter { $0.matches(url) && !$0.isExpired(at: now) }.enumerated()
            .sorted { ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset) }
            .map(\.element)
    }

    /// The `Cookie` header for a request, or nil.
    public func header(for url: URL, now: Date) -> String? {
        let matching = cookies(for: url, now: now)
        return matching.isEmpty ? nil : matching.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }
}
