import ReqcliBasics
public import ReqcliNetworking

/// A request as the builder makes it. Renderings, middlewares, transports and stubs all use this description.
///
/// ```swift
/// let request = try RequestBuilder.get("todos/1").prepared(baseURL: url)
/// request.headers["Accept"]
/// request.transfer.timeouts.total
/// ```
public struct PreparedRequest: Hashable, Sendable {
    /// The URL.
    public var url: URL
    /// The method.
    public var method: HTTPMethod
    /// The headers as they are sent: in order, in their original spelling, with repetitions.
    public var headers: HeaderFields
    /// The body.
    public var body: RequestBody?
    /// The transfer settings: limits, redirects, retries, TLS, addresses.
    public var transfer: TransferSettings {
        _read { yield held.settings }
        _modify {
            var settings = held.settings
            defer { held = HeldSettings(settings) }
            yield &settings
        }
    }
    private var held: HeldSettings
    /// The names of headers that hold a secret, in addition to Authorization, Proxy-Authorization and Cookie. Redirects to
    /// another origin drop them, and logs hide them.
    public var secretHeaders: [String]
    /// The names of query items that hold a secret. Logs hide them.
    public var secretQueryItems: [String]
    /// The caller's name for the request, such as the id of an endpoint. Stubs can be chosen by this name. The name is not sent.
    public var name: String?
    /// Signs the request right before it is sent; nil if it isn't signed, or is signed already.
    package var signer: RequestSigner?
    /// The client whose access token takes the place of the stand-in in `Authorization`; nil if the request needs none.
    package var oauth: OAuthClient?
    /// The properties that only Foundation's own loader reads, such as `allowsCellularAccess`; nil if none was changed.
    package var foundation: URLRequest?
    /// A body that is produced while it is sent, used in place of `body`. Only this library's loader can send it.
    package var feed: BodyFeed?
    /// The value that the request was made from, such as a call of an endpoint.
    package var source: RequestSource?

    /// A request. Only the URL is required.
    public init(
        url: URL, method: HTTPMethod = .get, headers: HeaderFields = [:], body: RequestBody? = nil,
        transfer: TransferSettings = TransferSettings(), secretHeaders: [String] = [], secretQueryItems: [String] = [],
        name: String? = nil
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        held = HeldSettings(transfer)
        self.secretHeaders = secretHeaders
        self.secretQueryItems = secretQueryItems
        self.name = name
    }
}

/// Transfer settings behind a reference. They are larger than the rest of a request, and each middleware that waits for a response keeps
/// its own copy of the request.
private final class HeldSettings: Hashable, Sendable {
    let settings: TransferSettings

    init(_ settings: TransferSettings) { self.settings = settings }

    static func == (one: HeldSettings, other: HeldSettings) -> Bool {
        one === other || one.settings == other.settings
    }

    func hash(into hasher: inout Hasher) { hasher.combine(settings) }
}

/// A value that a request was made from. It must not affect whether two requests are equal, so any two sources compare as equal.
package struct RequestSource: Hashable, Sendable {
    package let value: any Sendable

    package static func == (one: RequestSource, other: RequestSource) -> Bool { true }
    package func hash(into hasher: inout Hasher) {}
}

extension PreparedRequest {
    /// The decoded values of the query items with a name, in order.
    @_spi(Generated) public func queryValues(_ name: String) -> [String] {
        (url.query(percentEncoded: true) ?? "").split(separator: "&").compactMap { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard PercentEncoding.decoded(parts[0]) == name else { return nil }
            return parts.count > 1 ? PercentEncoding.decoded(parts[1]) : ""
        }
    }

    /// Whether the request asks for a compressed response, which is then decoded.
    package var asksForCompression: Bool {
        transfer.decodesContent == true && headers["Accept-Encoding"] == nil && headers["Range"] == nil
    }

    /// The request with an `Accept-Encoding` header if it asks for a compressed response. The default is all four codings,
    /// because nearly all machines have the libraries for them.
    package func asking(for codings: [String] = ["deflate", "gzip", "br", "zstd"]) -> PreparedRequest {
        guard asksForCompression, !codings.isEmpty else { return self }
        var request = self
        request.headers.append("Accept-Encoding", codings.joined(separator: ", "))
        return request
    }

    /// Whether a header holds credentials.
    package func holdsSecret(inHeader name: String) -> Bool {
        (HeaderFields.credentialNames + secretHeaders).contains { $0.isSameHeader(as: name) }
    }

    /// The text of the URL with secret query items masked.
    package var maskedURL: String {
        guard !secretQueryItems.isEmpty, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let items = parts.percentEncodedQueryItems
        else { return url.absoluteString }
        parts.percentEncodedQueryItems = items.map { item in
            secretQueryItems.contains(PercentEncoding.decoded(item.name))
                ? URLQueryItem(name: item.name, value: HeaderFields.Field.mask) : item
        }
        return parts.string ?? description
    }
}

extension PreparedRequest: DescribedAlone {
    /// Method, scheme, host and path. Other parts may hold a secret.
    public var description: String {
        let port = url.port.map { ":\($0)" } ?? ""
        return "\(method) \(url.scheme ?? "")://\(url.host ?? "")\(port)\(url.path(percentEncoded: true))"
    }
}
