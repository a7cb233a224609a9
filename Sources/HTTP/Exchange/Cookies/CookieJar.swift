public import Foundation
import ReqcliBasics

/// A store for cookies by the rules of RFC 6265: responses set them, and requests send them.
public struct CookieJar: Hashable, Sendable {
    /// The cookies, oldest first.
    public private(set) var cookies: [Cookie] = []

    /// The maximum number of cookies. The oldest ones are dropped.
    static let limit = 3000

    /// An empty jar.
    public init() {}

    /// Adds a cookie. It replaces one with the same name, domain and path; an expired one removes it.
    public mutating func set(_ cookie: Cookie, now: Date) {
        let index = cookies.firstIndex {
            $0.name == cookie.name && $0.domain == cookie.domain && $0.path == cookie.path
        }
        if let index {
            // The position shows the age, which is that of the first cookie.
            if cookie.isExpired(at: now) { cookies.remove(at: index) } else { cookies[index] = cookie }
        } else if !cookie.isExpired(at: now) {
            cookies.append(cookie)
            if cookies.count > Self.limit { cookies.removeFirst() }
        }
    }

    /// Stores the cookies in the `Set-Cookie` headers of a response.
    ///
    /// - Returns: The cookies that the jar cannot store although RFC 6265 accepts them, with the reasons. Cookies that clients
    ///   must ignore by that RFC, such as one for another host's domain, are not included.
    @discardableResult
    public mutating func store(
        _ setCookies: [String], from url: URL, now: Date, suffixes: PublicSuffixes = .system
    ) -> [RefusedCookie] {
        store(setCookies.map { Array($0.utf8) }, from: url, now: now, suffixes: suffixes)
    }

    /// Stores the cookies in headers, given as the bytes that were sent.
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
    public mutating func removeExpired(at now: Date) {
        cookies.removeAll { $0.isExpired(at: now) }
    }

    /// The cookies for a request: longer paths first, then older cookies.
    public func cookies(for url: URL, now: Date) -> [Cookie] {
        cookies.filter { $0.matches(url) && !$0.isExpired(at: now) }.enumerated()
            .sorted { ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset) }
            .map(\.element)
    }

    /// The `Cookie` header for a request; nil if there are no cookies.
    public func header(for url: URL, now: Date) -> String? {
        let matching = cookies(for: url, now: now)
        return matching.isEmpty ? nil : matching.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }
}

/// A cookie that a jar does not store.
public struct RefusedCookie: Hashable, Sendable, CustomStringConvertible {
    /// The name, if there is one.
    public let name: String
    /// The host that set it, or the domain in the jar's file.
    public let host: String
    /// The reason why it is not stored.
    public let reason: String

    /// One line, without the value.
    public var description: String { "cookie \"\(name.prefix(80))\" of \(host) is not kept: \(reason)" }
}
