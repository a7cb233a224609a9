import CommandLineKit
import Exchange
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// A request that asks for the response only if it has changed since an earlier run (`--if-changed`). The earlier run has saved
/// the `ETag` and the `Last-Modified` of its response in a file.
struct ConditionalRequest {
    private let path: String
    private let target: String
    private let identity: String
    private let redactor: Redactor
    private let context: Context
    /// The validators that the file has for this request; nil to ask for the response in any case.
    private let kept: Validators?

    private static let conditions = ["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since"]

    /// Reads the validators from the file of `--if-changed`.
    ///
    /// - Parameter output: The file that the body goes to. If it doesn't exist, the body is needed, and the request asks for it
    ///   in any case.
    init(_ path: String, output: String?, _ assembled: AssembledRequest, _ context: Context) throws(Failure) {
        let request = assembled.request
        try Self.refuse(request)
        self.path = path
        target = try context.pathFromHere(path)
        self.context = context
        redactor = assembled.redactor
        identity = DownloadRest.identity(of: request, redactor.redact)
        let body = try output.map { path throws(Failure) in try context.pathFromHere(path) }
        guard body.map({ Self.real($0, context) }) != Self.real(target, context) else {
            throw Failure(
                .usage, code: .usageInvalid, "--if-changed and --output name the same file, \(path)",
                hint: "name another file for one of them")
        }
        let validators = try Self.read(target, path, context)
        let isOutputMissing = body.map { context.files.kind($0) == nil } ?? false
        kept = isOutputMissing ? nil : validators.flatMap { [identity] in $0.identity == identity ? $0 : nil }
    }

    private static func refuse(_ request: PreparedRequest) throws(Failure) {
        if ![.get, .head].contains(request.method) {
            throw Failure(
                .usage, code: .usageInvalid,
                "--if-changed needs a GET or HEAD request; this is a \(request.method.token)")
        }
        guard let header = (conditions + ["Range"]).first(where: { request.headers[$0] != nil }) else { return }
        throw Failure(
            .usage, code: .usageInvalid, "--if-changed sets conditions itself, but the request already has \(header)",
            hint: "leave out one of them")
    }

    /// The path with links resolved, whether or not the file exists.
    private static func real(_ path: String, _ context: Context) -> String {
        let path = FilePath.tidy(path)
        let (folder, name) = (FilePath.parent(path), path.split(separator: "/").last ?? "")
        return context.files.resolve(path) ?? FilePath.join(context.files.resolve(folder) ?? folder, String(name))
    }

    private static func read(_ target: String, _ path: String, _ context: Context) throws(Failure) -> Validators? {
        guard context.files.kind(target) != nil else { return nil }
        let bytes = try context.read(target, upTo: 1 << 20, called: path)
        if let validators = Validators(bytes) { return validators }
        throw Failure(
            .usage, code: .usageInvalid, "\(path) was not written by --if-changed, so it is not replaced",
            hint: "name another file or a new file")
    }

    /// The request with the conditions that the file allows.
    func asking(_ request: PreparedRequest) -> PreparedRequest {
        guard let kept else { return request }
        var request = request
        if let tag = kept.tag { request.headers.append("If-None-Match", tag) }
        if let date = kept.date { request.headers.append("If-Modified-Since", date) }
        return request
    }

    /// Whether the response says that nothing has changed. If so, prints a note.
    func isUnchanged(_ head: ResponseHead) -> Bool {
        guard let kept, head.status == 304 else { return false }
        context.note("304 Not Modified: unchanged since \(kept.date ?? "the response that \(path) describes")")
        return true
    }

    /// Saves the validators for a later run. Called after the whole body has arrived.
    func keep(_ head: ResponseHead) throws(Failure) {
        guard head.status == 200 else { return }
        // If the server puts a secret into one of these headers, the value must not be written to a file.
        func value(_ name: String) -> String? {
            head.headers[name].flatMap { redactor.redact($0) == $0 && !$0.isEmpty ? $0 : nil }
        }
        let validators = Validators(identity: identity, tag: value("ETag"), date: value("Last-Modified"))
        if validators.tag == nil, validators.date == nil {
            context.note("the response has neither ETag nor Last-Modified, so the next run downloads it again")
        }
        do throws(WritingProblem) {
            try context.writing.writeFile(target, validators.bytes, .replacement)
        } catch {
            throw Failure(.outputFailed, code: .outputFailed, "cannot write \(path): \(error.reason)")
        }
    }
}

/// The values that tell whether a response has changed since it was received.
private struct Validators {
    private static let title = "reqcli validators 1"

    /// A hash of the request.
    let identity: String
    let tag: String?
    let date: String?

    init(identity: String, tag: String?, date: String?) {
        self.identity = identity
        self.tag = tag
        self.date = date
    }

    /// Nil if this program has not written the bytes.
    init?(_ bytes: [UInt8]) {
        guard let record = TitledRecord(bytes, title: Self.title), let identity = record["Request"] else { return nil }
        self.init(identity: identity, tag: record["ETag"], date: record["Last-Modified"])
    }

    var bytes: [UInt8] {
        TitledRecord(
            title: Self.title, [("Request", identity), ("ETag", tag), ("Last-Modified", date)]
        ).bytes
    }
}
