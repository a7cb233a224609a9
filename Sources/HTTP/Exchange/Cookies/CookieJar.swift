public import Foundation
import ReqcliBasics

/// A store for cookies by the rules of RFC 6265: responses set cookies, and requests send them.
public struct CookieJar: Hashable, Sendable {
    /// The cookies, oldest first.
    public private(set) var cookies: [Cookie] = []

    /// The maximum number of cookies. If there are more, the oldest cookies are dropped.
    static let limit = 3000

    /// An empty jar.
    public init() {}

    /// Adds a cookie. The cookie replaces an old cookie with the same name, domain and path. If the new cookie has expired, it
    /// only removes the old one.
    public mutating func set(_ cookie: Cookie, now: Date) {
        let index = cookies.firstIndex {
            $0.name == cookie.name && $0.domain == cookie.domain && $0.path == cookie.path
        }
        if let index {
            // The position in the list shows the age of a cookie. A new cookie takes over the position of the old one, and so its
            // age.
            if cookie.isExpired(at: now) { cookies.remove(at: index) } else { cookies[index] = cookie }
        } else if !cookie.isExpired(at: now) {
            cookies.append(cookie)
            if cookies.count > Self.limit { cookies.removeFirst() }
        }
    }

    /// Stores the cookies in the `Set-Cookie` headers of a response.
    ///
    /// - Returns: The cookies that RFC 6265 accepts but the jar cannot store, with the reasons. Cookies that clients must ignore
    ///   by that RFC are not included, such as a cookie for another host's domain.
    @discardableResult
    package mutating func store(
        _ setCookies: [String], from url: URL, now: Date, suffixes: PublicSuffixes = .system
    ) -> [RefusedCookie] {
        store(setCookies.map { Array($0.utf8) }, from: url, now: now, suffixes: suffixes)
    }

    /// Stores the cookies in `Set-Cookie` headers, which are given as the bytes that were sent.
    mutating func store(
        _ setCookies: [[UInt8]], from url: URL, now: Date, suffixes: PublicSuffixes
    ) -> [RefusedCookie] {
        setCookies.compactMap { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            func refused(_ reason: String) -> RefusedCookie {
                let name = String(text.parts(at: UInt8(ascii: "="))[0].trimmingSpacesAndTabs)
                return RefusedCookie(name: name, host: url.host ?? "", reason: reason)
            }
            if let flaw = Cookie.flaw(in: bytes) { return refused(flaw) }
            guard let cookie = Cookie(setCookie: text, from: url, now: now, suffixes: suffixes) else { return nil }
            if let flaw = cookie.flaw { return refused(flaw) }
            if !Cookie.isSecret(url), !cookie.isSecure, cookies.contains(where: { cookie.isIntruding(on: $0) }) {
                return refused("a Secure cookie of that name can be set and deleted only over https")
            }
            set(cookie, now: now)
            return nil
        }
    }

    /// Removes expired cookies.
    package mutating func removeExpired(at now: Date) {
        cookies.removeAll { $0.isExpired(at: now) }
    }

    /// The cookies for a request. Cookies with longer paths are first. Among paths of equal length, older cookies are first.
    package func cookies(for url: URL, now: Date) -> [Cookie] {
        cookies.filter { $0.matches(url) && !$0.isExpired(at: now) }.enumerated()
            .sorted { ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset) }
            .map(\.element)
    }

    /// The `Cookie` header for a request; nil if there are no cookies.
    package func header(for url: URL, now: Date) -> String? {
        let matching = cookies(for: url, now: now)
        return matching.isEmpty ? nil : matching.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }
}

/// A cookie that a jar does not store.
package struct RefusedCookie: Hashable, Sendable, CustomStringConvertible {
    /// The name, if there is one.
    package let name: String
    /// The host that set the cookie, or the domain in the jar's file.
    package let host: String
    /// The reason why the cookie is not stored.
    package let reason: String

    /// One line, without the value.
    package var description: String { "cookie \"\(name.prefix(80))\" of \(host) is not kept: \(reason)" }
}
