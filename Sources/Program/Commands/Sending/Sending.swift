import Calling
import Checking
import CommandLineKit
import Exchange
import Foundation
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliJSONPath
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// A call from its request to the printed response.
struct Sending {
    private let network: NetworkCaller
    private var made: MadeCall
    let arguments: ParsedArguments
    let context: Context
    private(set) var presentation: Presentation
    let interruption = Interruption()
    let progress: Progress?
    private let pager: Pager?
    private(set) var recorder: StubRecorder?
    private let saver: EndpointSaver?
    /// The history that keeps the call; nil if the history is off.
    private let history: (place: History, extent: History.Extent, asked: HistoryRecorder.Asked)?
    private(set) var historyRecorder: HistoryRecorder?
    /// The request as it may be shown, with the cookies that it carries.
    private(set) var shown: AssembledRequest
    private let renew: Renewal?
    /// The pages to request; nil without `--paginate`.
    private var pages: PageWalk?
    /// The continued download; nil without `--continue`.
    private(set) var continued: ContinuedDownload?
    /// The conditions of the request; nil without `--if-changed`.
    private let conditional: ConditionalRequest?

    /// Makes the call anew if a response with this status means that captured values have expired. The needed calls capture them
    /// again. Returns nil if the response is final.
    typealias Renewal = @Sendable (_ status: Int) async throws(Failure) -> MadeCall?

    init(
        _ made: MadeCall, by network: NetworkCaller, _ arguments: ParsedArguments, _ context: Context,
        saver: EndpointSaver? = nil,
        history: (place: History, extent: History.Extent, asked: HistoryRecorder.Asked)? = nil,
        renew: Renewal? = nil
    ) throws(Failure) {
        self.network = network
        self.made = made
        self.arguments = arguments
        pager = arguments[SendOptions.pager] ? Pager(context) : nil
        var context = context
        if let pager { context.output = pager.output }
        self.context = context
        self.renew = renew
        self.saver = saver
        self.history = history
        presentation = Presentation(
            arguments, isTerminal: context.terminal.isTerminal(.output),
            sharesTerminal: context.terminal.isTerminal(.error), inColour: context.isColoured(.output))
        progress = Progress(context)
        let assembled = made.request
        shown = assembled
        let output = arguments[SendOptions.output].flatMap { $0 == "-" ? nil : $0 }
        if let output { try Self.refuseUnwritable(output, context) }
        conditional = try arguments[SendOptions.ifChanged].map { path throws(Failure) in
            try ConditionalRequest(path, output: output, assembled, context)
        }
        if arguments[SendOptions.resume] {
            let path = if let output { output } else { try Self.nameBeforeSending(assembled, context) }
            presentation.body = .file(path)
            let continued = try ContinuedDownload(path, assembled, context)
            interruption.onEnd { _ = continued.file.leave() }
            self.continued = continued
        }
        try prepare(made)
        if let saver { interruption.onEnd { saver.settle() } }
    }

    /// Rejects a file that can't be made, before a request is sent whose response would be lost.
    private static func refuseUnwritable(_ output: String, _ context: Context) throws(Failure) {
        let path = try context.pathFromHere(output)
        let isFolder = context.files.kind(path) == .directory || output.hasSuffix("/")
        guard isFolder || context.files.kind(FilePath.parent(path)) == nil else { return }
        throw Failure(
            .outputFailed, code: .outputFailed,
            "cannot write \(output): \(isFolder ? "it is a directory" : "no such file or directory"); nothing was sent")
    }

    /// The request that is sent.
    var assembled: AssembledRequest { made.request }

    var cookies: CookieSession? { made.cookies }

    /// Sets the call to make, and everything that depends on its request.
    private mutating func prepare(_ call: MadeCall) throws(Failure) {
        made = call
        let request = call.request
        shown = try cookies?.showing(request, isRevealing: false) ?? request
        pages = arguments[SendOptions.paginate] ? try PageWalk(request) : nil
        if let pages { made.request = pages.request }
        historyRecorder = history.map {
            HistoryRecorder($0.place, $0.extent, request, $0.asked, cookies: cookies, context)
        }
        recorder = try StubRecorder(
            arguments, saver?.proof ?? request, isStubbed: made.isStubbed, context, interruption)
    }

