import Foundation
import ReqcliBasics
public import RequestBuilding

/// Asks servers for compressed responses and decodes them.
///
/// A client does this by itself for requests whose transfer setting `decodesContent` is true. With this middleware, it does so for
/// all requests whose setting isn't false.
///
/// The response to a request with its own `Accept-Encoding` is returned unchanged. The response to a request for a range is also
/// returned unchanged, because a part of a compressed body cannot be decoded. A response in a coding that was not requested is
/// returned unchanged, too.
public struct DecodingMiddleware: Middleware {
    private let isOnlyIfSet: Bool

    /// A middleware that asks for the codings gzip, deflate, br and zstd, if this machine can decode them.
    public init() { isOnlyIfSet = false }

    /// A middleware only for requests whose transfer setting `decodesContent` is true.
    package init(onlyIfSet: Bool) { isOnlyIfSet = onlyIfSet }

    /// Sends the request with `Accept-Encoding`, and returns a response whose body is decoded while it is read.
    public func send(_ request: PreparedRequest, next: Next) async throws -> Response {
        var request = request
        if !isOnlyIfSet { request.transfer.decodesContent = request.transfer.decodesContent ?? true }
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

/// Decodes one body while it is read. Only one reader at a time may use it.
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

    /// The next decoded bytes; nil if more coded bytes are needed.
    func next() throws -> Data? {
        try state.withLock { state in
            do throws(ContentCodingProblem) {
                return try state.decoder.next().map { Data($0) }
            } catch {
                throw TransportError(.badResponse, target: target, detail: error.kind.sentence)
            }
        }
    }

    /// The decoded bytes that remain after the last coded byte; nil if there are none.
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
