public import Foundation

/// A cookie as a jar keeps it (RFC 6265 §5.3).
public struct Cookie: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The value, quotes and all.
    public var value: String
    /// The host that set it, or the domain that it is for, in lower case and without a leading dot.
    public var domain: String
    /// True if it goes to the host that set it alone.
    public var isHostOnly: Bool
    /// The path below which it is sent.
    public var path: String
    /// When it ends; nil with the session.
    public var expires: Date?
    /// True if it goes over https alone, and to this machine.
    public var isSecure: Bool
    /// True if it is not for scripts; kept for the file's sake.
    public var isHTTPOnly: Bool

    /// A cookie of these parts.
    public init(
        name: String, value: String, domain: String, isHostOnly: Bool = true, path: String = "/",
        expires: Date? = nil, isSecure: Bool = false, isHTTPOnly: Bool = false
    ) {
        self.name = name
        self.value = value
        self.domain = domain
        self.isHostOnly = isHostOnly
        self.path = path
        self.expires = expires
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
    }

    /// True if a request for this URL carries the cookie.
    public func matches(_ url: URL) -> Bool {
        guard let host = url.host?.lowercased() else { return false }
        if isSecure, !Self.isSecret(url) { return false }
        let isHost = isHostOnly ? host == domain : Self.host(host, isWithin: domain)
        return isHost && Self.path(url.path(percentEncoded: true), isBelow: path)
    }

    func isExpired(at now: Date) -> Bool {
        expires.map { $0 <= now } ?? false
    }
}

extension Cookie: CustomStringConvertible {
    /// Name, domain and path, without the value.
    public var description: String { "\(name) for \(domain)\(path)" }
}

extension Cookie {
    /// Why a jar can't keep a cookie with this text in it: neither its file nor a request could carry it. Nil if they can.
    static func flaw(in bytes: some Sequence<UInt8>) -> String? {
        if bytes.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) { return "it has a control character" }
        return String(bytes: bytes, encoding: .utf8) == nil ? "it is not UTF-8 text" : nil
    }

    /// The same for what the fields hold.
    var flaw: String? {
        // A jar's file has tabs between its fields, a header semicolons between its cookies.
        if [name, value, path, domain].contains(where: { $0.utf8.contains(0x09) }) {
            return "it has a control character"
        }
        if [name, value].contains(where: { $0.utf8.contains(UInt8(ascii: ";")) }) { return "it has a semicolon" }
        return name.utf8.count + value.utf8.count > 4096 ? "its name and value have more than 4096 bytes" : nil
    }

    /// True if a cookie that somebody on the way may have set would take the place of a secure one, or hide it (RFC 6265bis
    /// §5.7, "leave secure cookies alone").
    func isIntruding(on other: Cookie) -> Bool {
        other.isSecure && name == other.name && Self.path(path, isBelow: other.path)
            && (Self.host(domain, isWithin: other.domain) || Self.host(other.domain, isWithin: domain))
    }

    /// True where nobody on the way can read along: over https, and to this machine, as curl and browsers have it.
    static func isSecret(_ url: URL) -> Bool {
        url.scheme?.lowercased() == "https"
            || ["localhost", "127.0.0.1", "::1", "[::1]"].contains(url.host?.lowercased() ?? "")
    }

    /// Domain-matching (§5.1.3): an address is only ever itself.
    static func host(_ host: String, isWithin domain: String) -> Bool {
        host == domain || host.hasSuffix(".\(domain)") && !isAddress(host)
    }

    /// Path-matching (§5.1.4).
    static func path(_ path: String, isBelow parent: String) -> Bool {
        let path = path.isEmpty ? "/" : path
        return path == parent || path.hasPrefix(parent.hasSuffix("/") ? parent : "\(parent)/")
    }

    static func isAddress(_ host: String) -> Bool {
        host.contains(":") || host.split(separator: ".").count == 4 && host.allSatisfy { $0.isNumber || $0 == "." }
    }
}
