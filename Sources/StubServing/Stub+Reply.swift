import ASCII
import Exchange
import Foundation
import HTTPWire
import RequestBuilding
import Serving

extension Stub {
    /// The stub as a response over HTTP.
    ///
    /// - Parameter name: The value of `X-Reqcli-Stub`.
    func reply(named name: String) -> ServerReply {
        let fault = self.fault
        let content: ServerReply.Body
        do throws(OpenFile.Problem) {
            content = try self.content(fault)
        } catch {
            return .refusal(500, "the stub's file cannot be read: \(error.reason)")
        }
        let fields = headers.map { (name: $0.name, value: $0.value) } + [(ServerReply.stubHeader, name)]
        return ServerReply(
            ReplyHead(status: status, fields: fields), body: content, delay: delay.map(Self.drawn) ?? .zero,
            bodyTime: bodyTime ?? .zero, fault: fault)
    }

    private static func drawn(_ range: ClosedRange<Duration>) -> Duration {
        range.lowerBound + (range.upperBound - range.lowerBound) * Double.random(in: 0...1)
    }

    private var fault: ServerReply.Fault? {
        guard let error else { return nil }
        return switch (error as? TransportError)?.kind {
        case .truncated: .truncated
        case .timeout: .timeout
        default: .reset
        }
    }

    private func content(_ fault: ServerReply.Fault?) throws(OpenFile.Problem) -> ServerReply.Body {
        switch body {
        // Half of it is what arrives of a fault without a body.
        case .data(let data) where data.isEmpty && fault == .truncated:
            return .bytes([UInt8](repeating: .space, count: 128))
        case .data(let data): return .bytes(Array(data))
        case .file(let path):
            // A fault of the connection needs none.
            if fault == .reset || fault == .timeout { return .none }
            let file = try OpenFile(path: path)
            return .file(file, 0..<file.count)
        }
    }
}

extension ServerReply {
    /// The header that names the stub of a response.
    static let stubHeader = "X-Reqcli-Stub"

    /// A response of the server itself, as `application/problem+json` (RFC 9457).
    static func refusal(_ status: Int, _ title: String) -> ServerReply {
        var text = Data()
        if let encoded = try? JSONEncoder().encode(["title": title]) { text = encoded }
        return ServerReply(
            status: status, fields: [("Content-Type", "application/problem+json"), (stubHeader, "none")],
            body: .bytes(Array(text)))
    }
}

extension PreparedRequest {
    /// The request as it came; nil if its method is none that a client of ours would send.
    init?(_ request: ServerRequest) {
        let head = request.head
        guard let method = try? HTTPMethod(head.method) else { return nil }
        let target = head.target.path + (head.target.query.map { "?\($0)" } ?? "")
        let authority = head.authority ?? "localhost"
        guard let url = URL(string: "http://\(authority)\(target.hasPrefix("/") ? "" : "/")\(target)") else {
            return nil
        }
        self.init(
            url: url, method: method,
            headers: HeaderFields(head.fields.map { HeaderFields.Field($0.name, $0.value) }),
            body: request.body.isEmpty ? nil : .data(Data(request.body)))
    }
}
