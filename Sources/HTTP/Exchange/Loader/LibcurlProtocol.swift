#if os(Linux)
import CReqcliLibcurl
import ReqcliBasics
import ReqcliNetworking
import RequestBuilding

/// This library's loader: a `URLProtocol` that sends http and https requests with libcurl.
///
/// Put it first in a session's `protocolClasses`; ``URLSessionTransport`` then streams bodies through this loader. A session that
/// is used directly works too: its responses are ``LibcurlResponse``s, a body arrives in one piece at the end, redirects and
/// challenges are returned unchanged, and errors are ``TransportError``s.
final class LibcurlProtocol: URLProtocol {
    // These properties are used only on the task's queue.
    private lazy var lane = Lane.announced(for: task)
    private var reading: Task<Void, Never>?
    fileprivate private(set) var isStopped = false

    /// True for http and https.
    override class func canInit(with request: URLRequest) -> Bool {
        switch request.url?.scheme?.lowercased() {
        case "http", "https": true
        default: false
        }
    }

    /// True for tasks with an http or https request.
    override class func canInit(with task: URLSessionTask) -> Bool {
        task.currentRequest.map(canInit(with:)) ?? false
    }

    /// The request itself: nothing is normalised.
    override class func canonicalRequest(for request: URLRequest) -> URLRequest {
        request
    }

    /// Starts the transfer. Foundation calls this method on the task's queue. The protocol's `client` must be called on the same
    /// queue.
    override func startLoading() {
        let report = FoundationReport(loader: self)
        if let lane { lane.open(task, report) } else { startPlainly(report) }
    }

    /// Ends the transfer.
    override func stopLoading() {
        isStopped = true
        lane?.stop(task)
        reading?.cancel()
    }

    /// Sends a request that was not made by ``URLSessionTransport``, with only those settings that a URLRequest has.
    ///
    /// For a task with a completion handler, Foundation keeps only the last piece of a body. It is not known here whether the task
    /// has one, so every body is delivered in one piece.
    private func startPlainly(_ report: FoundationReport) {
        do {
            let exchange = TransportExchange(try TransferPlan(PreparedRequest(request)))
            exchange.start()
            reading = Task {
                do {
                    let body = try await exchange.response().body.data()
                    report.tell(exchange.outcome.map { ($0, body) })
                } catch {
                    report.tell(.failure(error))
                }
            }
        } catch let error as RequestBuildingError {
            let target = request.url?.host ?? "nowhere"
            report.tell(.failure(TransportError(.invalidRequest, target: target, detail: error.reason)))
        } catch {
            report.tell(.failure(error))
        }
    }
}

/// Reports the end of a task to Foundation, on the task's queue. Foundation's client object reads the session's state without a
/// lock, so this object must be called only on this queue.
final class FoundationReport: @unchecked Sendable {
    // Unchecked: `loader` is only touched on the queue, which is serial. `queue` is constant, and dispatch queues may be used
    // from any thread.
    private let loader: LibcurlProtocol
    private let queue = lc_retain_current_queue()

    /// A report for the task of a loader. The caller must run on the task's queue.
    init(loader: LibcurlProtocol) {
        self.loader = loader
    }

    deinit {
        lc_release_queue(queue)
    }

    /// The end of a task: a response with its body, or an error.
    typealias Outcome = Result<(response: LibcurlResponse, body: Data), any Error>

    func tell(_ outcome: Outcome) {
        final class Message: Sendable {
            let report: FoundationReport
            let outcome: Outcome

            init(_ report: FoundationReport, _ outcome: Outcome) {
                self.report = report
                self.outcome = outcome
            }
        }
        lc_queue_async(queue, Unmanaged.passRetained(Message(self, outcome)).toOpaque()) { message in
            let message = Unmanaged<Message>.fromOpaque(message).takeRetainedValue()
            message.report.tellHere(message.outcome)
        }
    }

    private func tellHere(_ outcome: Outcome) {
        guard !loader.isStopped, let client = loader.client else { return }
        switch outcome {
        case .success((let response, let body)):
            client.urlProtocol(loader, didReceive: response, cacheStoragePolicy: .notAllowed)
            if !body.isEmpty { client.urlProtocol(loader, didLoad: body) }
            client.urlProtocolDidFinishLoading(loader)
        case .failure(let error): client.urlProtocol(loader, didFailWithError: error)
        }
    }
}
#endif
