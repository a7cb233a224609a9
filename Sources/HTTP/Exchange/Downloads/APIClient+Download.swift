import Foundation
public import RequestBuilding

extension APIClient {
    /// Saves the body of a response in a file, and goes on where an earlier call was interrupted.
    ///
    /// ```swift
    /// try await client.download(.get("maps/europe"), to: path) { progress in
    ///     print(progress.received, progress.total ?? "?")
    /// }
    /// ```
    ///
    /// The file appears when it is complete; it replaces an existing file. Until then its bytes are in `PATH.part`. After an
    /// interruption they stay there if the server can tell whether the file has changed: by a strong `ETag`, or by a
    /// `Last-Modified` that isn't new. The next call then asks for the missing bytes only. If the file has changed, it starts from
    /// the beginning.
    ///
    /// - Parameters:
    ///   - builder: The request.
    ///   - path: The path of the file.
    ///   - onProgress: Called after each chunk.
    /// - Returns: The head of the response: 206 if an earlier download was continued.
    /// - Throws: ``RequestFailed`` if the status is neither 200 nor 206.
    @discardableResult
    public func download(
        _ builder: RequestBuilder, to path: String,
        onProgress: @Sendable (_ progress: DownloadProgress) -> Void = { _ in }
    ) async throws -> ResponseHead {
        let request = try prepared(builder)
        let file = PartialFile(path, for: request)
        var rest = file.rest
        var response = try await send(rest?.asking(request) ?? DownloadRest.whole(request))
        if let refused = rest, refused.isRefused(by: response.head) {
            rest = nil
            response = try await send(DownloadRest.whole(request))
        }
        let offset = response.status == 206 ? rest?.offset : nil
        guard response.status == 200 || offset != nil else {
            throw RequestFailed(head: response.head, body: try await response.body.data())
        }
        try await file.write(response, at: offset, onProgress)
        return response.head
    }
}

/// How much of a download has arrived.
public struct DownloadProgress: Hashable, Sendable {
    /// The number of bytes that the file has so far, with those of an earlier call.
    public let received: Int
    /// The number of bytes of the whole file; nil if the server doesn't say it.
    public let total: Int?
}

/// A file that is being downloaded.
private struct PartialFile {
    private let path: String
    private let identity: String

    /// What is known about the bytes of a partial file.
    private struct Record: Codable {
        let identity: String
        let validator: DownloadValidator
        let length: Int?
    }

    private var part: URL { URL(filePath: "\(path).part") }
    private var record: URL { URL(filePath: "\(path).part.json") }

    init(_ path: String, for request: PreparedRequest) {
        self.path = path
        identity = DownloadRest.identity(of: request)
    }

    /// What is missing after an earlier download; nil if the whole file is needed.
    var rest: DownloadRest? {
        guard let data = try? Data(contentsOf: record), let record = try? JSONDecoder().decode(Record.self, from: data),
            record.identity == identity,
            let size = try? FileManager.default.attributesOfItem(atPath: part.path)[.size] as? Int
        else { return nil }
        return DownloadRest(kept: size, length: record.length, record.validator)
    }

    func write(
        _ response: Response, at offset: Int?, _ onProgress: (DownloadProgress) -> Void
    ) async throws {
        let head = response.head
        if offset == nil { try begin(head) }
        let handle = try FileHandle(forWritingTo: part)
        defer { try? handle.close() }
        let start = offset ?? 0
        try handle.truncate(atOffset: UInt64(start))
        try handle.seek(toOffset: UInt64(start))
        var received = start
        let total = ContentRange(of: head)?.total ?? head.contentLength
        for try await chunk in response.body {
            try handle.write(contentsOf: chunk)
            received += chunk.count
            onProgress(DownloadProgress(received: received, total: total))
        }
        if let problem = ContentRange(of: head)?.problem(withSize: received - start) {
            throw TransportError(.badResponse, target: head.url?.host ?? "", detail: problem)
        }
        try handle.close()
        try end()
    }

    /// Makes the file empty. The record is written first, so that no bytes have the record of another file.
    private func begin(_ head: ResponseHead) throws {
        try? FileManager.default.removeItem(at: part)
        if let validator = DownloadValidator(head) {
            let state = Record(identity: identity, validator: validator, length: head.contentLength)
            try JSONEncoder.stable.encode(state).write(to: record, options: .atomic)
        } else {
            try? FileManager.default.removeItem(at: record)
        }
        try Data().write(to: part)
    }

    /// Gives the complete file its name.
    private func end() throws {
        // Unlike FileManager, this replaces an existing file at once.
        guard rename(part.path, path) == 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
        }
        try? FileManager.default.removeItem(at: record)
    }
}
