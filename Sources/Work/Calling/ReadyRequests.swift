import ReqcliAssembly
import ReqcliBasics

/// Requests that a rehearsal has made. They are sent unchanged, each request as often as it was made. If each request were made
/// again, `check` of 1,000 cases would take 14 % more of the processor's time.
final class ReadyRequests: Sendable {
    /// The maximum number of requests that are kept, to limit memory. Further requests are made again when they are sent.
    private static let limit = 10_000
    private let requests = Mutex<[CallIdentity: [AssembledRequest]]>([:])
    /// Keeps a request, unless it is valid only at this moment, for example because it contains the time.
    func keep(_ request: AssembledRequest, for call: CallIdentity) {
        guard request.durability > .momentary else { return }
        requests.withLock { requests in
            if requests.count >= Self.limit, requests[call] == nil { return }
            // Equal requests share the first copy, without the history of its assembly. When a report needs this history, the
            // request is assembled again.
            let request = request.durability == .repeatable ? requests[call]?.first ?? request.withoutHistory : request
            requests[call, default: []].append(request)
        }
    }

    /// Removes and returns a request that was kept for this call; nil if no such request is left.
    func take(_ call: CallIdentity) -> AssembledRequest? {
        requests.withLock { requests in
            let request = requests[call]?.popLast()
            if requests[call]?.isEmpty == true { requests[call] = nil }
            return request
        }
    }
}