    /// Sends the request. Sends it again with new values if the response's status means that the captured values have expired.
    func run() async throws(Failure) -> ExitStatus {
        defer { progress?.end() }
        if let progress { interruption.onEnd { progress.end() } }
        defer { pager?.finish() }
        if let pager { interruption.onEnd { pager.finish() } }
        defer { _ = continued?.file.leave() }
        let response = try await response()
        guard let fresh = try await renew?(response.status) else { return try await finish(response) }
        var renewed = self
        try renewed.prepare(fresh)
        return try await renewed.finish(try await renewed.response())
    }

    /// Presents the response. If the server can't continue a download, a second request asks for the whole file.
    private func finish(_ response: Response) async throws(Failure) -> ExitStatus {
        if let pages, status(of: response) == .success { return try await printPages(response, pages) }
        var anew = self
        guard anew.continued?.startsAnew(after: response.head) == true else { return try await present(response) }
        context.note("\(statusText(response.head)): the download cannot continue, so it starts from the beginning")
        return try await anew.present(try await anew.response())
    }

    /// Prints or writes the response.
    private func present(_ response: Response) async throws(Failure) -> ExitStatus {
        if conditional?.isUnchanged(response.head) == true { return try await presentUnchanged(response) }
        try continued?.refuseOther(response.head)
        let sink = try sink(for: response)
        try dumpHead(response.head)
        showHead(response)
        if isKeptFromFile(response) { noteKeptFile(response.head) }
        let body = try await pour(response, into: sink)
        progress?.end()
        if body.size == 0 { noteEmpty(response) } else if !isKeptFromFile(response) { noteRefusal(response) }
        narration.ending(response.body.ending)
        historyRecorder?.save(response, isWhole: body.isWhole && !isKeptInFile(response))
        noteSaved(sink, body.size, response)
        let isFound = try printWhole(sink, response)
        writeOut(response, size: body.size)
        if body.isWhole { try conditional?.keep(response.head) }
        try saver?.save()
        try recorder?.save(response.head)
        let status = status(of: response)
        let isAsExpected = hasNoGraphQLErrors(response, body.copy) && isFound
        return status == .success && !isAsExpected ? .expectationFailed : status
    }

    /// Handles a response which says that nothing has changed. It has no body, and the output file keeps its content. Prints the
    /// head if the user asked for it.
    private func presentUnchanged(_ response: Response) async throws(Failure) -> ExitStatus {
        try dumpHead(response.head)
        showHead(response)
        _ = try await pour(response, into: NoSink())
        progress?.end()
        narration.ending(response.body.ending)
        historyRecorder?.save(response, isWhole: true)
        if presentation.body == .json { _ = try printWhole(WholeSink(), response) }
        writeOut(response, size: 0)
        return .success
    }

    func showHead(_ response: Response) {
        guard presentation.showsHead else { return }
        context.output.write(
            ResponseText.head(response.head, mask),
            inColour: context.isColoured(.output))
        if presentation.body != .nothing { context.output.write("\n") }
    }

    /// Writes the head to the file of `--dump-header`.
    private func dumpHead(_ head: ResponseHead) throws(Failure) {
        guard let path = arguments[SendOptions.dumpHeader] else { return }
        let text = ResponseText.head(head, mask.ofFile).plain
        do throws(WritingProblem) {
            let sink: any BodySink =
                if let device = try DeviceSink(path, context.files) {
                    device
                } else {
                    try FileSink(path, .replacement, context.writing, interruption)
                }
            _ = try sink.write(Data(text.utf8))
            try sink.finish()
        } catch {
            throw Failure(.outputFailed, code: .outputFailed, "cannot write \(path): \(error.reason)")
        }
    }

    /// Prints the text of `--write-out`.
    private func writeOut(_ response: Response, size: Int) {
        guard let template = arguments[SendOptions.writeOut] else { return }
        var head = response.head
        let mask = mask.reading(head)
        head.headers = mask.response(head.headers)
        let values = WriteOut.Values(
            head: head, request: assembled.request, size: size, timings: response.body.ending?.timings)
        context.output.write(template.text(values, redact: mask.redactor.redact))
    }

    /// Prints a note that the response has no body, if a user may be waiting for one.
    private func noteEmpty(_ response: Response) {
        guard presentation.isBodyShown, !arguments[GlobalOptions.quiet] else { return }
        let isStatusShown =
            presentation.showsHead || arguments[SendOptions.verbose] || isKeptFromFile(response)
        guard isStatusShown else {
            let isRedirect = (300..<400).contains(response.status) && response.head.headers["Location"] != nil
            return context.note(
                "\(statusText(response.head)), no body" + (isRedirect ? "; --follow (-L) follows the redirect" : ""))
        }
        // In a pipe, another program reads the head, so no note is needed. A response that can't have a body needs no note.
        guard context.terminal.isTerminal(.output), assembled.request.method != .head,
            ![204, 304].contains(response.status)
        else { return }
        context.note("no body")
    }

