public import ReqcliNetworking
public import RequestBuilding

/// Sends requests with a `URLSession`.
///
/// By default it uses its own session, on Linux with this library's loader. You can also pass a session with any loader. With
/// ``LibcurlProtocol`` first in its `protocolClasses`, all transfer settings of a request apply. With Foundation's own loader,
/// requests and responses are what that loader makes of them, and of the settings only `timeouts.total` and `timeouts.idle`
/// apply.
public struct URLSessionTransport: Transport {
    /// Nil if libcurl is missing: Foundation ends a process that makes a session without it.
    private let session: URLSession?
    /// Nil if Foundation's own loader sends the requests.
    private let loader: (any SessionLoader)?

    /// A transport with its own session.
    public init() {
        self.init(makingSession: Platform.makeSession)
    }

    /// A transport with a session that a closure makes, unless libcurl is missing.
    package init(makingSession: () -> URLSession) {
        let session = Platform.obstacle == nil ? makingSession() : nil
        self.init(session: session, loader: session.flatMap { Platform.loader(of: $0, isOwn: true) })
    }

    /// A transport with its own session and Foundation's loader, to compare with or to fall back on.
    ///
    /// Of the settings only `timeouts.total`, which ends the task, and `timeouts.idle` apply. Redirects are returned as responses
    /// here, too. On Linux Foundation's loader ends the process when a server cuts the head of a response off or sends trailers.
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

    /// The thread that drives all requests, for tasks that send many of them; nil if libcurl is missing, and on systems where
    /// Foundation's own loader sends the requests.
    ///
    /// A task on this thread continues on the same thread that its response arrives on, so the response wakes no other thread.
    /// All requests of the process wait while a task runs there, so the task must not block or compute for long.
    ///
    /// ```swift
    /// await withTaskExecutorPreference(URLSessionTransport.taskExecutor) {
    ///     for request in requests { count += try await transport.send(request).body.data().count }
    /// }
    /// ```
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public static var taskExecutor: (any TaskExecutor)? { Platform.taskExecutor }

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
    /// A configuration with this library's loader on Linux, and without cache, cookies and credentials, which are left to the
    /// code that sends the requests.
    public static var exchange: URLSessionConfiguration {
        // Not `ephemeral`: on Linux each ephemeral configuration makes its own cache, with a folder in the user's home.
        let configuration = URLSessionConfiguration.default
        configuration.protocolClasses = Platform.protocolClasses
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        // Otherwise Foundation would still read each cookie, with a date formatter whose data the release program does not have.
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
