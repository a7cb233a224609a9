import Foundation

/// The headers that a transport adds if the request does not have them; nil for a header that the transport does not add.
package struct WireDefaults: Sendable, Hashable {
    package var userAgent: String?
    package var accept: String?

    package init(userAgent: String?, accept: String? = "*/*") {
        self.userAgent = userAgent
        self.accept = accept
    }
}

/// A request as it is sent over HTTP/1.1. Transports send it and renderings show it.
package struct WireMessage: Sendable {
    package let method: String
    /// Path and query, never empty.
    package let target: String
    /// All headers in the order sent: Host, the transport's defaults, the request's own, Content-Length.
    package let headers: HeaderFields
    package let body: RequestBody?
    /// The size of the body; nil if it is not known.
    package let contentLength: Int?

    /// - Parameter fileSize: Returns a file's size in bytes; nil if the file is missing.
    package init(_ request: PreparedRequest, defaults: WireDefaults, fileSize: (String) -> Int?) {
        method = request.method.token
        target = Self.target(of: request.url)
        body = request.body
        contentLength = body?.size(fileSize: fileSize)
        let own = request.asking().headers
        var fields = HeaderFields()
        fields.append("Host", own["Host"] ?? Self.authority(of: request.url))
        let added = [("User-Agent", defaults.userAgent), ("Accept", defaults.accept)]
        for case (let name, let value?) in added where own[name] == nil { fields.append(name, value) }
        for field in own where !field.name.isSameHeader(as: "Host") { fields.append(field.name, field.value) }
        // If the request itself sets the length or the encoding of its body, no Content-Length is added.
        if let contentLength, own["Content-Length"] == nil, own["Transfer-Encoding"] == nil {
            fields.append("Content-Length", String(contentLength))
        }
        headers = fields
    }

    private static func target(of url: URL) -> String {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return "/" }
        let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        return parts.percentEncodedQuery.map { "\(path)?\($0)" } ?? path
    }

    /// Host and port for the Host header, without the scheme's default port and without an address's zone.
    private static func authority(of url: URL) -> String {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let host = parts.encodedHost
        else { return "" }
        let zoneless = host.hasPrefix("[") && host.contains("%") ? host.prefix { $0 != "%" } + "]" : host[...]
        let implied = parts.scheme?.lowercased() == "https" ? 443 : 80
        guard let port = parts.port, port != implied else { return String(zoneless) }
        return "\(zoneless):\(port)"
    }
}
