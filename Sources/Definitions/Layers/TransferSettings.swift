package import RequestBuilding
import SourceText

/// When to send a request again. Here and below a key is nil where the layer is silent about it.
package struct Retry: Sendable {
    package var times: Setting<Int>?
    /// Status codes that are worth another try; so is no answer at all.
    package var statuses: Setting<[Int]>?
    package var methods: Setting<[Located<String>]>?
    package var delay: Setting<Duration>?

    static let table = ObjectShape<Retry>(
        "retry", title: "\"retry\"", summary: "When to send a request again.",
        [
            Field("times", .setting(.integer(0...20)), "How often to try again.") { $0.times = $1 },
            Field(
                "on", .setting(.list(of: .status, expects: "a list of status codes")),
                "Status codes worth another try; 429, 502, 503 and 504 unless said otherwise. No answer at all is one, too."
            ) { $0.statuses = $1 },
            Field(
                "methods", .setting(.list(of: .located(.method), expects: "a list of methods")),
                "Methods that may be repeated; those that are safe or idempotent unless said otherwise."
            ) { $0.methods = $1 },
            Field(
                "delay", .setting(.duration),
                "The wait before the first repetition; it doubles each time. Retry-After beats it."
            ) {
                $0.delay = $1
            },
        ], initial: { _ in Retry() })
}

package struct Redirects: Sendable {
    /// Where credentials may go beside their own origin.
    package enum Credentials: String, CaseIterable, Sendable {
        case anyHost
    }

    package var follow: Setting<Bool>?
    package var max: Setting<Int>?
    package var credentials: Setting<Credentials>?

    static let table = ObjectShape<Redirects>(
        "redirects", title: "\"redirects\"", summary: "Whether to follow redirects.",
        [
            Field("follow", .setting(.boolean), "Whether to go where the server points to.") { $0.follow = $1 },
            Field("max", .setting(.integer(0...100)), "How many in a row at most.") { $0.max = $1 },
            Field(
                "credentials", .setting(Shape<Credentials>.word),
                "Send credentials and bodies with secrets to any host that a redirect names. Without it they stay with their origin."
            ) { $0.credentials = $1 },
        ], initial: { _ in Redirects() })
}

package struct TLS: Sendable {
    /// Paths are seen from the workspace's root.
    package var ca: Setting<TextTemplate>?
    package var certificate: Setting<TextTemplate>?
    package var key: Setting<TextTemplate>?
    package var insecure: Setting<Bool>?
    package var minimumVersion: Setting<TLSSettings.Version>?

    var texts: [TextTemplate] { texts(unlessSaidBy: TLS()) }

    /// The texts that still count where a later layer has spoken too: key by key.
    func texts(unlessSaidBy later: TLS) -> [TextTemplate] {
        let standing = [
            later.ca == nil ? ca : nil, later.certificate == nil ? certificate : nil, later.key == nil ? key : nil,
        ]
        return standing.compactMap { $0?.value.value }
    }

    static let table = ObjectShape<TLS>(
        "tls", title: "\"tls\"",
        summary: "Certificates and versions for https. Paths are seen from the workspace's root.",
        [
            Field("ca", .setting(.filePath), "A file of certificates to trust instead of the system's.") { $0.ca = $1 },
            Field("cert", .setting(.filePath), "A client certificate (PEM).") { $0.certificate = $1 },
            Field("key", .setting(.filePath), "The key of the client certificate.") { $0.key = $1 },
            Field("insecure", .setting(.boolean), "Accept any certificate. Each request warns about it.") {
                $0.insecure = $1
            },
            Field("minVersion", .setting(Shape<TLSSettings.Version>.word), "The oldest version of TLS to speak.") {
                $0.minimumVersion = $1
            },
        ], initial: { _ in TLS() })
}
