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
}
