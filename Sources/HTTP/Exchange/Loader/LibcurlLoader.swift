#if os(Linux)
import CReqcliLibcurl
package import ReqcliNetworking
import RequestBuilding

/// Sends requests with ``LibcurlProtocol``, and bypasses Foundation wherever Foundation would be slower or wrong.
struct LibcurlLoader: SessionLoader {
    private let engines: Engines
    /// The lane that all requests share; nil in a session of the caller.
    private let lane: Lane?

    /// The loader of a session; nil if the session doesn't use ``LibcurlProtocol``.
    ///
    /// - Parameter lane: The lane that all requests share; nil for a session whose tasks the caller may see.
    init?(of session: URLSession, lane: Lane?, engines: Engines = .shared) {
        guard session.configuration.protocolClasses?.contains(where: { $0 is LibcurlProtocol.Type }) == true else {
            return nil
        }
        self.engines = engines
        self.lane = lane
    }

    /// The reason why libcurl can't be loaded; nil if it can.
    static var obstacle: String? {
        lc_load() ? nil : lc_load_error().map { String(cString: $0) } ?? ""
    }

    /// Whether a domain is a public suffix, according to libpsl; nil if this is not known. libpsl is usually installed with
    /// libcurl.
    static func isPublicSuffix(_ domain: String) -> Bool? {
        switch lc_is_public_suffix(domain) {
        case lc_suffix_public: true
        case lc_suffix_private: false
        default: nil
        }
    }

    func send(_ request: PreparedRequest, in session: URLSession) async throws -> Response {
        let lane = lane ?? Lane(rest: nil)
        let exchange = TransportExchange(try TransferPlan(request), engines: engines, lane: lane)
        lane.start(exchange) {
            // No caller sees the request of a shared task, so a request with only a URL is enough.
            session.dataTask(with: self.lane == nil ? request.urlRequest : URLRequest(url: request.url))
        }
        return try await exchange.response()
    }
}

extension URLSessionTransport {
    /// A transport with its own session, whose transfers are driven by this engine.
    init(engine: Engine) { self.init(session: URLSession(configuration: .exchange), engines: Engines(only: engine)) }

    /// A transport whose transfers are driven by these engines. No caller sees the session.
    fileprivate init(session: URLSession, engines: Engines) {
        self.init(
            session: session, loader: LibcurlLoader(of: session, lane: Lane(rest: Lane.standardRest), engines: engines))
    }

    /// Loads libcurl, so that the first request does not have to wait for it.
    package static func loadLibrary() { _ = lc_load() }

    /// Allows this many transfers at the same time. Must be called before the first transfer.
    package static func allowTransfers(_ count: Int) { Engines.setLimit(count) }

    /// The version of libcurl and of the libraries that it uses, and the path of its file; or the reason why libcurl can't be
    /// loaded.
    package static var libraryDescription: String {
        if let obstacle = LibcurlLoader.obstacle { return "no libcurl: \(obstacle)" }
        let path = lc_path().map { " from \(String(cString: $0))" } ?? ""
        return String(cString: lc_version()) + path
    }

    /// Makes all threads share one heap. This is for processes with little address space, because malloc otherwise reserves
    /// address space for each thread.
    package static func saveAddressSpace() { lc_share_heap() }
}

extension RequestThread {
    /// Starts a thread; nil if that is impossible.
    ///
    /// - Parameter session: A session that no caller sees.
    package init?(number: Int, connections: ConnectionRules, session: @autoclosure () -> URLSession) {
        guard LibcurlLoader.obstacle == nil else { return nil }
        let engines = Engines(name: "reqcli-load-\(number)", connections)
        guard engines.automatic.startThread() else { return nil }
        self.init(executor: engines.automatic, transport: URLSessionTransport(session: session(), engines: engines)) {
            await engines.automatic.sleep(until: Clock.now + $0.nanoseconds)
        }
    }
}
#endif
