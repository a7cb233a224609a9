import Calling
import CommandLineKit
import Exchange
import Foundation
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// A download that continues where an earlier run has stopped (`--continue`).
struct ContinuedDownload {
    let file: GrowingFileAccess
    private let identity: String
    private let redactor: Redactor
    /// The part of an earlier run's download that can be used; nil to download the whole file.
    private var start: Start?

    fileprivate struct Start {
        let offset: Int
        let record: DownloadRecord
        let validator: DownloadRecord.Validator
    }

    init(_ path: String, _ assembled: AssembledRequest, _ context: Context) throws(Failure) {
        let request = assembled.request
        try Self.refuse(request, assembled.redactor)
        redactor = assembled.redactor
        identity = DownloadRecord.identity(of: request, redactor)
        do throws(WritingProblem) {
            // Opening the path of an open descriptor again would write the file from its beginning.
            if OwnDescriptor.named(path) != nil { throw WritingProblem("the file is already open") }
            file = try context.writing.growingFile(path)
            guard let kept = try file.kept() else { return }
            start = Self.start(kept.size, DownloadRecord(kept.description), identity)
            if start == nil {
                context.note(
                    "the kept part of \(path) does not match this request; the download starts from the beginning")
            }
        } catch {
            throw Failure(.outputFailed, code: .outputFailed, "cannot write \(path): \(error.reason)")
        }
    }

    private static func refuse(_ request: PreparedRequest, _ redactor: Redactor) throws(Failure) {
        if request.method != .get || request.body != nil {
            throw Failure(
                .usage, code: .usageInvalid,
                "--continue needs a GET request without a body; this is a \(request.method.token)")
        }
        guard let header = ["Range", "If-Range"].first(where: { request.headers[$0] != nil }) else { return }
        throw Failure(
            .usage, code: .usageInvalid, "--continue sets \(header) itself, but the request already has this header",
            hint: "leave out --continue or the header")
    }

    private static func start(_ size: Int, _ record: DownloadRecord?, _ identity: String) -> Start? {
        guard let record, record.identity == identity, let validator = record.validator,
            size <= record.length ?? .max
        else { return nil }
        // The last byte of a complete file is requested again, because a range after the last byte would be an error.
        return Start(offset: size == record.length ? size - 1 : size, record: record, validator: validator)
    }

    /// The request for the missing part.
    func asking(_ request: PreparedRequest) -> PreparedRequest {
        var request = request
        // Asks for an uncompressed body, because the bytes of a compressed body can differ from run to run.
        request.headers.set("Accept-Encoding", "identity")
        if let start {
            request.headers.set("Range", "bytes=\(start.offset)-")
            request.headers.set("If-Range", start.validator.text)
        }
        return request
    }

    /// Whether the response can't continue the kept bytes. If so, the next request asks for the whole file.
    mutating func startsAnew(after head: ResponseHead) -> Bool {
        guard let start, head.status == 416 || head.status == 206 && !start.isContinued(by: head) else { return false }
        self.start = nil
        return true
    }

    /// Rejects a response that is neither the file, nor its missing part, nor an error.
    func refuseOther(_ head: ResponseHead) throws(Failure) {
        let isPart = head.status == 206 && start != nil
        guard head.status < 400, head.status != 200, !isPart else { return }
        throw Failure(
            .noAnswer, code: .downloadRefused,
            "the server responded with \(head.status) instead of the file, so nothing is downloaded",
            hint: (300...399).contains(head.status) ? "add --follow to follow the redirect" : "leave out --continue")
    }

    /// The reason why the body doesn't match its Content-Range; nil if it matches.
    func sizeProblem(_ size: Int, _ head: ResponseHead) -> String? {
        guard head.status == 206, let range = head.headers["Content-Range"].flatMap(ContentRange.init) else {
            return nil
        }
        let (last, overflows) = range.first.addingReportingOverflow(size - 1)
        if !overflows, last == range.last { return nil }
        return "the body has \(size) bytes, but its Content-Range is \(range.first)-\(range.last)/\(range.total)"
    }

    /// The number of bytes that need not be received again.
    func skipped(_ head: ResponseHead) -> Int { head.status == 206 ? start?.offset ?? 0 : 0 }

    /// Prepares the file for the body of this response.
    func prepare(for head: ResponseHead) throws(WritingProblem) {
        if head.status == 206, let start { return try file.goOn(start.offset) }
        let record = DownloadRecord(identity: identity, head, redactor)
        try file.begin(record.bytes, record.validator != nil)
    }
}

