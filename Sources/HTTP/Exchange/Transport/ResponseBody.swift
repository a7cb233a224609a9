public import Foundation
public import RequestBuilding

/// The bytes of a response, chunk by chunk, at the reader's own speed.
///
/// Whoever reads governs: while nobody asks for the next chunk no more than a bounded amount is taken from the network.
/// A body can be read once; one that is dropped unread ends its transfer.
///
/// ```swift
/// for try await chunk in response.body { file.write(chunk) }
/// let trailers = response.body.ending?.trailers
/// ```
public struct ResponseBody: AsyncSequence, Sendable {
    private let source: Source

    private enum Source: Sendable {
        case whole(Data, Ending)
        case stream(BodyStream, lease: BodyLease)
        indirect case decoded(ResponseBody, BodyDecoding)
    }

    /// A body that is already there.
    public init(_ data: Data, ending: Ending = Ending()) {
        source = .whole(data, ending)
    }

    /// A body that arrives; the transfer is ended by `abandon` when nobody holds the body any more.
    init(_ stream: BodyStream, abandon: @escaping @Sendable () -> Void) {
        source = .stream(stream, lease: BodyLease(onEnd: abandon))
    }

    /// Another body, decoded as it is read.
    init(_ body: ResponseBody, _ decoding: BodyDecoding) {
        source = .decoded(body, decoding)
    }

    /// The trailers and figures, known once the last byte has been read; nil before, and after a failure.
    public var ending: Ending? {
        switch source {
        case .whole(_, let ending): ending
        case .stream(let stream, _): stream.ending
        case .decoded(let body, _): body.ending
        }
    }

    /// All bytes at once; more than `limit` of them is an error.
    public func data(upTo limit: Int = .max) async throws -> Data {
        switch source {
        case .whole(let data, _) where data.count <= limit: return data
        // A small response has come whole by the time its head is known.
        case .stream(let stream, _): if let data = stream.takeAll(upTo: limit) { return data }
        default: break
        }
        var result = Data()
        for try await chunk in self {
            guard result.count + chunk.count <= limit else { throw TooLarge(limit: limit) }
            result += chunk
        }
        return result
    }

    /// Ends the body before its last byte: its reader gets what has come so far, and then the end.
    public func end() {
        switch source {
        case .whole: break
        case .stream(let stream, _): stream.end()
        case .decoded(let body, let decoding):
            decoding.end()
            body.end()
        }
    }

    /// Reads and forgets what is left, up to a limit, so that the connection can be used again.
    func drain(upTo limit: Int) async {
        var count = 0
        do {
            for try await chunk in self {
                count += chunk.count
                if count > limit { return }
            }
        } catch {
            // The response was going to be thrown away; how its body ends changes nothing.
        }
    }

    /// An iterator over what has not been read yet.
    public func makeAsyncIterator() -> Iterator {
        switch source {
        case .whole(let data, _): Iterator(.whole(data.isEmpty ? nil : data))
        case .stream(let stream, let lease): Iterator(.stream(stream, lease))
        case .decoded(let body, let decoding): Iterator(.decoded(body.makeAsyncIterator(), decoding))
        }
    }

    /// Reads chunk by chunk.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate enum Source {
            case whole(Data?)
            case stream(BodyStream, BodyLease)
            indirect case decoded(Iterator, BodyDecoding)
        }

        private var source: Source

        fileprivate init(_ source: Source) { self.source = source }

        /// The next chunk, never empty; nil at the end.
        public mutating func next() async throws -> Data? {
            switch source {
            case .whole(let data):
                source = .whole(nil)
                return data
            case .stream(let stream, _): return try await stream.next()
            case .decoded(var coded, let decoding):
                defer { source = .decoded(coded, decoding) }
                while true {
                    if let piece = try decoding.next() { return piece }
                    guard let chunk = try await coded.next() else { return try decoding.last() }
                    decoding.append(chunk)
                }
            }
        }
    }
}

extension ResponseBody {
    /// The part of a response that is known only at its end.
    public struct Ending: Hashable, Sendable {
        /// Header fields that came after the body.
        public var trailers: HeaderFields
        /// How long each part took; nil where the transport doesn't measure.
        public var timings: Timings?

        /// The end of a transfer; the default is one that told nothing.
        public init(trailers: HeaderFields = [:], timings: Timings? = nil) {
            self.trailers = trailers
            self.timings = timings
        }
    }

    /// A body that is larger than its reader allows.
    public struct TooLarge: LocalizedError, Hashable, Sendable, CustomStringConvertible {
        /// The number of bytes allowed.
        public let limit: Int
        /// The description of the failure and the advice.
        public var description: String {
            "the body has more than the \(limit) bytes allowed: read it in chunks or allow more"
        }
        /// The description.
        public var errorDescription: String? { description }
    }
}

/// Times from the beginning of a request, as libcurl measures them; those of steps that didn't happen are zero.
public struct Timings: Hashable, Sendable {
    /// Until the host's name was resolved.
    public var nameLookup: Duration
    /// Until the connection was there.
    public var connect: Duration
    /// Until TLS was agreed.
    public var tls: Duration
    /// Until the first byte of the response.
    public var firstByte: Duration
    /// Until the last byte.
    public var total: Duration

    /// Times from the beginning of a request.
    public init(nameLookup: Duration, connect: Duration, tls: Duration, firstByte: Duration, total: Duration) {
        self.nameLookup = nameLookup
        self.connect = connect
        self.tls = tls
        self.firstByte = firstByte
        self.total = total
    }
}

/// Ends a transfer when the last holder of its body lets go.
final class BodyLease: Sendable {
    private let onEnd: @Sendable () -> Void

    init(onEnd: @escaping @Sendable () -> Void) {
        self.onEnd = onEnd
    }

    deinit {
        onEnd()
    }
}
