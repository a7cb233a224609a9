public import Foundation
public import RequestBuilding

/// The bytes of a response, chunk by chunk, at the reader's own speed.
///
/// The reader sets the pace: until it asks for the next chunk, only a limited number of bytes is taken from the network. A body
/// can be read once. If the last reference to a body is gone before the body has ended, the transfer is ended, too.
///
/// ```swift
/// for try await chunk in response.body { file.write(chunk) }
/// let trailers = response.body.ending?.trailers
/// ```
public struct ResponseBody: AsyncSequence, Sendable {
    private let source: Source

    private enum Source: Sendable {
        indirect case whole(Data, Ending)
        case stream(BodyStream, lease: BodyLease)
        indirect case decoded(ResponseBody, BodyDecoding)
        indirect case begun(Data, rest: ResponseBody)
    }

    /// A body that is already complete.
    public init(_ data: Data) {
        self.init(data, ending: Ending())
    }

    /// A body that is already complete, with what came after it.
    package init(_ data: Data, ending: Ending) {
        source = .whole(data, ending)
    }

    /// A body that arrives from a transfer. When the last reference to the body is gone, `abandon` is called to end the transfer.
    init(_ stream: BodyStream, abandon: @escaping @Sendable () -> Void) {
        source = .stream(stream, lease: BodyLease(onEnd: abandon))
    }

    /// Another body, decoded while it is read.
    init(_ body: ResponseBody, _ decoding: BodyDecoding) {
        source = .decoded(body, decoding)
    }

    /// The trailers and timings, which are known after the last byte has been read; nil before that, and after a failure.
    public var ending: Ending? {
        switch source {
        case .whole(_, let ending): ending
        case .stream(let stream, _): stream.ending
        case .decoded(let body, _), .begun(_, let body): body.ending
        }
    }

    /// The first bytes of the body, and the same body for the next reader.
    func beginning(upTo limit: Int) async throws -> (bytes: Data, body: ResponseBody) {
        if case .whole(let data, _) = source { return (data.prefix(limit), self) }
        var bytes = Data()
        var iterator = makeAsyncIterator()
        while bytes.count < limit, let chunk = try await iterator.next() { bytes += chunk }
        var body = self
        if !bytes.isEmpty { body = ResponseBody(source: .begun(bytes, rest: self)) }
        return (bytes, body)
    }

    private init(source: Source) { self.source = source }

    /// All bytes at once. A body with more than `limit` bytes is an error.
    public func data(upTo limit: Int = .max) async throws -> Data {
        switch source {
        case .whole(let data, _) where data.count <= limit: return data
        // A small response has usually arrived completely when its head is known.
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

    /// Ends the body before its last byte: its reader gets the bytes that have arrived so far, and then the end.
    package func end() {
        switch source {
        case .whole: break
        case .stream(let stream, _): stream.end()
        case .decoded(let body, let decoding):
            decoding.end()
            body.end()
        case .begun(_, let rest): rest.end()
        }
    }

    /// Reads and discards the rest of the body, up to a limit, so that the connection can be used again.
    func drain(upTo limit: Int) async {
        var count = 0
        do {
            for try await chunk in self {
                count += chunk.count
                if count > limit { return }
            }
        } catch {
            // The response is discarded anyway, so an error in its body does not matter.
        }
    }

    /// An iterator over the bytes that have not been read yet.
    public func makeAsyncIterator() -> Iterator {
        switch source {
        case .whole(let data, _): Iterator(.whole(data.isEmpty ? nil : data))
        case .stream(let stream, let lease): Iterator(.stream(stream, lease))
        case .decoded(let body, let decoding): Iterator(.decoded(body.makeAsyncIterator(), decoding))
        case .begun(let bytes, let rest): Iterator(.begun(bytes, rest: rest.makeAsyncIterator()))
        }
    }

    /// Reads a body chunk by chunk.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate enum Source {
            case whole(Data?)
            case stream(BodyStream, BodyLease)
            indirect case decoded(Iterator, BodyDecoding)
            indirect case begun(Data, rest: Iterator)
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
            case .begun(let bytes, let rest):
                source = rest.source
                return bytes
            }
        }
    }
}

extension ResponseBody {
    /// The part of a response that is known only at its end.
    public struct Ending: Hashable, Sendable {
        /// Header fields that were received after the body.
        public var trailers: HeaderFields
        /// The times at which the steps of the transfer ended; nil if the transport doesn't measure them.
        public var timings: Timings?

        /// The end of a transfer, by default without trailers and timings.
        package init(trailers: HeaderFields = [:], timings: Timings? = nil) {
            self.trailers = trailers
            self.timings = timings
        }
    }

    /// The error for a body that is larger than its reader allows.
    public struct TooLarge: DescribedError, Hashable, Sendable {
        /// The number of bytes allowed.
        public let limit: Int
        /// The description of the failure, and what to do.
        public var description: String {
            "the body has more than the \(limit) bytes allowed: read it in chunks or allow more"
        }
    }
}

/// Ends a transfer when the last reference to its body is gone.
final class BodyLease: Sendable {
    private let onEnd: @Sendable () -> Void

    init(onEnd: @escaping @Sendable () -> Void) {
        self.onEnd = onEnd
    }

    deinit {
        onEnd()
    }
}
