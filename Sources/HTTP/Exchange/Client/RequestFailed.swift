public import Foundation
public import RequestBuilding

/// The error for a response with a status other than 2xx.
public struct RequestFailed: DescribedError, Sendable {
    /// The head of the response.
    public let head: ResponseHead
    /// The body of the response, which often explains the status.
    public let body: Data

    /// Makes an error, for example in a test.
    public init(head: ResponseHead, body: Data = Data()) {
        self.head = head
        self.body = body
    }

    /// The status code.
    public var status: Int { head.status }

    /// The status and the server that sent it.
    public var description: String {
        let reason = head.reason.isEmpty ? "" : " \(head.reason)"
        let source = head.url.map { " from \($0.host ?? $0.absoluteString)" } ?? ""
        return "the response\(source) has the status \(head.status)\(reason)"
    }
}

/// The error for a response that cannot be decoded as the requested type.
public struct ResponseNotDecoded: DescribedError, Sendable {
    /// The requested type.
    public let type: String
    /// The head of the response.
    public let head: ResponseHead
    /// The body that could not be decoded.
    public let body: Data
    /// The decoder's error.
    public let underlying: any Error

    /// The requested type and the decoder's error.
    public var description: String {
        let kind = head.headers["Content-Type"].map { " of type \($0)" } ?? ""
        return "the response with status \(head.status)\(kind) can't be decoded as \(type): \(reason)"
    }

    private var reason: String {
        guard let error = underlying as? DecodingError else { return "\(underlying)" }
        func place(_ context: DecodingError.Context) -> String {
            let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
            return "\(context.debugDescription)\(path.isEmpty ? "" : " (at $\(path))")"
        }
        return switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            place(context)
        @unknown default: "\(error)"
        }
    }
}
