import Assembly
import Checking
import Synchronization

/// Requests that were made in a rehearsal and are sent as they are: each as often as it was made.
final class ReadyRequests: Sendable {
    /// So many are kept, and the rest is made again: a run of many cases needs no more memory for them.
    private static let limit = 10_000
    private let requests = Mutex<[CallIdentity: [AssembledRequest]]>([:])
    /// Those that were sent. All of them were there at one time, so that nothing is won by taking them apart while a run goes
    /// on, but time: each is made of some fifty objects.
    private let spent = Mutex<[AssembledRequest]>([])

    /// Keeps a request, unless it could have changed by the time it is sent.
    func keep(_ request: AssembledRequest, for call: CallIdentity) {
        guard request.durability > .momentary else { return }
        requests.withLock { requests in
            if requests.count >= Self.limit, requests[call] == nil { return }
            // The same request again takes no more room; its history, if anybody asks for it, is made anew.
            let request = request.durability == .repeatable ? requests[call]?.first ?? request.withoutHistory : request
            requests[call, default: []].append(request)
        }
    }

    /// Nil where none was made, or all of them are on their way.
    func take(_ call: CallIdentity) -> AssembledRequest? {
        let request = requests.withLock { requests in
            let request = requests[call]?.popLast()
            if requests[call]?.isEmpty == true { requests[call] = nil }
            return request
        }
        if let request { spent.withLock { $0.append(request) } }
        return request
    }
}
