import ReqcliAssembly
import ReqcliBasics

/// Requests that a rehearsal has made. They are sent unchanged, each request as often as it was made. If each request were made
/// again, `check` of 1,000 cases would take 14 % more of the processor's time.
final class ReadyRequests: Sendable {
    /// The maximum number of requests that are kept, to limit memory. Further requests are made again when they are sent.
    private static let limit = 1000
    /// Whether a request that is the same each time is kept after it was sent, because it will be sent again.
    private let keepsRepeatable: Bool
    private let requests = Mutex<[Key: [AssembledRequest]]>([:])

    private struct Key: Hashable {
        let call: CallIdentity
        /// The occasion of a request that is valid only once; nil for a request without random values.
        let occasion: String?
    }

    init(keepsRepeatable: Bool) { self.keepsRepeatable = keepsRepeatable }

    /// Keeps a request, unless it is valid only at this moment, for example because it contains the time.
    func keep(_ request: AssembledRequest, for call: Call) {
        guard request.durability > .momentary else { return }
        let call = Key(call: call.identity, occasion: request.durability == .unique ? call.occasion : nil)
        requests.withLock { requests in
            if requests.count >= Self.limit, requests[call] == nil { return }
            // Equal requests share the first copy. What is sent needs no history of its assembly.
            let shared = request.durability == .repeatable ? requests[call]?.first : nil
            requests[call, default: []].append(shared ?? request.withoutHistory)
        }
    }

    /// Removes and returns a request that was kept for this call; nil if no such request is left.
    func take(_ call: Call) -> AssembledRequest? {
        let identity = call.identity
        return requests.withLock { requests in
            for occasion in [nil, call.occasion] {
                let key = Key(call: identity, occasion: occasion)
                if keepsRepeatable, let request = requests[key]?.last, request.durability == .repeatable {
                    return request
                }
                guard let request = requests[key]?.popLast() else { continue }
                if requests[key]?.isEmpty == true { requests[key] = nil }
                return request
            }
            return nil
        }
    }
}
