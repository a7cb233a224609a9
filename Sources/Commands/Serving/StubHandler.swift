import Assembly
import Definitions
import Exchange
import Foundation
import HTTPWire
import Mocking
import RequestBuilding
import Serving
import SourceText

/// Answers the requests of a server from stubs.
struct StubHandler: Sendable {
    let engine: MockEngine
    let rules: BrowserRules
    /// Added to the delay of every response.
    let delay: ClosedRange<Duration>
    let log: ServeLog
    /// Whether the log says how requests differ from what their endpoint describes.
    let reportsProblems: Bool

    func reply(_ request: ServerRequest) -> ServerReply {
        let head = request.head
        var incoming = IncomingRequest(
            method: head.method, path: head.target.path, query: head.target.query,
            headers: head.fields.map { IncomingRequest.Field($0.name, $0.value) }, body: request.body)
        incoming.host = head.authority?.lowercased()
        guard rules.accepts(host: head.authority) else {
            let host = head.authority ?? ""
            let refusal = MockAnswer.Refusal(
                status: 403, title: "the host \(host.quoted) is not of this machine; --allow-host accepts it")
            return refused(refusal, nil, incoming)
        }
        let answer = engine.answer(incoming)
        switch answer.content {
        case .stub(let stub, let variant):
            let name = "\(answer.endpoint?.id ?? "")=\(variant)"
            log.add(
                incoming, status: shownStatus(of: stub), name, reportsProblems ? answer.problems : [])
            return reply(stub, name, incoming)
        case .refusal(let refusal):
            if let headers = rules.preflight(incoming) {
                log.add(incoming, status: 204, "CORS", [])
                return ServerReply(status: 204, fields: headers + [(MockEngine.header, "none")])
            }
            return refused(refusal, answer, incoming)
        }
    }

    /// The response to what is no request, or one beyond the limits.
    func reply(to problem: WireProblem) -> ServerReply {
        let refusal = MockAnswer.Refusal(status: problem.status, title: problem.reason)
        let request = IncomingRequest(method: "---", path: "", query: nil, headers: [], body: [])
        return refused(refusal, nil, request)
    }

    // MARK: Variants

    private func reply(_ stub: Stub, _ name: String, _ request: IncomingRequest) -> ServerReply {
        let own = Set(stub.headers.map { $0.name.lowercased() })
        var fields = stub.headers.map { (name: $0.name, value: $0.value) }
        fields += rules.sharingHeaders(for: request).filter { !own.contains($0.name.lowercased()) }
        fields.append((MockEngine.header, name))
        var body: [UInt8] = []
        if case .data(let data) = stub.body { body = Array(data) }
        let fault = fault(of: stub)
        // Half of these is what arrives of a fault without a body.
        if fault == .truncated, body.isEmpty { body = Array(repeating: UInt8(ascii: " "), count: 128) }
        return ServerReply(
            ReplyHead(status: stub.status, fields: fields), body: .bytes(body), delay: wait(stub),
            bodyTime: stub.bodyTime ?? .zero, fault: fault)
    }

    private func wait(_ stub: Stub) -> Duration {
        func drawn(_ range: ClosedRange<Duration>) -> Duration {
            range.lowerBound + (range.upperBound - range.lowerBound) * Double.random(in: 0...1)
        }
        return (stub.delay.map(drawn) ?? .zero) + drawn(delay)
    }

    private func fault(of stub: Stub) -> ServerReply.Fault? {
        guard let error = stub.error else { return nil }
        return switch (error as? TransportError)?.kind {
        case .truncated: .truncated
        case .timeout: .timeout
        default: .reset
        }
    }

    private func shownStatus(of stub: Stub) -> Int? { stub.error == nil ? stub.status : nil }

    // MARK: Responses of the server itself

    private func refused(
        _ refusal: MockAnswer.Refusal, _ answer: MockAnswer?, _ request: IncomingRequest
    ) -> ServerReply {
        log.add(request, refusal, answer?.problems ?? [])
        var members = [
            OrderedJSON.Member("title", .string(refusal.title)), OrderedJSON.Member("status", .int(refusal.status)),
        ]
        if !refusal.problems.isEmpty {
            let problems = refusal.problems.map { OrderedJSON.string($0.message) }
            members.append(OrderedJSON.Member("problems", .array(problems)))
        }
        if !refusal.near.isEmpty {
            let near = refusal.near.map { miss in
                OrderedJSON.object([
                    OrderedJSON.Member("endpoint", .string(miss.endpoint.id)),
                    OrderedJSON.Member("request", .string("\(miss.method) \(miss.path)")),
                    OrderedJSON.Member("place", .string(miss.endpoint.definition.place.description)),
                    OrderedJSON.Member("difference", .string(miss.difference)),
                ])
            }
            members.append(OrderedJSON.Member("near", .array(near)))
        }
        var fields = [(name: MockEngine.header, value: "none")] + rules.sharingHeaders(for: request)
        if !refusal.allowed.isEmpty { fields.append(("Allow", refusal.allowed.joined(separator: ", "))) }
        guard refusal.status != 204 else { return ServerReply(status: 204, fields: fields) }
        fields.append(("Content-Type", "application/problem+json"))
        return ServerReply(
            status: refusal.status, fields: fields,
            body: .bytes(Array((OrderedJSON.object(members).compact + "\n").utf8)))
    }
}
