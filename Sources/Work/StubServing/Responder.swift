import Exchange
import HTTPWire
import ReqcliMocking
import ReqcliServing
import ReqcliText
import RequestBuilding

/// Responds to the requests of a server.
protocol Responder: Sendable {
    /// The response to a request, and the id of the endpoint that the request is for.
    func reply(to request: PreparedRequest, _ raw: ServerRequest) -> (reply: ServerReply, name: String?)
    /// The headers that allow a page to read the refusal of an invalid request.
    func sharing(_ head: RequestHead) -> AddedHeaders
}

/// Responds with stubs.
struct StubResponder: Responder {
    private let stubs: StubTransport
    private let replies = StubReplies(followsLinks: true)

    init(_ stubs: StubTransport) {
        // The transport does not have to report requests, because the server remembers them itself.
        self.stubs = stubs.reporting { _ in }
    }

    func reply(to request: PreparedRequest, _: ServerRequest) -> (reply: ServerReply, name: String?) {
        do {
            let stub = try next(for: request)
            return (replies.reply(ServedStub(stub, named: stub.name ?? "stub"), sharing: .none), nil)
        } catch let missing as StubMissing where missing.exhausted != nil {
            return (replies.refusal(500, Wording(quoting: missing.description)), nil)
        } catch {
            return (replies.refusal(404, Wording(quoting: "\(error)")), nil)
        }
    }

    func sharing(_: RequestHead) -> AddedHeaders { .none }

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