extension ContinuedDownload.Start {
    /// Whether the response has the missing bytes of the same file.
    fileprivate func isContinued(by head: ResponseHead) -> Bool {
        guard head.contentCoding == nil, let range = head.headers["Content-Range"].flatMap(ContentRange.init) else {
            return false
        }
        let isSame =
            switch validator {
            case .tag(let tag): head.headers["ETag"] == tag
            // A response to If-Range may leave out Last-Modified.
            case .date(let date): head.headers["Last-Modified"].map { $0 == date } ?? true
            }
        return isSame && range.first == offset && range.last == range.total - 1
            && record.length.map { $0 == range.total } ?? true
    }
}

/// The value of a `Content-Range` with a known total (RFC 9110 §14.4).
struct ContentRange {
    let first, last, total: Int

    init?(_ text: String) {
        let parts = text.split { " -/".contains($0) }
        guard parts.count == 4, parts[0].lowercased() == "bytes",
            parts[1...].allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }),
            let first = Int(parts[1]), let last = Int(parts[2]), let total = Int(parts[3])
        else { return nil }
        (self.first, self.last, self.total) = (first, last, total)
    }
}

/// The description of the kept bytes, without secrets, with one fact per line.
struct DownloadRecord: Equatable {
    /// A hash of the request without its secrets. The URL itself may contain secrets that no definition declares.
    let identity: String
    let validator: Validator?
    let length: Int?

    /// The value that tells whether a file is still the same.
    enum Validator: Equatable {
        /// A strong `ETag`.
        case tag(String)
        /// A `Last-Modified`.
        case date(String)

        var text: String {
            switch self {
            case .tag(let text), .date(let text): text
            }
        }
    }

    private static let title = "reqcli download 1"

    /// A hash of the method, the URL, and the headers by which a server chooses its response.
    static func identity(of request: PreparedRequest, _ redactor: Redactor) -> String {
        let headers = ["Accept", "Accept-Language"].map { "\($0): \(request.headers[$0] ?? "")" }
        let text = (["\(request.method.token) \(request.url.absoluteString)"] + headers).joined(separator: "\n")
        return SHA256.hash(redactor.redact(text).utf8).map {
            $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16)
        }
        .joined()
    }

    /// The record for a response with the whole body.
    init(identity: String, _ head: ResponseHead, _ redactor: Redactor) {
        self.identity = identity
        // If the server puts a secret into the validator, the validator must not be written to a file.
        validator = Validator(head).flatMap { redactor.redact($0.text) == $0.text ? $0 : nil }
        length = head.contentLength
    }

    /// Nil if this program has not written the bytes.
    init?(_ bytes: [UInt8]) {
        guard let record = TitledRecord(bytes, title: Self.title), let identity = record["Request"] else { return nil }
        self.identity = identity
        validator = record["ETag"].map(Validator.tag) ?? record["Last-Modified"].map(Validator.date)
        length = record["Content-Length"].flatMap { Int($0) }
    }

    var bytes: [UInt8] {
        let stated: (name: String, value: String?) =
            switch validator {
            case .tag(let tag): ("ETag", tag)
            case .date(let date): ("Last-Modified", date)
            case nil: ("ETag", nil)
            }
        return TitledRecord(
            title: Self.title, [("Request", identity), stated, ("Content-Length", length.map { "\($0)" })]
        ).bytes
    }
}

extension DownloadRecord.Validator {
    /// The maximum length of a validator in bytes. A longer `ETag` would make a record that is too large to be read again.
    private static let longest = 1024

    /// The validator of a response with status 200, for later requests of a range (RFC 9110 §13.1.5).
    fileprivate init?(_ head: ResponseHead) {
        guard head.status == 200, head.contentCoding == nil else { return nil }
        if let tag = head.headers["ETag"] {
            guard tag.hasPrefix("\""), tag.count > 1, tag.hasSuffix("\""), tag.utf8.count <= Self.longest else {
                return nil
            }
            self = .tag(tag)
            return
        }
        // A file that changes twice within a second has one date for two contents. So a date is used only if it is at least a
        // second old.
        guard let text = head.headers["Last-Modified"], let changed = HTTPDate.date(from: text),
            let now = head.headers["Date"].flatMap(HTTPDate.date(from:)), now.timeIntervalSince(changed) >= 1
        else { return nil }
        self = .date(text)
    }
}

/// Writes a body to a file that a later run can continue.
final class ContinuedSink: BodySink {
    private let file: GrowingFileAccess

    init(_ file: GrowingFileAccess) { self.file = file }

    func write(_ chunk: Data) throws(WritingProblem) -> Bool {
        try chunk.write(with: file.write)
        return true
    }

    func finish() throws(WritingProblem) { try file.finish() }
}

extension Diagnostic.Code {
    static let downloadRefused: Self = "download.refused"
}
