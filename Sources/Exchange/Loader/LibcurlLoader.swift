import CLibcurl
import Foundation
import FoundationNetworking
import RequestBuilding

/// Sends with ``LibcurlProtocol``, past Foundation wherever that is the slower or the wrong way.
struct LibcurlLoader: SessionLoader {
    /// The engine; nil for the process's own.
    private let engine: Engine?

    /// Nil for a session that doesn't have the loader.
    init?(of session: URLSession, engine: Engine? = nil) {
        guard session.configuration.protocolClasses?.contains(where: { $0 is LibcurlProtocol.Type }) == true else {
            return nil
        }
        self.engine = engine
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

extension URLSessionTransport {
    /// A transport whose transfers an engine of its own drives.
    init(session: URLSession, engine: Engine) {
        self.init(session: session, loader: LibcurlLoader(of: session, engine: engine))
    }

    /// Loads libcurl, which the first request would wait for.
    package static func loadLibrary() { _ = lc_load() }

    /// Leaves the address space that malloc would take for each thread, where a process has little of it.
    package static func saveAddressSpace() { lc_share_heap() }
}
