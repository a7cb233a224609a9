import ReqcliBasics
import ReqcliNetworking

/// Collects the responses of a session with Foundation's own loader. Also stops Foundation from following redirects, because
/// Foundation would send wrong methods, bodies and credentials.
final class FoundationDelegate: NSObject, URLSessionDataDelegate {
    typealias Answer = (data: Data, response: URLResponse?)

    private let pending = Mutex<[Int: Pending]>([:])

    private struct Pending {
        let end: @Sendable (Result<Answer, any Error>) -> Void
        var data = Data()
        var response: URLResponse?
    }

    /// Calls `end` with the response to the task, or with the error that it ended with.
    func expect(_ task: URLSessionTask, end: @escaping @Sendable (Result<Answer, any Error>) -> Void) {
        pending.withLock { $0[task.taskIdentifier] = Pending(end: end) }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        pending.withLock { $0[dataTask.taskIdentifier]?.response = response }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        pending.withLock { $0[dataTask.taskIdentifier]?.data.append(data) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        pending.withLock { $0[task.taskIdentifier]?.response = response }
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let ended = pending.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        ended.end(error.map { .failure($0) } ?? .success((ended.data, ended.response ?? task.response)))
    }
}
