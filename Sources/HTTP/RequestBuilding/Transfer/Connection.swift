import Foundation

/// A version of HTTP that a request is sent with.
public enum ProtocolVersion: String, Hashable, Sendable, CaseIterable {
    /// HTTP/1.0
    case http10 = "1.0"
    /// HTTP/1.1
    case http11 = "1.1"
    /// HTTP/2 from the first byte, without negotiation; also over plain TCP.
    case http2 = "2"
}

/// An address to use instead of a DNS lookup.
public struct ResolvedHost: Hashable, Sendable, CustomStringConvertible {
    /// The host as in the URL.
    public var host: String
    /// The port as in the URL, or the scheme's default.
    public var port: Int
    /// The address to connect to.
    public var address: String

    /// An address for a host and port.
    public init(host: String, port: Int, address: String) {
        self.host = host
        self.port = port
        self.address = address
    }

    /// `HOST:PORT:ADDRESS`, with an IPv6 address in brackets.
    public var description: String { "\(host):\(port):\(address.contains(":") ? "[\(address)]" : address)" }
}

/// A server to connect to instead of the server that the URL names.
package struct ConnectionDetour: Hashable, Sendable, CustomStringConvertible {
    /// The host in the URL, with brackets around an IPv6 address; nil for any host.
    package var host: String?
    /// The port in the URL, or the scheme's default; nil for any port.
    package var port: Int?
    /// The host to connect to, with brackets around an IPv6 address; nil for the host in the URL.
    package var otherHost: String?
    /// The port to connect to; nil for the port in the URL.
    package var otherPort: Int?

    /// A detour from one host and port to another host and port.
    package init(host: String? = nil, port: Int? = nil, otherHost: String? = nil, otherPort: Int? = nil) {
        self.host = host
        self.port = port
        self.otherHost = otherHost
        self.otherPort = otherPort
    }

    /// `HOST1:PORT1:HOST2:PORT2`, with nothing in place of a part that is nil.
    package var description: String {
        [host, port.map(String.init), otherHost, otherPort.map(String.init)].map { $0 ?? "" }.joined(separator: ":")
    }
}

/// A user and a password.
public struct Account: Hashable, Sendable {
    /// The user's name.
    public var user: String
    /// The password. Descriptions of the account never show it.
    public var password: String

    /// An account.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    /// The value of Authorization in the Basic scheme (RFC 7617).
    package var basicAuthorization: String { "Basic " + Data("\(user):\(password)".utf8).base64EncodedString() }
}

extension Account: DescribedAlone {
    /// Only the user's name.
    public var description: String { user }
}

/// A file of user names and passwords by host.
package enum NetrcSource: Hashable, Sendable {
    /// `.netrc` in the home folder.
    case home
    /// The file at this path.
    case file(String)
}

extension TransferSettings {
    /// The maximum number of bytes in the path of a unix socket. The address of a socket has no room for more.
    package static let longestSocketPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
}
