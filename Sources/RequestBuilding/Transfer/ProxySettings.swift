/// The proxies that requests use. The default is none.
public struct ProxySettings: Hashable, Sendable {
    /// The proxy for http, such as `http://proxy.example.com:3128`.
    public var http: String?
    /// The proxy for https.
    public var https: String?
    /// Hosts that are reached without a proxy, separated by commas; `*` for all.
    public var exceptions: String?

    /// Proxies for the two schemes.
    public init(http: String? = nil, https: String? = nil, exceptions: String? = nil) {
        self.http = http
        self.https = https
        self.exceptions = exceptions
    }

    /// The proxies in the usual variables: `http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`.
    ///
    /// Each name may be uppercase, except `HTTP_PROXY`: in a CGI program it contains the client's `Proxy` header.
    public init(environment: [String: String]) {
        func value(_ names: String...) -> String? {
            names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        let all = value("all_proxy", "ALL_PROXY")
        self.init(
            http: value("http_proxy") ?? all, https: value("https_proxy", "HTTPS_PROXY") ?? all,
            exceptions: value("no_proxy", "NO_PROXY"))
    }
}

extension ProxySettings: CustomStringConvertible, CustomReflectable {
    /// The proxies without their users and passwords.
    public var description: String {
        let parts = [
            ("http", Self.withoutAccount(http)), ("https", Self.withoutAccount(https)), ("none for", exceptions),
        ]
        let named = parts.compactMap { name, value in value.map { "\(name) \($0)" } }
        return named.isEmpty ? "no proxy" : named.joined(separator: ", ")
    }

    /// Only the description: the URL of a proxy may contain a password.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }

    private static func withoutAccount(_ proxy: String?) -> String? {
        guard let proxy, let at = proxy.lastIndex(of: "@") else { return proxy }
        let scheme = proxy.firstRange(of: "://")?.upperBound ?? proxy.startIndex
        return scheme < at ? proxy[..<scheme] + "…" + proxy[at...] : proxy
    }
}
