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
    /// The file appears when it is complete. It replaces an existing file and keeps its permissions; a link stays a link. Until then the
    /// bytes are in `PATH.part`, which no other download can use. After an interruption they stay there if the server can tell
    /// whether the file has changed: by a strong `ETag`, or by a `Last-Modified` that isn't new. The next call for the same request
    /// then asks for the missing bytes only. If the file has changed, it starts from the beginning.
    ///
    /// Foundation's own loader collects the whole body first, so that there is one step of progress, and nothing to go on with.
    ///
    /// - Parameters:
    ///   - builder: The request, a GET without a body.
    ///   - path: The path of the file.
    ///   - onProgress: Called after each chunk.
    /// - Returns: The head of the response: 206 if an earlier download was continued.
    /// - Throws: ``RequestFailed`` if the response is neither the file nor its missing part.
    @discardableResult
    public func download(
        _ builder: RequestBuilder, to path: String,
        onProgress: @Sendable (_ progress: DownloadProgress) -> Void = { _ in }
    ) async throws -> ResponseHead {
        let request = try await prepared(builder)
        try DownloadRest.check(request)
        do {
            let file = try GrowingFile(path)
            defer { file.leave() }
            return try await download(request, to: file, onProgress)
        } catch let problem as GrowingFile.Problem {
            throw problem.of(path)
        }
    }

    private func download(
        _ request: PreparedRequest, to file: GrowingFile, _ onProgress: (DownloadProgress) -> Void
    ) async throws -> ResponseHead {
        let identity = DownloadRest.identity(of: request, with: ["Authorization", "Cookie"])
        var rest: DownloadRest?
        if let kept = try file.kept(), let record = DownloadRecord(kept.description), record.identity == identity {
            rest = DownloadRest(kept: kept.size, length: record.length, record.validator)
        }
        var response = try await send(rest?.asking(request) ?? DownloadRest.whole(request))
        if let refused = rest, refused.isRefused(by: response.head) {
            rest = nil
            response = try await send(DownloadRest.whole(request))
        }
        let head = response.head
        let range = rest == nil ? nil : ContentRange(of: head)
        guard head.status == 200 || range != nil else {
            let limit = 1 << 20
            var body = Data()
            for try await chunk in response.body where body.count < limit { body += chunk.prefix(limit - body.count) }
            throw RequestFailed(head: head, body: body)
        }
        if let rest, range != nil {
            try file.goOn(after: rest.offset)
        } else {
            let record = DownloadRecord(identity: identity, head)
            try file.begin(record.data, isWorthKeeping: record.validator != nil)
        }
        try await file.write(response, after: range?.first ?? 0, range, onProgress)
        return head
    }
}

/// How much of a download has arrived.
public struct DownloadProgress: Hashable, Sendable {
    /// The number of bytes that the file has so far, with those of an earlier call.
    public let received: Int
    /// The number of bytes of the whole file; nil if the server doesn't say it.
    public let total: Int?
}

extension GrowingFile {
    fileprivate func write(
        _ response: Response, after start: Int, _ range: ContentRange?, _ onProgress: (DownloadProgress) -> Void
    ) async throws {
        let head = response.head
        func bad(_ detail: String) -> TransportError {
            TransportError(.badResponse, target: head.url?.host ?? "", detail: detail)
        }
        if let coding = head.contentCoding {
            throw bad("its body has the coding \(coding), which the request did not ask for")
        }
        let total = range?.total ?? head.contentLength
        var received = start
        for try await chunk in response.body {
            try write(chunk)
            received += chunk.count
            onProgress(DownloadProgress(received: received, total: total))
        }
        if let problem = range?.problem(withSize: received - start) { throw bad(problem) }
        if range == nil, let total, total != received {
            throw bad("the body has \(received) bytes, but its Content-Length is \(total)")
        }
        try finish()
    }
}

/// The facts about the bytes of an incomplete download, one on each line: the hash of the request, the validator, the
/// length. It has no URL and no credentials.
private struct DownloadRecord {
    let identity: String
    let validator: DownloadValidator?
    let length: Int?

    init(identity: String, _ head: ResponseHead) {
        self.identity = identity
        validator = DownloadValidator(head)
        length = head.contentLength
    }

    /// Nil if the bytes aren't those of a record.
    init?(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 3 else { return nil }
        identity = String(lines[0])
        let text = String(lines[1])
        validator = text.isEmpty ? nil : text.hasPrefix("\"") ? .tag(text) : .date(text)
        length = Int(lines[2])
    }

    var data: [UInt8] { Array("\(identity)\n\(validator?.text ?? "")\n\(length.map(String.init) ?? "")".utf8) }
}
