public import ReqcliNetworking
public import RequestBuilding

/// Sends requests with a `URLSession`.
///
/// Without a session it has one of its own, on Linux with this library's loader. A session of the caller's may have any
/// loader: with ``LibcurlProtocol`` first in its `protocolClasses` all of a request's transfer settings hold; with
/// Foundation's own, requests and responses are what that loader makes of them, and `timeouts.total` and `timeouts.idle` hold.
public struct URLSessionTransport: Transport {
    /// Nil where libcurl is missing: Foundation ends a process that makes a session without it.
    private let session: URLSession?
    /// Nil where Foundation's own loader sends.
    private let loader: (any SessionLoader)?

    /// A transport over a session of its own.
    public init() {
        self.init(makingSession: Platform.makeSession)
    }

    /// A transport over a session that is made unless libcurl is missing.
    package init(makingSession: () -> URLSession) {
        let session = Platform.obstacle == nil ? makingSession() : nil
        self.init(session: session, loader: session.flatMap { Platform.loader(of: $0, isOwn: true) })
    }

    /// A transport over a session of its own with Foundation's loader, to compare with or to fall back on.
    ///
    /// Of the settings only `timeouts.total`, which ends the task, and `timeouts.idle` hold. Redirects are responses
    /// here, too. On Linux Foundation's loader ends the process when a server cuts the head of a response off or sends
    /// trailers.
    public static func foundation() -> URLSessionTransport {
        URLSessionTransport(makingSession: URLSession.withFoundationLoader)
    }

    /// A transport over a session of the caller's.
    public init(session: URLSession) {
        self.init(session: session, loader: Platform.loader(of: session, isOwn: false))
    }

    init(session: URLSession?, loader: (any SessionLoader)?) {
        self.session = session
        self.loader = loader
    }

    /// The thread that drives all requests, for tasks that send many of them; nil where libcurl is missing and on systems where
    /// Foundation's own loader sends.
    ///
    /// A response then finds its task on the thread that it arrives on, and wakes no other. All requests of the process wait
    /// while a task runs there, so it must not block or compute for long.
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
    /// A session that sends with Foundation's loader and hands redirects over.
    static func withFoundationLoader() -> URLSession {
        let configuration = URLSessionConfiguration.exchange
        configuration.protocolClasses = nil
        return URLSession(configuration: configuration, delegate: FoundationDelegate(), delegateQueue: nil)
    }
}

extension URLSessionConfiguration {
    /// A configuration with this library's loader on Linux, and without cache, cookies and credentials, which are the business of
    /// whoever sends.
    public static var exchange: URLSessionConfiguration {
        // Not `ephemeral`: on Linux each of those makes a cache of its own, with a folder in the user's home.
        let configuration = URLSessionConfiguration.default
        configuration.protocolClasses = Platform.protocolClasses
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        // Otherwise Foundation reads each cookie all the same, with a date formatter that the release program has no data for.
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCredentialStorage = nil
        configuration.httpMaximumConnectionsPerHost = 0
        return configuration
    }
}

extension PreparedRequest {
    /// There is no cache, so that what may come from one alone comes from nowhere.
    package func refuseCacheAlone() throws(TransportError) {
        guard transfer.cachePolicy == .returnCacheDataDontLoad else { return }
        throw TransportError(.notCached, target: url.host ?? "nowhere")
    }
}
