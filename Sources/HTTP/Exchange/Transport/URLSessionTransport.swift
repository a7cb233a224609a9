public import ReqcliNetworking
public import RequestBuilding

/// Sends requests with a `URLSession`.
///
/// By default it uses its own session, on Linux with this library's loader. You can also pass a session of your own. With the
/// configuration `URLSessionConfiguration.exchange`, all transfer settings of a request apply on Linux. Foundation's own loader may
/// change requests and responses, and of all settings it obeys only `timeouts.total` and `timeouts.idle`. A request with another
/// setting that would be ignored, such as a certificate to trust or a proxy, is an error.
public struct URLSessionTransport: Transport {
    /// The session; nil if libcurl is missing. Without libcurl, Foundation ends a process that makes a session.
    private let session: URLSession?
    /// The loader of this library; nil if Foundation's own loader sends the requests.
    private let loader: (any SessionLoader)?

    /// A transport with its own session.
    public init() {
        self.init(makingSession: Platform.makeSession)
    }

    /// A transport with a session that a closure makes. If libcurl is missing, the closure is not called.
    package init(makingSession: () -> URLSession) {
        let session = Platform.obstacle == nil ? makingSession() : nil
        self.init(session: session, loader: session.flatMap { Platform.loader(of: $0, isOwn: true) })
    }

    /// A transport with its own session and Foundation's loader, for comparisons and as a fallback.
    ///
    /// Only the settings `timeouts.total`, which ends the task, and `timeouts.idle` apply; others that are set are errors. Redirects
    /// are returned as responses here, too. On Linux, Foundation's loader ends the process if a server cuts off the head of a response or sends trailers.
    public static func foundation() -> URLSessionTransport {
        URLSessionTransport(makingSession: URLSession.withFoundationLoader)
    }

    /// A transport with a session of the caller.
    public init(session: URLSession) {
        self.init(session: session, loader: Platform.loader(of: session, isOwn: false))
    }

    init(session: URLSession?, loader: (any SessionLoader)?) {
        self.session = session
        self.loader = loader
    }

    /// Sends a request; see ``Transport/send(_:)``.
    public func send(_ request: PreparedRequest) async throws -> Response {
        try request.refuseCacheAlone()
        try Task.checkCancellation()
        guard let session else {
            let target = request.url.host ?? "nowhere"
            throw TransportError(.libcurlMissing, target: target, detail: Platform.obstacle ?? "")
        }
        return if let loader {
            try await loader.send(request, in: session)
        } else {
            try await sendWithFoundation(request, in: session)
        }
    }
}

extension URLSession {
    /// A session that sends with Foundation's loader and returns redirects as responses.
    static func withFoundationLoader() -> URLSession {
        let configuration = URLSessionConfiguration.exchange
        configuration.protocolClasses = nil
        return URLSession(configuration: configuration, delegate: FoundationDelegate(), delegateQueue: nil)
    }
}

extension URLSessionConfiguration {
    /// A configuration with this library's loader on Linux, and without cache, cookies and credentials. The code that sends the
    /// requests handles them itself.
    public static var exchange: URLSessionConfiguration {
        // `ephemeral` is not used, because on Linux each ephemeral configuration makes its own cache, with a folder in the user's
        // home.
        let configuration = URLSessionConfiguration.default
        configuration.protocolClasses = Platform.protocolClasses
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        // With another policy, Foundation would still read each cookie with a date formatter. The release program does not have
        // the data for this formatter.
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCredentialStorage = nil
        configuration.httpMaximumConnectionsPerHost = 0
        return configuration
    }
}

extension PreparedRequest {
    /// Throws an error for a request that asks only for a cached response, because there is no cache.
    package func refuseCacheAlone() throws(TransportError) {
        guard transfer.cachePolicy == .returnCacheDataDontLoad else { return }
        throw TransportError(.notCached, target: url.host ?? "nowhere")
    }
}
