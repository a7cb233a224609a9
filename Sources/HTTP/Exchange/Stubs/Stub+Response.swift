import Foundation
import ReqcliBasics
import RequestBuilding

extension Stub {
    /// Returns the response, or throws the error as a real failure would.
    func response(to request: PreparedRequest) throws -> Response {
        let error = self.error.map { targeted($0, at: request) }
        if let error, !errorEndsBody { throw error }
        // A response to HEAD, or one with 204, 205 or 304, has no body (RFC 9112, 6.3; RFC 9110, 15.3.6).
        let hasBody = request.method != .head && ![204, 205, 304].contains(status)
        let data = hasBody ? try content() : Data()
        var response = Response(status: status, headers: headers, body: data, url: request.url)
        if let error { response.body = ResponseBody(data, failing: error) }
        return response
    }

    /// A network failure that names this stub.
    func failure(_ kind: TransportError.Kind, of request: PreparedRequest) -> TransportError {
        TransportError(kind, target: request.url.authority, detail: name.map { "stub \($0)" } ?? "stubbed")
    }

    private func targeted(_ error: any Error, at request: PreparedRequest) -> any Error {
        guard let error = error as? TransportError, error.target.isEmpty else { return error }
        return failure(error.kind, of: request)
    }

    private func content() throws -> Data {
        switch body {
        case .data(let data): return data
        case .file(let path):
            do {
                return try Data(contentsOf: URL(filePath: path))
            } catch {
                throw StubUnreadable(path: path, underlying: error)
            }
        }
    }
}

extension ResponseBody {
    /// A body that ends with a failure after these bytes.
    fileprivate init(_ data: Data, failing error: any Error) {
        let stream = BodyStream(resume: {}, cancel: {})
        data.withUnsafeBytes { _ = stream.offer($0) }
        stream.finish(.failure(error))
        self.init(stream) {}
    }
}

extension ResponseBody {
    /// The number of parts in which a slow body arrives.
    private static let slowParts = 20

    /// A copy of this body that arrives in parts, evenly over the given time. This body must be in memory.
    func coming(over time: Duration, _ sleep: @escaping @Sendable (Duration) async throws -> Void) -> ResponseBody {
        let source = self
        let (room, roomMade) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let feeder = Mutex<Task<Void, Never>?>(nil)
        let stream = BodyStream(resume: { roomMade.yield() }, cancel: { feeder.withLock { $0?.cancel() } })
        let task = Task {
            do {
                var data = Data()
                var failure: (any Error)?
                do {
                    for try await chunk in source { data += chunk }
                } catch {
                    failure = error
                }
                let count = Swift.max(1, Swift.min(Self.slowParts, data.count))
                var hasRoom = room.makeAsyncIterator()
                for part in 0..<count {
                    try await sleep(time / count)
                    let slice = Data(data[data.count * part / count..<data.count * (part + 1) / count])
                    while !slice.withUnsafeBytes({ stream.offer($0) }) { await hasRoom.next() }
                    stream.settle()
                }
                stream.finish(failure.map { .failure($0) } ?? .success(Ending()))
            } catch {
                stream.finish(.failure(error))
            }
            stream.settle()
        }
        feeder.withLock { $0 = task }
        return ResponseBody(stream) { task.cancel() }
    }
}

extension URL {
    /// The host, and the port if there is one, for messages.
    var authority: String {
        let host = host ?? "nowhere"
        return port.map { "\(host):\($0)" } ?? host
    }
}
