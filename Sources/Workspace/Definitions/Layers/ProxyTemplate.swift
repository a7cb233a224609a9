import ReqcliText

/// The proxy that a layer sets. It replaces the proxy of an earlier layer as a whole, so that no password is sent to another
/// proxy.
package struct ProxyTemplate: Sendable {
    /// The URL of the proxy; empty for no proxy.
    package var url: TextTemplate
    package var user: ValueTemplate?
    package var password: ValueTemplate?
    package var authentication = Authentication.basic
    package var isTunnel = false

    package enum Authentication: String, CaseIterable, Sendable {
        case basic
        case digest
    }
}

extension ProxyTemplate {
    static let table = ObjectShape<ProxyTemplate>(
        "proxy", title: "\"proxy\"", summary: "The proxy that requests go through, with its account.",
        [
            Field("url", .proxyURL, required: true, "The proxy: \"http://proxy.example.com:3128\".") { $0.url = $1 },
            Field("user", .scalarValue, "The user's name.") { $0.user = $1 },
            Field("password", .scalarValue, "The password, as a placeholder for a secret.") { $0.password = $1 },
            Field(
                "auth", Shape<Authentication>.word,
                "Send user and password as Basic (the default), or answer the proxy's Digest challenge."
            ) { $0.authentication = $1 },
            Field(
                "tunnel", .boolean,
                "true: use a tunnel (CONNECT) even for http URLs. For https, a tunnel is always used."
            ) {
                $0.isTunnel = $1
            },
        ], rules: [.needs("user", "password"), .needs("password", "user"), .needs("auth", "user")],
        initial: { ProxyTemplate(url: TextTemplate(literal: "", at: $0.place)) })
}

extension Shape where Value == ProxyTemplate {
    /// A proxy as an object, or only its URL.
    static let proxy = object(ProxyTemplate.table, or: .proxyURL, expects: "the URL of a proxy") { url, _ in
        ProxyTemplate(url: url)
    }
}

extension Shape where Value == TextTemplate {
    fileprivate static let proxyURL = template.checked(
        expects: "the URL of a proxy such as \"http://proxy.example.com:3128\", or \"\" for none"
    ) { template, _ in
        // The value is not quoted, because it may contain a password.
        template.literal.flatMap(ServerAddress.proxyComplaint(about:)).map {
            Complaint(.valueInvalid, "the URL of a proxy \($0)")
        }
    }
}
