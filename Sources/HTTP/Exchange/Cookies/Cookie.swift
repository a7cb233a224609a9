public import Foundation

/// A cookie in a jar (RFC 6265 §5.3).
public struct Cookie: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The value, including quotes.
    public var value: String
    /// The host that set the cookie, or the cookie's `Domain` attribute, in lowercase and without a leading dot.
    public var domain: String
    /// Whether the cookie is sent only to the host that set it.
    public var isHostOnly: Bool
    /// The path of the URLs that the cookie is sent to, including all paths below this path.
    public var path: String
    /// The expiry date; nil for a session cookie.
    public var expires: Date?
    /// Whether the cookie is sent only over https or to this machine.
    public var isSecure: Bool
    /// Whether scripts in a browser cannot read the cookie. This flag is stored only to be written to the jar's file.
    public var isHTTPOnly: Bool

    /// A cookie with these parts.
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

    /// Whether a request for this URL sends the cookie.
    func matches(_ url: URL) -> Bool {
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
    /// The reason why a jar cannot store a cookie with these bytes; nil if it can. The bytes must be valid both in the jar's file
    /// and in a request.
    static func flaw(in bytes: some Sequence<UInt8>) -> String? {
        if bytes.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) { return "it has a control character" }
        return String(bytes: bytes, encoding: .utf8) == nil ? "it is not UTF-8 text" : nil
    }

    /// The reason why a jar cannot store this cookie; nil if it can.
    var flaw: String? {
        // A jar's file separates fields with tabs. A header separates cookies with semicolons.
        if [name, value, path, domain].contains(where: { $0.utf8.contains(0x09) }) {
            return "it has a control character"
        }
        if [name, value].contains(where: { $0.utf8.contains(UInt8(ascii: ";")) }) { return "it has a semicolon" }
        return name.utf8.count + value.utf8.count > 4096 ? "its name and value have more than 4096 bytes" : nil
    }

    /// Whether this cookie would replace or hide a secure cookie (RFC 6265bis §5.7, "leave secure cookies alone"). An attacker on
    /// the network may have set this cookie.
    func isIntruding(on other: Cookie) -> Bool {
        other.isSecure && name == other.name && Self.path(path, isBelow: other.path)
            && (Self.host(domain, isWithin: other.domain) || Self.host(other.domain, isWithin: domain))
    }

    /// Whether others on the network cannot read the request. As in curl and browsers, this is true for https and for requests to
    /// this machine.
    static func isSecret(_ url: URL) -> Bool {
        url.scheme?.lowercased() == "https"
            || ["localhost", "127.0.0.1", "::1", "[::1]"].contains(url.host?.lowercased() ?? "")
    }

    /// Domain matching (§5.1.3). An IP address only matches itself.
    static func host(_ host: String, isWithin domain: String) -> Bool {
        host == domain || host.hasSuffix(".\(domain)") && !isAddress(host)
    }

    /// Path matching (§5.1.4).
    static func path(_ path: String, isBelow parent: String) -> Bool {
        let path = path.isEmpty ? "/" : path
        return path == parent || path.hasPrefix(parent.hasSuffix("/") ? parent : "\(parent)/")
    }

    static func isAddress(_ host: String) -> Bool {
        host.contains(":") || host.split(separator: ".").count == 4 && host.allSatisfy { $0.isNumber || $0 == "." }
    }
}
