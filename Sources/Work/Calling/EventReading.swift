package import Exchange
package import ReqcliAssembly
import RequestBuilding

extension EventFormat {
    /// Nil for a response that is not a stream of events, or that is compressed.
    package init?(_ head: ResponseHead) {
        guard head.contentCoding == nil, let type = head.headers["Content-Type"] else { return nil }
        self.init(contentType: type)
    }
}

extension ResponseHead {
    /// The head for a body whose codings the caller has removed.
    package var ofDecodedBody: ResponseHead {
        var head = self
        head.isDecoded = true
        return head
    }
}

extension ResponseBody {
    /// Runs a closure that usually reads this body. When the time limit is over, the body ends.
    package func ending<Value>(
        after limit: Duration?, by clock: WorldClock, _ work: () async throws -> Value
    ) async rethrows -> Value {
        let timer = limit.map { limit in
            Task.detached { if (try? await clock.sleep(limit)) != nil { end() } }
        }
        defer { timer?.cancel() }
        return try await work()
    }
}
