import CLibcurl
public import RequestBuilding

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Sends requests with a `URLSession`.
///
/// Without a session it has one of its own, with this library's loader. A session of the caller's may have any loader:
/// with ``LibcurlProtocol`` first in its `protocolClasses` all of a request's ``TransferSettings`` hold; with Foundation's
/// own, requests and responses are what that loader makes of them, and `timeouts.total` and `timeouts.idle` hold.
public struct URLSessionTransport: Transport {
    /// Nil where libcurl is missing: Foundation ends a process that makes a session without it.
    private let session: URLSession?
    private let hasLoader: Bool
    private let engine: Engine?

    /// A transport over a session of its own.
    public init() {
        self.init { URLSession(configuration: .exchange) }
    }

    /// A transport over a session that is made unless libcurl is missing.
    package init(makingSession: () -> URLSession) {
        self.init(session: lc_load() ? makingSession() : nil, engine: nil)
    }

    /// A transport over a session of its own with Foundation's loader, to compare with or to fall back on.
    ///
    /// Of the settings only `timeouts.total`, which ends the task, and `timeouts.idle` hold. Redirects are responses
    /// here, too.
    public static func foundation() -> URLSessionTransport {
        URLSessionTransport {
            let configuration = URLSessionConfiguration.exchange
            configuration.protocolClasses = nil
            return URLSession(configuration: configuration, delegate: FoundationDelegate(), delegateQueue: nil)
        }
    }

    /// A transport over a session of the caller's.
    public init(session: URLSession) {
        self.init(session: session, engine: nil)
    }

    /// - Parameter engine: What drives the transfers; nil for the process's own.
    init(session: URLSession?, engine: Engine?) {
        self.session = session
        self.engine = engine
        hasLoader = session?.configuration.protocolClasses?.contains { $0 is LibcurlProtocol.Type } ?? false
    }

    /// Sends a request; see ``Transport/send(_:)``.
    public func send(_ request: PreparedRequest) async throws -> Response {
        try request.refuseCacheAlone()
        try Task.checkCancellation()
        guard let session else {
            let reason = lc_load_error().map { String(cString: $0) } ?? ""
            throw TransportError(.libcurlMissing, target: request.url.host ?? "nowhere", detail: reason)
        }
        return hasLoader
            ? try await sendWithLoader(request, in: session)
            : try await sendWithFoundation(request, in: session)
    }

    /// Loads libcurl, which the first request would wait for.
    package static func loadLibrary() { _ = lc_load() }

    /// Leaves the address space that malloc would take for each thread, where a process has little of it.
    package static func saveAddressSpace() { lc_share_heap() }

    private func sendWithLoader(_ request: PreparedRequest, in session: URLSession) async throws -> Response {
        // First of all: Foundation enters a new task in its books on a queue of its own, and a task that is resumed before
        // that waits for it, asleep.
        let task = session.dataTask(with: request.urlRequest)
        let plan: TransferPlan
        do throws(TransportError) {
            plan = try TransferPlan(request)
        } catch {
            task.cancel()
            throw error
        }
        let exchange = TransportExchange(
            plan, engine: engine ?? .shared(for: plan.settings.version), isResponseSeen: session.delegate != nil)
        ExchangeRegistry.shared.set(exchange, for: task)
        // A task that is cancelled before it starts doesn't fetch its exchange, and its place in memory is used again.
        defer { ExchangeRegistry.shared.remove(exchange, for: task) }
        let head = try await withTaskCancellationHandler {
            task.resume()
            return try await exchange.head()
        } onCancel: {
            exchange.cancel()
            task.cancel()
        }
        return Response(head: head, body: exchange.body(of: task))
    }
}

extension URLSessionConfiguration {
    /// A configuration with this library's loader and without cache, cookies and credentials, which are the business of
    /// whoever sends.
    public static var exchange: URLSessionConfiguration {
        // Not `ephemeral`: on Linux each of those makes a cache of its own, with a folder in the user's home.
        let configuration = URLSessionConfiguration.default
        configuration.protocolClasses = [LibcurlProtocol.self]
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
