import HTTPWire
import ReqcliAssembly
import ReqcliBasics
package import ReqcliMocking

/// The rules for the hosts that a server responds for, and for the pages that may read its responses.
package struct BrowserRules: Sendable {
    /// The origins that may read responses, in addition to the pages of this machine.
    package enum Sharing: Sendable, Equatable {
        case thisMachine
        case origins([String])
        case everybody
        case nobody
    }

    package let sharing: Sharing
    private let allowedHosts: [String]

    /// - Parameter allowedHosts: Host names that are accepted in addition to the names of this machine, in lowercase.
    package init(sharing: Sharing = .thisMachine, allowedHosts: [String] = []) {
        self.sharing = sharing
        self.allowedHosts = allowedHosts
    }

    // MARK: Hosts

    /// Whether the server accepts requests for a host. This check prevents DNS rebinding, in which a web page uses a host name
    /// that points to this machine, in order to reach the server.
    package func accepts(host authority: String?) -> Bool {
        guard let authority else { return true }
        let host = AuthorityHost(authority)
        return host.isAddress || host.isThisMachine || allowedHosts.contains(host.text)
    }

    // MARK: Origins

    /// The headers that allow a page to read the response. A page that may not read the response gets no such header.
    package func sharingHeaders(for request: IncomingRequest) -> AddedHeaders {
        if sharing == .nobody { return .none }
        if sharing == .everybody { return .forEverybody }
        guard let origin = request.header("Origin"), accepts(origin: origin) else { return .forNobodyElse }
        return AddedHeaders([
            ("Access-Control-Allow-Origin", origin), ("Access-Control-Allow-Credentials", "true"), ("Vary", "Origin"),
        ])
    }

    package func accepts(origin: String) -> Bool {
        if case .origins(let origins) = sharing { return origins.contains(origin) }
        guard let mark = origin.utf8.firstRange(of: "://".utf8) else { return false }
        let host = AuthorityHost(String(origin[mark.upperBound...]))
        return host.isThisMachine || host.text == "127.0.0.1" || host.text == "[::1]"
    }

    /// The reason why a web page may not reach another server through this server. Nil if the page may, and nil for clients that
    /// are not browsers.
    ///
    /// Without this check, any page on the web could call that server through this one, and have its responses written to files.
    func objectionToPage(of request: IncomingRequest) -> String? {
        let origins = request.headers(named: "Origin")
        if sharing == .everybody { return nil }
        if let origin = origins.first {
            let isAllowed =
                origins.count == 1 && (request.isOwn(origin: origin) || (sharing != .nobody && accepts(origin: origin)))
            return isAllowed
                ? nil
                : "a page of \(origin.quoted) may not reach another server through this one; --cors ORIGIN allows it"
        }
        // A browser that follows a link, or shows an image, sends no Origin.
        let sites = request.headers(named: "Sec-Fetch-Site")
        guard sites.contains(where: { $0.lowercased() == "cross-site" }) else { return nil }
        return "a page of another site may not reach another server through this one; --cors ORIGIN allows it"
    }

    /// The headers of the response to a CORS preflight request; nil for any other request.
    package func preflight(_ request: IncomingRequest) -> [(name: String, value: String)]? {
        guard sharing != .nobody, request.method == "OPTIONS", !request.headers(named: "Origin").isEmpty,
            let method = request.header("Access-Control-Request-Method")
        else { return nil }
        let shared = sharingHeaders(for: request).fields
        guard shared.contains(where: { $0.name == "Access-Control-Allow-Origin" }) else { return shared }
        let headers = request.headers(named: "Access-Control-Request-Headers").joined(separator: ", ")
        let isToLocal = request.headers(named: "Access-Control-Request-Private-Network") == ["true"]
        return shared + [("Access-Control-Allow-Methods", method)]
            + (isToLocal ? [("Access-Control-Allow-Private-Network", "true")] : [])
            + (headers.isEmpty ? [] : [("Access-Control-Allow-Headers", headers)])
            + [("Access-Control-Max-Age", "600")]
    }
}

/// The host of an authority such as `localhost:8080`, in lowercase.
private struct AuthorityHost {
    let authority: String
    /// The offset at which the host ends in the authority.
    let end: Int
    /// Whether the host is an IP address, and not a name.
    let isAddress: Bool

    init(_ authority: String) {
        self.authority = authority
        var copy = authority
        (end, isAddress) = copy.withUTF8 { bytes in
            let isBracketed = bytes.first == .openBracket
            let mark = bytes.firstIndex(of: isBracketed ? .closeBracket : .colon)
            let end = mark.map { isBracketed ? $0 + 1 : $0 } ?? bytes.count
            return (end, isBracketed || Self.isIPv4(UnsafeBufferPointer(rebasing: bytes[..<end])))
        }
    }

    /// The host as a string. Computed only when needed, because an IP address, the host of most requests, is accepted without it.
    var text: String { String(Substring(authority.utf8.prefix(end))).asciiLowercased }

    var isThisMachine: Bool {
        let text = text
        return text == "localhost" || text.hasSuffix(".localhost")
    }

    private static func isIPv4(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var (points, digits) = (0, 0)
        for byte in bytes {
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
}

/// Headers that are added after the headers of a response. The lines of the usual headers are made once, not for each response.
package struct AddedHeaders: Sendable {
    package let fields: [(name: String, value: String)]
    let lines: [UInt8]

    init(_ fields: [(name: String, value: String)]) {
        self.fields = fields
        lines = HeadWriter.lines(fields)
    }

    package static let none = AddedHeaders([])
    fileprivate static let forEverybody = AddedHeaders([("Access-Control-Allow-Origin", "*")])
    /// Tells caches to keep the responses for different pages apart.
    fileprivate static let forNobodyElse = AddedHeaders([("Vary", "Origin")])
}
