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
    /// The part that an earlier run's download lacks; nil to download the whole file.
    private var rest: DownloadRest?

    init(_ path: String, _ assembled: AssembledRequest, _ context: Context) throws(Failure) {
        let request = assembled.request
        try Self.refuse(request, assembled.redactor)
        redactor = assembled.redactor
        identity = DownloadRest.identity(of: request, redactor.redact)
        do throws(WritingProblem) {
            // Opening the path of an open descriptor again would write the file from its beginning.
            if OwnDescriptor.named(path) != nil { throw WritingProblem("the file is already open") }
            file = try context.writing.growingFile(path)
            guard let kept = try file.kept() else { return }
            if let record = DownloadRecord(kept.description), record.identity == identity {
                rest = DownloadRest(kept: kept.size, length: record.length, record.validator)
            }
            if rest == nil {
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

    /// The request for the missing part.
    func asking(_ request: PreparedRequest) -> PreparedRequest {
        rest?.asking(request) ?? DownloadRest.whole(request)
    }

    /// Whether the response can't continue the kept bytes. If so, the next request asks for the whole file.
    mutating func startsAnew(after head: ResponseHead) -> Bool {
        guard let rest, rest.isRefused(by: head) else { return false }
        self.rest = nil
        return true
    }

    /// Rejects a response that is neither the file, nor its missing part, nor an error.
    func refuseOther(_ head: ResponseHead) throws(Failure) {
        let isPart = head.status == 206 && rest != nil
        guard head.status < 400, head.status != 200, !isPart else { return }
        throw Failure(
            .noAnswer, code: .downloadRefused,
            "the server responded with \(head.status) instead of the file, so nothing is downloaded",
            hint: (300...399).contains(head.status) ? "add --follow to follow the redirect" : "leave out --continue")
    }

    /// The number of bytes that need not be received again.
    func skipped(_ head: ResponseHead) -> Int { head.status == 206 ? rest?.offset ?? 0 : 0 }

    /// Prepares the file for the body of this response.
    func prepare(for head: ResponseHead) throws(WritingProblem) {
        if head.status == 206, let rest { return try file.goOn(rest.offset) }
        let record = DownloadRecord(identity: identity, head, redactor)
        try file.begin(record.bytes, record.validator != nil)
    }
}

/// The description of the kept bytes, without secrets, with one fact per line.
struct DownloadRecord: Equatable {
    /// A hash of the request without its secrets. The URL itself may contain secrets that no definition declares.
    let identity: String
    let validator: DownloadValidator?
    let length: Int?

    private static let title = "reqcli download 1"

    /// The record for a response with the whole body.
    init(identity: String, _ head: ResponseHead, _ redactor: Redactor) {
        self.identity = identity
        // If the server puts a secret into the validator, the validator must not be written to a file.
        validator = DownloadValidator(head).flatMap { redactor.redact($0.text) == $0.text ? $0 : nil }
        length = head.contentLength
    }

    /// Nil if this program has not written the bytes.
    init?(_ bytes: [UInt8]) {
        guard let record = TitledRecord(bytes, title: Self.title), let identity = record["Request"] else { return nil }
        self.identity = identity
        validator = record["ETag"].map(DownloadValidator.tag) ?? record["Last-Modified"].map(DownloadValidator.date)
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

/// Writes a body to a file that a later run can continue.
final class ContinuedSink: BodySink {
    private let file: GrowingFileAccess

    init(_ file: GrowingFileAccess) { self.file = file }

    func write(_ chunk: Data) throws(WritingProblem) -> Bool {
        try file.write(chunk)
        return true
    }

    func finish() throws(WritingProblem) { try file.finish() }
}

extension Diagnostic.Code {
    static let downloadRefused: Self = "download.refused"
}
