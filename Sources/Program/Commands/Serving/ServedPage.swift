import HTTPWire
import ReqcliMocking
import ReqcliServing

/// The page on which a browser shows the endpoints of a server and its requests. All its data come from the control API.
enum ServedPage {
    static let path = "/\(ControlAPI.root)/page"

    /// The files of the page by their paths.
    private static let files: [String: ServerReply] = [
        path: reply("text/html", PackageResources.page_html),
        path + ".css": reply("text/css", PackageResources.page_css),
        path + ".js": reply("text/javascript", PackageResources.page_js),
    ]

    /// Lets the page load and call only what this server gives, and lets no other page embed it or hold a reference to it. A stub
    /// may be a page, too: its script has the same origin, but not the token, unless it registers a service worker for all paths.
    private static let protection: [(name: String, value: String)] = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
                + "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
        ),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer"),
        ("Cache-Control", "no-store"),
    ]

    private static func reply(_ type: String, _ bytes: [UInt8]) -> ServerReply {
        ServerReply(
            status: 200,
            fields: [(MockEngine.header, "none"), ("Content-Type", "\(type); charset=utf-8")] + protection,
            body: .bytes(bytes))
    }

    /// The reply to a request for one of the page's files; nil for another request.
    static func reply(to request: IncomingRequest) -> ServerReply? {
        guard let reply = files[request.path] else { return nil }
        guard ["GET", "HEAD"].contains(request.method) else {
            return ServerReply(status: 405, fields: [("Allow", "GET, HEAD")])
        }
        return reply
    }
}
