import Assembly
import EventStreams
import Exchange
import RequestBuilding

extension EventFormat {
    /// Nil for a response that is no stream of events, or one that is compressed.
    init?(_ head: ResponseHead) {
        guard head.contentCoding == nil, let type = head.headers["Content-Type"] else { return nil }
        self.init(contentType: type)
    }
}

extension ResponseHead {
    /// How the server has packed the body; nil where it is as it is.
    var contentCoding: String? {
        headers["Content-Encoding"].flatMap { $0.isEmpty || $0.lowercased() == "identity" ? nil : $0 }
    }
}

extension ResponseBody {
    /// Does some work, usually reading this body, which ends when the time is over.
    func ending<Value>(
        after limit: Duration?, by clock: WorldClock, _ work: () async throws -> Value
    ) async rethrows -> Value {
        let timer = limit.map { limit in
            Task.detached { if (try? await clock.sleep(limit)) != nil { end() } }
        }
        defer { timer?.cancel() }
        return try await work()
    }
}