    /// Names the status of an error to the user of a pipe, who sees only its body. At a terminal the head is shown, and with these
    /// flags the status is, or is not wanted.
    private func noteRefusal(_ response: Response) {
        if response.status == 401, let hint = digestHint(response.head) { context.note(hint) }
        guard status(of: response) != .success, presentation.isBodyShown, !presentation.showsHead,
            !arguments[SendOptions.verbose], !arguments[SendOptions.json], !arguments[SendOptions.bodyOnly],
            !arguments.isGiven(SendOptions.writeOut)
        else { return }
        context.note("the server responded \(statusText(response.head))")
    }

    /// A hint for a user who gave a password for Basic to a server that asks for Digest.
    private func digestHint(_ head: ResponseHead) -> String? {
        guard arguments.isGiven(RequestOptions.account), !arguments[RequestOptions.digest],
            head.headers["WWW-Authenticate"]?.lowercased().hasPrefix("digest") == true
        else { return nil }
        return "the server asks for Digest: add --digest"
    }

    private func noteKeptFile(_ head: ResponseHead) {
        let file = if case .file(let path) = presentation.body { path } else { "the file" }
        context.note("\(statusText(head)), so \(file) is not written; --output-errors writes it")
    }

    func statusText(_ head: ResponseHead) -> String {
        "\(head.status)" + (head.reason.isEmpty ? "" : " \(assembled.redactor.redact(head.reason))")
    }

    private var narration: Narration {
        Narration(context: context, mask: mask, isOn: arguments[SendOptions.verbose])
    }

    var mask: HeadMask { HeadMask(assembled, cookies) }

    /// The response to the request, or to the request for another page.
    func response(at page: URL? = nil) async throws(Failure) -> Response {
        if page == nil, assembled.request.transfer.tls.isInsecure {
            context.report(
                .warning, code: .insecure, "the server's certificate is not checked: any server could respond")
        }
        var request = assembled.request
        request = continued?.asking(request) ?? conditional?.asking(request) ?? request
        if let page { request.url = page }
        do throws(Failure) {
            let response = try await network.open(made, as: request) { [progress, narration, historyRecorder] event in
                progress?.pause()
                narration.show(event)
                historyRecorder?.add(event)
                if case .request(let request) = event { progress?.beginExchange(uploading: Self.uploadSize(request)) }
            }
            progress?.pause()
            return response
        } catch {
            throw failure(error)
        }
    }

    /// The minimum size of a body whose upload is shown. A smaller body fits into the buffers on the way, so the user only waits
    /// for the response.
    private static let largeUpload = 1 << 20

    /// The size of a body whose upload is shown; nil if the body is too small.
    private static func uploadSize(_ request: PreparedRequest) -> Int? {
        request.body?.size(fileSize: RequestBody.size(ofFile:)).flatMap { $0 >= largeUpload ? $0 : nil }
    }

    /// The exit status: 0 for a status that the endpoint expects, and for any other status below 400.
    func status(of response: Response) -> ExitStatus {
        let expected = assembled.expectation?.status?.value
        if let expected, expected.contains(where: { $0.accepts(response.status) }) { return .success }
        return ExitStatus(refusal: response.status) ?? .success
    }

    func failure(_ error: any Error) -> Failure {
        // Erases the progress line, so that the message begins on a new line.
        progress?.end()
        // The times of a transfer without a response were shown with the event.
        narration.show((error as? TransportError)?.timings)
        return Failure(unanswered: error, assembled.redactor)
    }
}

extension Context {
    /// The proxies and trusted certificates from the usual environment variables.
    var usualTransfer: TransferSettings {
        TransferSettings(environment: TransferSettings.variables.reduce(into: [:]) { $0[$1] = variable($1) })
    }
}

extension Context {
    func warnOfUnencryptedPassword(to origin: String) {
        report(
            .warning, code: .insecure, "the password is sent unencrypted: \(origin) offers Basic, but not Digest",
            hint: "use https, or write \"digest\" instead of \"any\": Digest never sends the password")
    }
}

extension Diagnostic.Code {
    static let selectionFailed: Self = "selection.failed"
    static let graphQLFailed: Self = "graphql.errors"
    static let notStream: Self = "stream.missing"
    static let insecure: Self = "tls.insecure"
    static let usageInvalid: Self = "usage.invalid"
}
