import Exchange
import HTTPWire
import ReqcliMocking
import ReqcliServing
import ReqcliText
import RequestBuilding

/// Responds to requests with stubs that the test itself has made.
struct StubResponder: Sendable {
    private let stubs: StubTransport
    private let replies = StubReplies(followsLinks: true)

    init(_ stubs: StubTransport) {
        // The transport does not have to report requests, because the server remembers them itself.
        self.stubs = stubs.reporting { _ in }
    }

    func reply(to request: PreparedRequest) -> ServerReply {
        do {
            let stub = try next(for: request)
            return replies.reply(ServedStub(stub, named: stub.name ?? "stub"), sharing: .none)
        } catch let missing as StubMissing where missing.exhausted != nil {
            return replies.refusal(500, Wording(quoting: missing.description))
        } catch {
            return replies.refusal(404, Wording(quoting: "\(error)"))
        }
    }

    /// The response to input that is not a request.
    func refusal(of problem: WireProblem) -> ServerReply {
        replies.refusal(problem.status, Wording(own: problem.reason))
    }

    /// The next stub for a request. A stub for GET responds to HEAD, too.
    private func next(for request: PreparedRequest) throws -> Stub {
        do {
            return try stubs.next(for: request)
        } catch let missing as StubMissing where missing.exhausted == nil && request.method == .head {
            var get = request
            get.method = .get
            return try stubs.next(for: get)
        }
    }
}
