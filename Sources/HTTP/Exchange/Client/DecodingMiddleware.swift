import Foundation
import ReqcliBasics
public import RequestBuilding

/// Asks servers for compressed responses and decodes them, where `decodesContent` of a request's transfer settings says so.
///
/// If a request has its own `Accept-Encoding`, its response is returned unchanged. So is the response to a request for a range,
/// because a part of a compressed body cannot be decoded. Responses in codings that were not requested are passed on unchanged,
/// too.
public struct DecodingMiddleware: Middleware {
    /// A middleware that asks for the codings that this machine can decode: gzip, deflate, br and zstd.
    public init() {}

    /// Sends the request with `Accept-Encoding`, and returns a response whose body decodes as it is read.
    public func send(_ request: PreparedRequest, next: Next) async throws -> Response {
        guard request.asksForCompression else { return try await next(request) }
        var response = try await next(request.asking(for: ContentCoding.installed.map(\.rawValue)))
        guard let codings = try? ContentCoding.named(response.head.contentCodings), !codings.isEmpty,
            codings.allSatisfy(ContentCoding.installed.contains)
        else { return response }
        response.head.isDecoded = true
        for coding in codings.reversed() {
            response.body = ResponseBody(response.body, BodyDecoding(coding, target: request.url.authority))
        }
        return response
    }
}

/// The state of decoding a body, which one reader at a time advances.
final class BodyDecoding: Sendable {
    private let state: Mutex<State>
    private let target: String

    private struct State: ~Copyable {
        let decoder: ContentDecoder
        /// Whether the reader has ended the body before its last byte.
        var isEnded = false
    }

    init(_ coding: ContentCoding, target: String) {
        state = Mutex(State(decoder: ContentDecoder(coding)))
        self.target = target
    }

    func append(_ chunk: Data) { state.withLock { $0.decoder.append(chunk) } }

    /// The next decoded bytes; nil if more coded ones are needed.
    func next() throws -> Data? {
        try state.withLock { state in
            do throws(ContentCodingProblem) {
                return try state.decoder.next().map { Data($0) }
            } catch {
                throw TransportError(.badResponse, target: target, detail: error.kind.sentence)
            }
        }
    }

    /// The decoded bytes after the last coded one.
    func last() throws -> Data? {
        let isEnded = state.withLock { state in
            state.decoder.endInput()
            return state.isEnded
        }
        return isEnded ? nil : try next()
    }

    func end() { state.withLock { $0.isEnded = true } }
}

extension ContentCodingProblem.Kind {
    fileprivate var sentence: String {
        switch self {
        case .cutOff: "its compressed body is cut off"
        case .noLibrary(let library): "its body is compressed, and \(library) is not installed"
        case .damaged, .tooLarge, .unknown: "its compressed body is broken"
        }
    }
}
