/// The proxies that requests use. The default is none.
public struct ProxySettings: Hashable, Sendable {
    /// The proxy for http, such as `http://proxy.example.com:3128`. Its scheme may also be https, socks4, socks4a, socks5 or
    /// socks5h. An empty string means no proxy.
    public var http: String?
    /// The proxy for https.
    public var https: String?
    /// Hosts that are reached without a proxy, separated by commas. An entry is a name (with all names below it), an address, or a
    /// network such as `10.0.0.0/8`. The entry `*` means all hosts.
    public var exceptions: String?
    /// The account for the proxy. If it is nil, the account in the proxy's URL is used.
    public var account: Account?
    /// Whether the account is used for Digest challenges. If not, the account is sent as Basic credentials.
    public var usesDigest = false
    /// Whether http requests also go through a tunnel (CONNECT). https requests always do.
    public var isTunnel = false
    /// Headers that are sent only to the proxy.
    public var headers: HeaderFields = [:]

    /// Proxies for the two schemes.
    public init(http: String? = nil, https: String? = nil, exceptions: String? = nil) {
        self.http = http
        self.https = https
        self.exceptions = exceptions
    }

    /// One proxy for both schemes. An empty string means no proxy.
    public init(_ url: String, account: Account? = nil, usesDigest: Bool = false, isTunnel: Bool = false) {
        self.init(http: url, https: url)
        self.account = account
        self.usesDigest = usesDigest
        self.isTunnel = isTunnel
    }

    /// The schemes that the URL of a proxy may have.
    package static let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

    /// A copy of these settings. A proxy or a list of exceptions that is nil here is taken from the other settings.
    package func completed(by others: ProxySettings) -> ProxySettings {
        var result = self
        result.http = http ?? others.http
        result.https = https ?? others.https
        result.exceptions = exceptions ?? others.exceptions
        return result
    }

    /// The names of the usual environment variables for proxies.
    package static let variables = [
        "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
    ]

    /// The proxies in the usual environment variables: `http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`.
    ///
    /// Each name may be uppercase, except `HTTP_PROXY`: in a CGI program, this variable contains the client's `Proxy` header.
    package init(environment: [String: String]) {
        func value(_ names: String...) -> String? {
            names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        let all = value("all_proxy", "ALL_PROXY")
        self.init(
            http: value("http_proxy") ?? all, https: value("https_proxy", "HTTPS_PROXY") ?? all,
            exceptions: value("no_proxy", "NO_PROXY"))
    }
}

extension ProxySettings: DescribedAlone {
    /// The proxies without the accounts in their URLs, and without the password.
    public var description: String {
        let urls =
            http == https
            ? [http.flatMap(Self.shown)]
            : [http.map { "http \(Self.shown($0) ?? "none")" }, https.map { "https \(Self.shown($0) ?? "none")" }]
        let all = urls + [exceptions.map { "none for \($0)" }, account.map { "user \($0.user)" }] + options
        let parts = all.compactMap(\.self)
        return parts.isEmpty ? "no proxy" : parts.joined(separator: ", ")
    }

    private var options: [String?] {
        let names = headers.map(\.name).joined(separator: " and ")
        return [usesDigest ? "digest" : nil, isTunnel ? "tunnel" : nil, names.isEmpty ? nil : "header \(names)"]
    }

    /// The URL without its account; nil if it is empty.
    private static func shown(_ proxy: String) -> String? { proxy.isEmpty ? nil : withoutAccount(proxy) }

    private static func withoutAccount(_ proxy: String) -> String {
        guard let at = proxy.lastIndex(of: "@") else { return proxy }
        let scheme = proxy.firstRange(of: "://")?.upperBound ?? proxy.startIndex
        return scheme < at ? proxy[..<scheme] + "…" + proxy[at...] : proxy
    }
}
