import Assembly
import Checking
import Synchronization

/// Requests that were made in a rehearsal and are sent as they are: each as often as it was made, then it is let go.
final class ReadyRequests: Sendable {
    private let requests = Mutex<[CheckCall.Identity: (request: AssembledRequest, count: Int)]>([:])

    func keep(_ request: AssembledRequest, for call: CheckCall.Identity) {
        requests.withLock { $0[call, default: (request, 0)].count += 1 }
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
