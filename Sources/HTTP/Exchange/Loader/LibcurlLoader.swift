import CReqcliLibcurl
import ReqcliNetworking
import RequestBuilding

/// Sends with ``LibcurlProtocol``, past Foundation wherever that is the slower or the wrong way.
struct LibcurlLoader: SessionLoader {
    /// The engine; nil for the process's own.
    private let engine: Engine?
    /// The lane that all requests share; nil in a session of the caller.
    private let lane: Lane?

    /// Nil for a session that doesn't have the loader.
    ///
    /// - Parameter lane: What all requests share; nil for a session whose tasks somebody may see.
    init?(of session: URLSession, lane: Lane?, engine: Engine? = nil) {
        guard session.configuration.protocolClasses?.contains(where: { $0 is LibcurlProtocol.Type }) == true else {
            return nil
        }
        self.engine = engine
        self.lane = lane
    }

    /// Why libcurl can't be loaded; nil if it can.
    static var obstacle: String? {
        lc_load() ? nil : lc_load_error().map { String(cString: $0) } ?? ""
    }

    /// The verdict of libpsl, which is usually installed with libcurl.
    static func isPublicSuffix(_ domain: String) -> Bool? {
        switch lc_is_public_suffix(domain) {
        case lc_suffix_public: true
        case lc_suffix_private: false
        default: nil
        }
    }

    func send(_ request: PreparedRequest, in session: URLSession) async throws -> Response {
        let lane = lane ?? Lane(rest: nil)
        let exchange = TransportExchange(try TransferPlan(request), engine: engine, lane: lane)
        lane.start(exchange) {
            // Nobody sees the request of a shared task, and a URL is all that it needs.
            session.dataTask(with: self.lane == nil ? request.urlRequest : URLRequest(url: request.url))
        }
        return try await exchange.response()
    }
}

extension URLSessionTransport {
    /// A transport with a session of its own, whose transfers an engine of its own drives.
    init(engine: Engine) {
        let session = URLSession(configuration: .exchange)
        self.init(
            session: session, loader: LibcurlLoader(of: session, lane: Lane(rest: Lane.standardRest), engine: engine))
    }

    /// Loads libcurl, which the first request would wait for.
    package static func loadLibrary() { _ = lc_load() }

    /// The libcurl that is used, with its libraries and its file, or why there is none.
    package static var libraryDescription: String {
        if let obstacle = LibcurlLoader.obstacle { return "no libcurl: \(obstacle)" }
        let path = lc_path().map { " from \(String(cString: $0))" } ?? ""
        return String(cString: lc_version()) + path
    }

    /// Leaves the address space that malloc would take for each thread, where a process has little of it.
    package static func saveAddressSpace() { lc_share_heap() }
}
