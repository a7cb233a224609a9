import Exchange
import Foundation
import HTTPWire
import ReqcliDefinitions
package import ReqcliMocking
package import ReqcliServing
import ReqcliText
import RequestBuilding

/// Converts the answers of the engine to responses of the server.
package struct StubReplies: Sendable {
    package typealias Fields = [(name: String, value: String)]

    /// A time that is added to the delay of every response, except for responses of the control API.
    private let delay: ClosedRange<Duration>

    /// Whether the path of a file may have links in it.
    private let followsLinks: Bool

    /// - Parameter followsLinks: True if the caller's own code names the files, and not a workspace.
    package init(delay: ClosedRange<Duration> = .zero ... .zero, followsLinks: Bool = false) {
        self.delay = delay
        self.followsLinks = followsLinks
    }

    // MARK: Variants

    /// The response of a variant.
    ///
    /// - Parameter sharing: The headers that allow a page to read the response. A variant's own headers take precedence.
    package func reply(_ served: ServedStub, sharing: AddedHeaders) -> ServerReply {
        let stub = served.stub
        let fault = Self.fault(of: stub)
        let body: ServerReply.Body
        switch stub.body {
        // A truncated response sends half of its body. If the stub has no body, 128 spaces are used as the body.
        case .data(let data) where fault == .truncated && data.isEmpty:
            body = .bytes(Array(repeating: UInt8(ascii: " "), count: 128))
        case .data: body = .bytes(served.body)
        // The connection breaks before any byte of the file is sent.
        case .file where fault == .reset || fault == .timeout: body = .none
        case .file(let path):
            do throws(OpenFile.Problem) {
                let file = try OpenFile(path: path, followsLinks: followsLinks)
                body = .file(file, 0..<file.count)
            } catch {
                // The message doesn't name the folder, which the client should not learn.
                let name = path.split(separator: "/").last ?? ""
                let title: Wording =
                    "cannot read the stub's file \(own: JSONStringText.quoted(String(name))): \(own: error.reason)"
                return reply(MockAnswer.Refusal(status: 500, title: title), sharing: sharing)
            }
        }
        let own = served.sharingNames
        let lines = own.isEmpty ? sharing.lines : AddedHeaders(sharing.fields.filter { !own.contains($0.name) }).lines
        return ServerReply(
            served.head, lines, body: body, delay: wait(stub), bodyTime: stub.bodyTime ?? .zero, fault: fault)
    }

    private func wait(_ stub: Stub) -> Duration {
        (stub.delay.map(Self.drawn) ?? .zero) + Self.drawn(delay)
    }

    private static func drawn(_ range: ClosedRange<Duration>) -> Duration {
        guard range.lowerBound < range.upperBound else { return range.lowerBound }
        return range.lowerBound + (range.upperBound - range.lowerBound) * Double.random(in: 0...1)
    }

    private static func fault(of stub: Stub) -> ServerReply.Fault? {
        guard let error = stub.error else { return nil }
        if stub.errorEndsBody { return .truncated }
        return switch (error as? TransportError)?.kind {
        case .timeout: .timeout
        default: .reset
        }
    }

    // MARK: Responses of the server itself

    package func reply(_ refusal: MockAnswer.Refusal, sharing: AddedHeaders) -> ServerReply {
        var fields = [(name: MockEngine.header, value: "none")] + sharing.fields
        if !refusal.allowed.isEmpty { fields.append(("Allow", refusal.allowed.joined(separator: ", "))) }
        guard refusal.status != 204 else { return delayed(ServerReply(status: 204, fields: fields)) }
        let problems = refusal.problems.map { OrderedJSON.string($0.message.text) }
        let near = refusal.near.map { miss in
            OrderedJSON.object([
                "endpoint": .string(miss.endpoint.id), "request": .string("\(miss.method) \(miss.path)"),
                "place": .string(miss.endpoint.definition.place.description),
                "difference": .string(miss.difference.text),
            ])
        }
        return delayed(
            Self.reply(
                refusal.status,
                .object([
                    "title": .string(refusal.title.text), "status": .int(refusal.status),
                    "problems": problems.isEmpty ? nil : .array(problems), "near": near.isEmpty ? nil : .array(near),
                ]), fields))
    }

    /// The refusal for a person who has opened a URL in a browser, with a link to the server's page.
    package func reply(_ refusal: MockAnswer.Refusal, linkingTo page: String, sharing: AddedHeaders) -> ServerReply {
        let lines =
            [refusal.title.text] + refusal.problems.map(\.message.text)
            + refusal.near.map { "\($0.method) \($0.path): \($0.difference.text)" }
        let html = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(refusal.status)</title><link rel="stylesheet" href="\(page).css"></head>
            <body><main><h1>\(refusal.status)</h1>
            \(lines.map { "<p dir=\"auto\">\(Markup.escaped($0))</p>" }.joined(separator: "\n"))
            <p><a href="\(page)">What this server answers</a></p></main></body></html>

            """
        let fields = [
            (name: MockEngine.header, value: "none"), ("Content-Type", "text/html; charset=utf-8"),
            (
                "Content-Security-Policy",
                "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'"
            ),
            ("X-Content-Type-Options", "nosniff"),
        ]
        let allow = refusal.allowed.isEmpty ? [] : [(name: "Allow", value: refusal.allowed.joined(separator: ", "))]
        return delayed(
            ServerReply(status: refusal.status, fields: fields + allow + sharing.fields, body: .bytes(Array(html.utf8)))
        )
    }

    private func delayed(_ reply: ServerReply) -> ServerReply {
        var reply = reply
        reply.delay = Self.drawn(delay)
        return reply
    }

    /// A refusal that has only a status and a reason.
    func refusal(_ status: Int, _ title: Wording) -> ServerReply {
        reply(MockAnswer.Refusal(status: status, title: title), sharing: .none)
    }

    /// The response of the control API.
    package static func reply(_ reply: ControlReply) -> ServerReply {
        let fields =
            [(name: MockEngine.header, value: "none"), (name: "Cache-Control", value: "no-store")] + reply.fields
        guard let json = reply.json else { return ServerReply(status: reply.status, fields: fields) }
        return Self.reply(reply.status, json, fields)
    }

    private static func reply(_ status: Int, _ json: OrderedJSON, _ fields: Fields) -> ServerReply {
        let type = status < 400 ? "application/json" : "application/problem+json"
        return ServerReply(
            status: status, fields: fields + [("Content-Type", type)], body: .bytes(Array((json.compact + "\n").utf8)))
    }
}
