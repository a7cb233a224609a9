import Assembly
import Checking
import Synchronization

/// Requests that were made in a rehearsal and are sent as they are: each as often as it was made, then it is let go.
final class ReadyRequests: Sendable {
    /// So many are kept, and the rest is made again: a run of many cases needs no more memory for them.
    private static let limit = 10_000
    private let requests = Mutex<[CheckCall.Identity: (request: AssembledRequest, count: Int)]>([:])

    func keep(_ request: AssembledRequest, for call: CheckCall.Identity) {
        requests.withLock { requests in
            if requests.count >= Self.limit, requests[call] == nil { return }
            requests[call, default: (request, 0)].count += 1
        }
    }

    /// Nil where none was made, or all of them are on their way.
    func take(_ call: CheckCall.Identity) -> AssembledRequest? {
        requests.withLock { requests in
            guard let (request, count) = requests[call] else { return nil }
            requests[call] = count > 1 ? (request, count - 1) : nil
            return request
        }
    }
}
