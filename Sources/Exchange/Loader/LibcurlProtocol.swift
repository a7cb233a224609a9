import CLibcurl
import RequestBuilding
import Synchronization

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The loader: a `URLProtocol` that sends http and https requests with libcurl.
///
/// It goes first in a session's `protocolClasses`; ``URLSessionTransport`` then streams through it. A session that is
/// used directly works too: its responses are ``LibcurlResponse``s, a body comes in one piece at the end, redirects and
/// challenges are handed over as they are, and errors are ``TransportError``s.
public final class LibcurlProtocol: URLProtocol {
    private var queue: WorkQueue?
    private var stop: (@Sendable () -> Void)?

    /// True for http and https.
    public override class func canInit(with request: URLRequest) -> Bool {
        switch request.url?.scheme?.lowercased() {
        case "http", "https": true
        default: false
        }
    }

    /// True for tasks with such a request.
    public override class func canInit(with task: URLSessionTask) -> Bool {
        task.currentRequest.map(canInit(with:)) ?? false
    }

    /// The request itself: nothing is normalised.
    public override class func canonicalRequest(for request: URLRequest) -> URLRequest {
        request
    }

    /// Starts the transfer. Foundation calls this on the task's own queue, where its client must be called, too.
    public override func startLoading() {
        let queue = WorkQueue.current()
        self.queue = queue
        let report = FoundationReport(loader: self, queue: queue)
        if let task, let exchange = ExchangeRegistry.shared.take(for: task) {
            stop = { exchange.cancel() }
            exchange.start(reportingTo: report)
        } else {
            startPlainly(report)
        }
    }

    /// Ends the transfer.
    public override func stopLoading() {
        stop?()
        stop = nil
        isStopped = true
    }

    /// Read and written on the task's queue alone.
    var isStopped = false

    /// Sends a request that didn't come from ``URLSessionTransport``, with what a URLRequest can say.
    private func startPlainly(_ report: FoundationReport) {
        do {
            let plan = try TransferPlan(PreparedRequest(request))
            let receiver = WholeReceiver(report: report)
            let engine = Engine.shared(for: plan.settings.version)
            let id = engine.makeID()
            stop = { engine.cancel(id) }
            engine.start(id, plan, receiver: receiver)
        } catch let error as RequestBuildingError {
            let target = request.url?.host ?? "nowhere"
            report.tell(.failure(TransportError(.invalidRequest, target: target, detail: error.reason)))
        } catch {
            report.tell(.failure(error))
        }
    }
}

/// The queue that a task's work runs on. Foundation's client reads the session's state without a lock, so that it must
/// be called there and nowhere else.
final class WorkQueue: @unchecked Sendable {
    // Unchecked: the pointer is constant, and dispatch queues may be used from any thread.
    private let queue: UnsafeMutableRawPointer

    private init(retained queue: UnsafeMutableRawPointer) {
        self.queue = queue
    }

    deinit {
        lc_release_queue(queue)
    }

    /// The queue that the caller runs on.
    static func current() -> WorkQueue {
        WorkQueue(retained: lc_retain_current_queue())
    }

    static func === (one: WorkQueue, other: WorkQueue) -> Bool { one.queue == other.queue }

    func async(_ work: @escaping @Sendable () -> Void) {
        final class Box: Sendable {
            let work: @Sendable () -> Void
            init(_ work: @escaping @Sendable () -> Void) { self.work = work }
        }
        lc_queue_async(queue, Unmanaged.passRetained(Box(work)).toOpaque()) { context in
            Unmanaged<Box>.fromOpaque(context).takeRetainedValue().work()
        }
    }
}

/// Tells Foundation how a transfer ended, on the queue where that is allowed.
final class FoundationReport: @unchecked Sendable {
    // Unchecked: `loader` is only touched on `queue`, which is serial.
    private let loader: LibcurlProtocol
    private let queue: WorkQueue

    init(loader: LibcurlProtocol, queue: WorkQueue) {
        self.loader = loader
        self.queue = queue
    }

    /// How a transfer ended, for Foundation.
    enum Ending: Sendable {
        case success(LibcurlResponse?, body: Data)
        case failure(any Error)
    }

    func tell(_ ending: Ending) {
        queue.async { [self] in tellHere(ending) }
    }

    /// Tells several, and wakes a thread of Foundation's once for those of one queue: a session's tasks have it in common.
    static func tell(_ all: [(report: FoundationReport, ending: Ending)]) {
        var rest = all[...]
        while let queue = rest.first?.report.queue {
            let these = rest.prefix { $0.report.queue === queue }
            rest = rest.dropFirst(these.count)
            queue.async { for (report, ending) in these { report.tellHere(ending) } }
        }
    }

    private func tellHere(_ ending: Ending) {
        guard !loader.isStopped, let client = loader.client else { return }
        switch ending {
        case .success(let response?, let body):
            client.urlProtocol(loader, didReceive: response, cacheStoragePolicy: .notAllowed)
            if !body.isEmpty { client.urlProtocol(loader, didLoad: body) }
            client.urlProtocolDidFinishLoading(loader)
        // Every head has a URL and a status, so that a response can be made of it; Foundation traps without one.
        case .success(nil, _):
            client.urlProtocol(loader, didFailWithError: TransportError(.badResponse, target: "the server"))
        case .failure(let error): client.urlProtocol(loader, didFailWithError: error)
        }
    }
}

/// Collects a response for a session that is used without ``URLSessionTransport``.
///
/// Foundation keeps no more than the last piece of a body for a completion handler, and nobody here can know which kind
/// of task it is, so that the body is given in one piece.
final class WholeReceiver: TransferReceiver {
    private let report: FoundationReport
    private let answer = Mutex<(head: ResponseHead?, body: Data)>((nil, Data()))

    init(report: FoundationReport) {
        self.report = report
    }

    func receive(_ head: ResponseHead) {
        answer.withLock { $0.head = head }
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        answer.withLock { $0.body.append(contentsOf: bytes) }
        return true
    }

    func settle() {}

    func finish(
        _ result: Result<ResponseBody.Ending, TransportError>
    ) -> (report: FoundationReport, ending: FoundationReport.Ending)? {
        switch result {
        case .success(let ending):
            let (head, body) = answer.withLock { $0 }
            report.tell(.success(head.flatMap { LibcurlResponse(head: $0, ending: ending) }, body: body))
        case .failure(let error): report.tell(.failure(error))
        }
        return nil
    }
}
