import Assembly
import Definitions
import Exchange
import Foundation
import RequestBuilding
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Answers from stubs instead of the network: everything before and behind it is the real thing.
///
/// A sequence is counted for each endpoint and as long as the transport lives, so that the requests of one run take
/// turns.
final class StubTransport: Transport {
    private let script: StubScript
    private let sleep: @Sendable (Duration) async throws -> Void
    private let count = Mutex(0)

    init(_ script: StubScript, sleep: @escaping @Sendable (Duration) async throws -> Void) {
        self.script = script
        self.sleep = sleep
    }

    func send(_ request: URLRequest) async throws -> Response {
        let number = count.withLock { number in
            defer { number += 1 }
            return number
        }
        let target = Self.target(of: request.url)
        guard let answer = script.answer(to: number) else {
            throw StubsExhausted(variant: script.name, count: script.answers.count)
        }
        let total = request[option: Exchange.Timeouts.self]?.total
        try await wait(for: answer, total: total, target)
        switch answer.outcome {
        case .fault(let fault): throw TransportError(fault.kind, target: target, detail: "stub \(answer.name)")
        case .answer(let status, let headers, let body):
            let fields = HeaderFields(headers.map { HeaderFields.Field($0.name, $0.value) })
            return Response(status: status, headers: fields, body: Data(body), url: request.url)
        }
    }

    /// The stub's own time; a bound on the exchange holds for it as for a server.
    private func wait(for answer: StubAnswer, total: Duration?, _ target: String) async throws {
        guard let range = answer.delay else { return }
        let seconds = Double.random(in: range.lowerBound.inSeconds...range.upperBound.inSeconds)
        if let total, seconds > total.inSeconds {
            try await sleep(total)
            throw TransportError(.timeout(.total), target: target, detail: "stub \(answer.name)")
        }
        if seconds > 0 { try await sleep(.seconds(seconds)) }
    }

    private static func target(of url: URL?) -> String {
        let host = url?.host ?? ""
        return url?.port.map { "\(host):\($0)" } ?? host
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
