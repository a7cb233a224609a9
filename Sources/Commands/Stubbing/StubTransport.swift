import Assembly
import Definitions
import Exchange
import Foundation
import RequestBuilding
import Synchronization

/// Answers from stubs instead of the network: everything before and behind it is the real thing.
///
/// One transport serves one call; the turns of a sequence are shared by all calls of an endpoint.
final class StubTransport: Transport {
    private let script: StubScript
    private let turns: StubTurns
    private let sleep: @Sendable (Duration) async throws -> Void
    private let last = Mutex<StubAnswer?>(nil)

    init(
        _ script: StubScript, _ turns: StubTurns = StubTurns(),
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.script = script
        self.turns = turns
        self.sleep = sleep
    }

    /// What this call was answered with.
    var lastAnswer: StubAnswer? { last.withLock { $0 } }

    func send(_ request: PreparedRequest) async throws -> Response {
        try request.refuseCacheAlone()
        let number = turns.next()
        guard let answer = script.answer(to: number) else {
            throw StubsExhausted(variant: script.name, count: script.answers.count)
        }
        last.withLock { $0 = answer }
        try await wait(for: answer, to: request)
        switch answer.outcome {
        case .fault(let fault): throw Self.error(fault.kind, of: answer, to: request)
        case .answer(let status, let headers, let body):
            return Response(stubbing: request, status: status, headers: headers, body: Data(body))
        }
    }

    /// The stub's own time; whatever bounds the wait for an answer holds for it as for a server.
    private func wait(for answer: StubAnswer, to request: PreparedRequest) async throws {
        guard let range = answer.delay else { return }
        let seconds = Double.random(in: range.lowerBound.seconds...range.upperBound.seconds)
        if let (kind, limit) = request.transfer.timeouts.shortestWait, seconds > limit.seconds {
            try await sleep(limit)
            throw Self.error(.timeout(kind), of: answer, to: request)
        }
        if seconds > 0 { try await sleep(.seconds(seconds)) }
    }

    private static func error(
        _ kind: TransportError.Kind, of answer: StubAnswer, to request: PreparedRequest
    ) -> TransportError {
        TransportError(kind, target: request.url.authority, detail: "stub \(answer.name)")
    }
}

extension Timeouts {
    /// How long the first byte of a response may take: the limit that is up first.
    fileprivate var shortestWait: (kind: TransportError.Timeout, limit: Duration)? {
        let limits: [(TransportError.Timeout, Duration?)] = [(.total, left), (.firstByte, firstByte), (.idle, idle)]
        return limits.compactMap { kind, limit in limit.map { (kind, $0) } }.min { $0.1 < $1.1 }
    }
}

/// How many requests an endpoint's stub has answered.
final class StubTurns: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            defer { count += 1 }
            return count
        }
    }
}

/// A sequence that says "then": "fail" has come to its end.
struct StubsExhausted: Error, CustomStringConvertible {
    let variant: String
    let count: Int

    var description: String {
        "the stub variant \(variant) has given all of its \(count) answers, and says \"then\": \"fail\""
    }
}

extension StubVariant.Fault {
    /// What the network says where this happens for real.
    var kind: TransportError.Kind {
        switch self {
        case .timeout: .timeout(.total)
        case .refused: .refused
        case .dns: .dns
        case .tls: .tls(.handshake)
        case .reset: .reset
        case .truncated: .truncated
        }
    }
}
