import Foundation
import ReqcliText
@_spi(Generated) import RequestBuilding

/// The table of all transfer settings. A new setting needs its key in ``TransferSettings``, its row here, and its effect in the loader.
extension TransferRow {
    /// The keys of `timeout`. `explain` shows the settings of each object in this order.
    static let timeouts = [
        TransferRow(
            .connectTimeout, "connectTimeout", .bound, "The time until the connection is established, including TLS.",
            standard: Timeouts.standardConnect, curl: { [("--connect-timeout", $0.secondsText)] }),
        TransferRow(
            .firstByteTimeout, "firstByteTimeout", .bound,
            "The time from the last byte of the request to the first byte of the response."),
        TransferRow(
            .idleTimeout, "idleTimeout", .bound, "The longest time without any data in either direction.",
            standard: Timeouts.standardIdle,
            curl: { [("--speed-limit 1 --speed-time", String(Int($0.seconds.rounded(.up))))] }),
        TransferRow(
            .totalTimeout, "totalTimeout", .bound, "The time of the whole exchange, up to the last byte of the body.",
            curl: { [("-m", $0.secondsText)] }),
    ]

    static let redirects = [
        TransferRow(
            .followsRedirects, "followsRedirects", .boolean, "Whether to follow redirects.",
            flags: [
                Flag(
                    "follow", short: "L", "Follow redirects", kind: .toggle, otherwise: "as the files say, else no"
                )
            ]),
        TransferRow(
            .maximumRedirects, "maximumRedirects", .integer(TransferSettings.redirectLimits),
            "The maximum number of redirects in a row.",
            flags: [Flag("max-redirects", "Follow at most N redirects in a row; one more is an error")]),
        TransferRow(
            .redirectCredentials, "redirectCredentials", .word(of: [.anyHost]),
            "Send credentials and bodies with secrets to any host that a redirect names. By default, they are only sent to the original server."
        ),
    ]

    static let retry = [
        TransferRow(
            .retryTimes, "retryTimes", .integer(RetryPolicy.limits), "The maximum number of retries.",
            flags: [Flag("retry", "Retry up to N times after 429, 502, 503, 504 or no response")]),
        TransferRow(
            .retryStatuses, "retryStatuses", .retryStatuses,
            "Status codes to retry on, or \"any\" for all of 4xx and 5xx; 429, 502, 503 and 504 by default. A request without a response is retried, too."
        ),
        TransferRow(
            .retryMethods, "retryMethods", .methods,
            "Methods that may be retried; the safe and idempotent ones by default."),
        TransferRow(
            .retryDelay, "retryDelay", .duration,
            "The wait before the first retry; it doubles each time. Retry-After overrides it."),
    ]

    static let tls = [
        TransferRow(
            file: .authorities, "authorities",
            "A file with certificates to trust instead of the system's certificates.",
            flags: [Flag("ca", "Trust the certificates in this file instead of the system's")],
            curl: { [("--cacert", $0)] }),
        TransferRow(
            file: .certificate, "certificate", "A client certificate (PEM).",
            flags: [Flag("cert", "Present this client certificate (PEM)")],
            curl: { [("--cert", certificateArgument($0))] }),
        TransferRow(
            file: .certificateKey, "certificateKey", "The key of the client certificate.",
            flags: [Flag("key", "The key of the client certificate")], curl: { [("--key", $0)] }),
        TransferRow(
            .isInsecure, "isInsecure", .boolean, "Accept any certificate. reqcli warns about this with each request.",
            isKept: false, flags: [Flag("insecure", short: "k", "Accept any certificate", kind: .sets("true"))],
            curl: { $0 ? [("-k", nil)] : [] }),
        TransferRow(
            .minimumTLSVersion, "minimumTLSVersion", .word, "The oldest version of TLS to use.",
            curl: { [("--tlsv\($0.rawValue)", nil)] }),
        TransferRow(
            .maximumTLSVersion, "maximumTLSVersion", .word, "The newest version of TLS to use.",
            flags: [Flag("tls-max", "The newest version of TLS to use")], curl: { [("--tls-max", $0.rawValue)] }),
    ]

    /// The settings of the connection that are keys of a layer.
    static let layer = [
        TransferRow(
            .httpVersion, "httpVersion", .word,
            "The only version of HTTP to use; \"2\" also over http. By default, HTTP/2 if an https server offers it, else 1.1.",
            flags: [
                Flag("http1.0", "Use HTTP/1.0", kind: .sets("1.0")),
                Flag("http1.1", "Use HTTP/1.1, even if the server offers HTTP/2", kind: .sets("1.1")),
                Flag("http2", "Use only HTTP/2, even for http URLs (prior knowledge)", kind: .sets("2")),
            ])
    ]

    private static let address = [
        TransferRow(
            .unixSocket, "unixSocket", .socket, nil,
            flags: [Flag("unix-socket", "Connect to this Unix socket instead of the URL's host")],
            curl: { [("--unix-socket", $0)] }),
        TransferRow(
            list: .resolvedHosts, "resolvedHosts", .resolvedHost,
            flags: [Flag("resolve", "Use this address for a host and port instead of DNS", kind: .repeated)],
            curl: { $0.map { ("--resolve", $0.description) } }),
        TransferRow(
            list: .detours, "detours", .detour,
            flags: [
                Flag(
                    "connect-to",
                    "Connect to HOST2:PORT2 instead of HOST1:PORT1; an empty HOST1 or PORT1 matches any, an empty HOST2 or PORT2 keeps the URL's",
                    kind: .repeated
                )
            ], curl: { $0.map { ("--connect-to", $0.description) } }),
    ]

    private static let proxies = [
        TransferRow(
            .proxy, "proxy", .proxyURL, nil,
            flags: [
                Flag(
                    "proxy", short: "x", "Send through this proxy; '' means no proxy",
                    otherwise: "as the files say, else http_proxy and similar variables")
            ]),
        TransferRow(
            .noProxy, "noProxy", .noProxy, nil,
            flags: [
                Flag("noproxy", "Reach these hosts without the proxy: names, addresses, networks; '*' means all")
            ]),
        TransferRow(
            .proxyTunnel, "proxyTunnel", .boolean, nil,
            flags: [Flag("proxytunnel", "Ask the proxy for a tunnel (CONNECT) even for http URLs", kind: .sets("true"))]
        ),
        TransferRow(
            .proxyDigest, "proxyDigest", .boolean, nil,
            flags: [
                Flag(
                    "proxy-digest", "Log in to the proxy with Digest instead of Basic",
                    kind: .sets("true"))
            ]),
    ]

    /// The settings that say how the server is reached.
    package static let connection = address + layer + proxies

    /// The settings that are about the transfer itself.
    package static let transfer = timeouts + redirects + retry + tls

    private static let byName = Dictionary(uniqueKeysWithValues: (transfer + connection).map { row in (row.name, row) })

    package static func named(_ name: String) -> TransferRow? { byName[name] }

    /// The path for `--cert`. curl would read the text after a colon as the file's password, and would not read a path that
    /// begins with `pkcs11:` as a file.
    private static func certificateArgument(_ path: String) -> String {
        let isScheme = path.prefix(7).lowercased() == "pkcs11:"
        return (isScheme ? "./" : "")
            + path.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: ":", with: "\\:")
    }
}
