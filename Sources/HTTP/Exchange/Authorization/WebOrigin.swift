package import Foundation

/// An origin: scheme, host and port. Credentials are only sent to the origin that they belong to.
package struct WebOrigin: Hashable, Sendable {
    let scheme: String
    let host: String
    let port: Int

    package init(_ url: URL) {
        scheme = url.scheme?.lowercased() ?? ""
        host = url.host?.lowercased() ?? ""
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }

    /// The origin as a URL: `https://example.com:8443`, without the usual port of the scheme.
    package var text: String {
        let isAddress = host.contains(":") && !host.hasPrefix("[")
        let isUsual = port == (scheme == "https" ? 443 : 80)
        return "\(scheme)://\(isAddress ? "[\(host)]" : host)\(isUsual ? "" : ":\(port)")"
    }
}
