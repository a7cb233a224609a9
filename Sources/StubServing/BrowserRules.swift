import ASCII
package import Mocking

/// Which hosts a server answers for, and which pages may read its responses.
package struct BrowserRules: Sendable {
    /// Which origins may read responses beside the pages of this machine.
    package enum Sharing: Sendable, Equatable {
        case thisMachine
        case origins([String])
        case everybody
        case nobody
    }

    package let sharing: Sharing
    private let allowedHosts: [String]

    /// - Parameter allowedHosts: Names in `Host` that are accepted beside those of this machine, in lowercase.
    package init(sharing: Sharing = .thisMachine, allowedHosts: [String] = []) {
        self.sharing = sharing
        self.allowedHosts = allowedHosts
    }

    // MARK: Hosts

    /// Whether a page that has made a name of its own point here can't get at the server by it (DNS rebinding).
    package func accepts(host authority: String?) -> Bool {
        guard let authority else { return true }
        let host = Self.name(of: authority)
        return Self.isThisMachine(host) || Self.isAddress(host) || allowedHosts.contains(host)
    }

    private static func name(of authority: String) -> String {
        let text = authority.lowercased()
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") { return String(text[...end]) }
        return text.utf8.firstIndex(of: .colon).map { String(text[..<$0]) } ?? text
    }

    private static func isThisMachine(_ host: String) -> Bool { host == "localhost" || host.hasSuffix(".localhost") }

    private static func isAddress(_ host: String) -> Bool {
        if host.hasPrefix("[") { return true }
        var (points, digits) = (0, 0)
        for byte in host.utf8 {
            if byte == .point, digits > 0 {
                (points, digits) = (points + 1, 0)
            } else if byte.isDigit, digits < 3 {
                digits += 1
            } else {
                return false
            }
        }
        return points == 3 && digits > 0
    }

    // MARK: Origins

    /// The headers by which a page may read the response; none for an origin that may not.
    package func sharingHeaders(for request: IncomingRequest) -> [(name: String, value: String)] {
        if sharing == .nobody { return [] }
        if sharing == .everybody { return [("Access-Control-Allow-Origin", "*")] }
        guard let origin = request.header("Origin") else { return [("Vary", "Origin")] }
        guard accepts(origin: origin) else { return [("Vary", "Origin")] }
        return [
            ("Access-Control-Allow-Origin", origin), ("Access-Control-Allow-Credentials", "true"), ("Vary", "Origin"),
        ]
    }

    package func accepts(origin: String) -> Bool {
        if case .origins(let origins) = sharing { return origins.contains(origin) }
        guard let mark = origin.firstRange(of: "://") else { return false }
        let host = Self.name(of: String(origin[mark.upperBound...]))
        return Self.isThisMachine(host) || host == "127.0.0.1" || host == "[::1]"
    }

    /// The headers that answer the question whether a page may send a request; nil if this is no such question.
    package func preflight(_ request: IncomingRequest) -> [(name: String, value: String)]? {
        guard sharing != .nobody, request.method == "OPTIONS", !request.headers(named: "Origin").isEmpty,
            let method = request.header("Access-Control-Request-Method")
        else { return nil }
        let shared = sharingHeaders(for: request)
        guard shared.contains(where: { $0.name == "Access-Control-Allow-Origin" }) else { return shared }
        let headers = request.headers(named: "Access-Control-Request-Headers").joined(separator: ", ")
        let isToLocal = request.headers(named: "Access-Control-Request-Private-Network") == ["true"]
        return shared + [("Access-Control-Allow-Methods", method)]
            + (isToLocal ? [("Access-Control-Allow-Private-Network", "true")] : [])
            + (headers.isEmpty ? [] : [("Access-Control-Allow-Headers", headers)])
            + [("Access-Control-Max-Age", "600")]
    }
}
