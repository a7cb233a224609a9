/// Whether redirects are followed, and with which credentials.
public struct RedirectPolicy: Hashable, Sendable {
    /// Whether redirects are followed. If not, a redirect is returned like any other response.
    public var isFollowing: Bool
    /// The maximum number of redirects in a row.
    public var maximum: Int
    /// The origins that credentials and bodies with secrets are sent to.
    public var credentials: Credentials

    /// The origins that credentials and bodies with secrets are sent to.
    public enum Credentials: String, Hashable, Sendable {
        /// Only to the origin (scheme, host, port) of the first request.
        case sameOrigin
        /// To every origin that a redirect leads to.
        case anyHost
    }

    /// A policy. Without arguments it follows up to ten redirects and sends credentials only to the origin of the first request.
    public init(isFollowing: Bool = true, maximum: Int = 10, credentials: Credentials = .sameOrigin) {
        self.isFollowing = isFollowing
        self.maximum = maximum
        self.credentials = credentials
    }
}
