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

/// The result of reading a body.
struct BodyOutcome {
    let size: Int
    /// Whether the body was read to its end. Reading stops earlier if no more bytes are wanted.
    let isWhole: Bool
    /// A copy of the body of a GraphQL response. The copy is checked for errors after the body is printed.
    let copy: ReceivedBody?
}

extension Sending {
    func sink(for response: Response) throws(Failure) -> any BodySink {
        if isKeptFromFile(response) { return errorSink(response.head) }
        guard let format = EventFormat(response.head) else { return try plainSink(for: response) }
        let limit = arguments[SendOptions.maxEvents]
        let form: EventSink.Form
        switch presentation.body {
        case .readable(let inColour, _): form = .blocks(inColour: inColour)
        case .json: form = .objects
        case .selection(let layout):
            guard let path = arguments[SendOptions.select] else { return NoSink() }
            form = .selection(path, layout)
        case .nothing, .untouched, .file, .download:
            let sink = try plainSink(for: response)
            if limit == nil { return sink }
            form = .unchanged(sink)
        }
        return EventSink(format, as: form, context.output, limit: limit, onLast: response.body.end)
    }

    func plainSink(for response: Response) throws(Failure) -> any BodySink {
        switch presentation.body {
        case .nothing: return NoSink()
        case .untouched: return OutputSink(context.output)
        case .json, .selection:
            beginReceiving(response)
            // A compressed body is decompressed when it is whole.
            return WholeSink(
                keeping: response.head.contentCodings.isEmpty ? arguments[SendOptions.select]?.scope : nil)
        case .readable(let inColour, let isTerminal):
            return readableSink(response.head, context.output, inColour: inColour, isTerminal: isTerminal)
        case .file(let path): return try fileSink(path, response, mayReplace: true)
        case .download: return try fileSink(try downloadName(response.head), response, mayReplace: false)
        }
    }

    /// Moves the body to the sink chunk by chunk, so that memory doesn't grow with it.
    func pour(_ response: Response, into sink: any BodySink) async throws(Failure) -> BodyOutcome {
        let isExamined = assembled.call.graphQLPlace != nil && EventFormat(response.head) == nil
        var copy: [UInt8]? = isExamined ? [] : nil
        var size = 0
        let isInFile = isKeptInFile(response)
        // A recording needs the whole body, even if the sink wants no more bytes.
        var isWanted = true
        do {
            try await response.body.ending(after: arguments[SendOptions.duration], by: context.world.clock) {
                for try await chunk in response.body {
                    recorder?.take(chunk)
                    if !isInFile { historyRecorder?.take(chunk) }
                    size += chunk.count
                    if size <= WholeSink.limit { copy? += chunk }
                    if isWanted { isWanted = try sink.write(chunk) }
                    guard isWanted || recorder != nil else { break }
                    progress?.add(chunk.count)
                }
            }
            if continued != nil, let problem = ContentRange(of: response.head)?.problem(withSize: size) {
                throw TransportError(.badResponse, target: assembled.request.url.host ?? "", detail: problem)
            }
            if isWanted { try sink.finish() } else { sink.abandon() }
            return BodyOutcome(
                size: size, isWhole: isWanted || recorder != nil,
                copy: isWanted ? copy.map { ReceivedBody($0, size: size) } : nil)
        } catch {
            sink.abandon()
            noteKept()
            guard let problem = error as? WritingProblem else { throw failure(error) }
            progress?.end()
            throw unwritable(problem)
        }
    }

    /// The status of a response that is an error, as the likely reason why its body has other content.
    private func refusal(_ response: Response) -> String? {
        response.status < 400 ? nil : "the server responded \(statusText(response.head))"
    }

    /// Prints the output that needs the whole body. Returns false if the response doesn't have what the user asked for.
    func printWhole(_ sink: any BodySink, _ response: Response) throws(Failure) -> Bool {
        if let events = sink as? EventSink {
            if events.endsInsideEvent, arguments[SendOptions.duration] == nil {
                context.note("the stream ended inside an event, which is left out")
            }
            if !events.hasFound, let path = arguments[SendOptions.select] {
                context.report(
                    code: .selectionFailed, "--select \(path.text) finds nothing in \(counted(events.count, "event"))")
            }
            return events.hasFound
        }
        guard isStreamIfAsked(response.head) else { return false }
        guard let whole = sink as? WholeSink else { return true }
        guard case .selection(let layout) = presentation.body, let path = arguments[SendOptions.select] else {
            show(ResponseObject.json(shown, response, mask, body: whole.bytes).pretty + "\n")
            return true
        }
        switch selection(of: path, from: whole, response.head) {
        case .nothing(let content):
            context.report(
                code: .selectionFailed, "--select \(path.text) finds nothing: \(assembled.redactor.redact(content))",
                hint: refusal(response))
        case .selected(let nodes):
            show(BodySelection.text(of: nodes, layout))
            return true
        case .notJSON(let reason):
            let coding = response.head.contentCoding.map(assembled.redactor.redact)
            context.report(
                code: .selectionFailed,
                whole.isEmpty
                    ? "--select needs a body, and the response has none"
                    : "--select needs JSON, but the body is not JSON: \(reason)",
                hint: refusal(response)
                    ?? coding.map {
                        "the server has compressed the body (\($0)); -H 'Accept-Encoding: identity' asks for an uncompressed body"
                    })
        case .tooMuchWork:
            context.report(
                code: .selectionFailed, "--select \(path.text) takes too much work on this body",
                hint: "make the path more exact")
        }
        return false
    }

    private func selection(of path: JSONPath, from whole: WholeSink, _ head: ResponseHead) -> BodySelection.Outcome {
        if let mistake = whole.mistake { return .notJSON(mistake) }
        let decoded = try? ContentCoding.decode(whole.bytes, head.contentCodings, limit: WholeSink.limit)
        return BodySelection.select(path, from: decoded ?? whole.bytes, hasPlaces: !whole.isReduced)
    }

    /// Whether the response is a stream of events; always true unless a flag asks for a stream.
    private func isStreamIfAsked(_ head: ResponseHead) -> Bool {
        let flag =
            arguments.isGiven(SendOptions.maxEvents)
            ? "--max-events" : arguments.isGiven(SendOptions.duration) ? "--for" : nil
        guard let flag, EventFormat(head) == nil, ExitStatus(refusal: head.status) == nil else { return true }
        let type = (head.contentCoding ?? head.headers["Content-Type"]).map(assembled.redactor.redact)
        context.report(
            code: .notStream, "\(flag) needs a stream of events; the response is \(type ?? "of no type")",
            hint: "a stream has the Content-Type text/event-stream or application/x-ndjson")
        return false
    }

    /// Whether a response to a GraphQL operation has data and no errors. If not, reports the problem.
    func hasNoGraphQLErrors(_ response: Response, _ body: ReceivedBody?) -> Bool {
        guard let body else { return true }
        let received = ReceivedResponse(response.head, body: body, method: assembled.method)
        let paths = assembled.expectation?.json.compactMap { PathReading.read($0.name, at: $0.namePlace).value } ?? []
        let failure = received.graphQLFailure(
            at: assembled.call.graphQLPlace, expecting: paths, redactor: assembled.redactor)
        guard let failure else { return true }
        // Only an endpoint says that its server speaks GraphQL. A typed request may go to any server that takes a "query".
        if assembled.call.endpoint.isTyped, failure.subject != "$.errors" { return true }
        let fault =
            switch failure.subject {
            case "body": "is not a GraphQL response: "
            case "$.data": "has no GraphQL data: "
            default: "has GraphQL errors: "
            }
        context.report(code: .graphQLFailed, "the response \(fault)\(failure.actual)")
        return false
    }

    // MARK: - Terminals

    /// Prints strings that were extracted from the response's JSON.
    func show(_ text: String) {
        if arguments[SendOptions.raw] { context.output.writeUnfiltered(text) } else { context.output.write(text) }
    }

    private func readableSink(
        _ head: ResponseHead, _ output: Output, inColour: Bool, isTerminal: Bool
    ) -> any BodySink {
        ReadableSink(
            output, inColour: inColour, isTerminal: isTerminal,
            otherwise: isTerminal ? textSink(head, output) : OutputSink(output), isText: isTerminal && head.isBinary,
            onBroken: { [context] in context.note("the body begins like JSON, but is not JSON") })
    }

    private func textSink(_ head: ResponseHead, _ output: Output) -> any BodySink {
        let kind = (head.contentCoding ?? head.headers["Content-Type"]).map(assembled.redactor.redact)
        let noteBinary = { [context] in
            context.note(
                "the body is not text\(kind.map { " (\($0))" } ?? ""): write it to a file with --output FILE")
        }
        return head.isBinary
            ? BinarySink(noteBinary: noteBinary) : TextSink(output, noteBinary: noteBinary)
    }

    // MARK: - Files

    /// Whether the response is an error whose body must not replace the output file, because the file's content is worth more.
    func isKeptFromFile(_ response: Response) -> Bool {
        switch presentation.body {
        case .file, .download: status(of: response) != .success && !arguments[SendOptions.outputErrors]
        default: false
        }
    }

    /// Whether the body goes only to a file of the user.
    func isKeptInFile(_ response: Response) -> Bool {
        switch presentation.body {
        case .file, .download: !isKeptFromFile(response)
        default: false
        }
    }

    /// Shows the body of an error on stderr.
    private func errorSink(_ head: ResponseHead) -> any BodySink {
        if arguments[GlobalOptions.quiet] { return NoSink() }
        guard context.terminal.isTerminal(.error) else { return OutputSink(context.messages) }
        return readableSink(head, context.messages, inColour: context.isColoured(.error), isTerminal: true)
    }

    private func fileSink(_ path: String, _ response: Response, mayReplace: Bool) throws(Failure) -> any BodySink {
        do throws(WritingProblem) {
            let sink: any BodySink =
                if let continued {
                    try continuedSink(continued, response.head)
                } else if let device = try DeviceSink(path, context.files) {
                    device
                } else {
                    try FileSink(path, mayReplace ? .replacement : .new, context.writing, interruption)
                }
            beginReceiving(response)
            return sink
        } catch {
            throw unwritable(error, path)
        }
    }

    private func beginReceiving(_ response: Response) {
        progress?.begin(
            .receiving, total: response.head.contentLength,
            skipped: continued?.skipped(response.head) ?? 0)
    }

    private func continuedSink(
        _ continued: ContinuedDownload, _ head: ResponseHead
    ) throws(WritingProblem) -> any BodySink {
        try continued.prepare(for: head)
        return ContinuedSink(continued.file)
    }

    /// Says on a terminal what was written, and in what time.
    func noteSaved(_ sink: any BodySink, _ size: Int, _ response: Response) {
        guard isKeptInFile(response), context.terminal.isTerminal(.error), !arguments[GlobalOptions.quiet] else {
            return
        }
        let path = if case .file(let path) = presentation.body { path } else { (sink as? FileSink)?.path }
        guard let path, !(sink is DeviceSink) else { return }
        let time = response.body.ending?.timings.map { " in \(ExchangePrinter.text($0.total))" } ?? ""
        context.note("\(assembled.redactor.redact(path)) is written: \(TransferProgress.size(size))\(time)")
    }

    /// Says how an interrupted download can be continued.
    private func noteKept() {
        guard let count = continued?.file.leave(), count > 0 else { return }
        progress?.end()
        context.note("\(TransferProgress.size(count)) are kept; run the same command to continue")
    }

    private func downloadName(_ head: ResponseHead) throws(Failure) -> String {
        try Self.newName(DownloadName.choose(head, url: assembled.request.url), assembled, context)
    }

    /// The name of a download that can be continued. It comes from the URL, because it must be known before the server responds.
    static func nameBeforeSending(_ assembled: AssembledRequest, _ context: Context) throws(Failure) -> String {
        try newName(DownloadName.choose(url: assembled.request.url), assembled, context)
    }

    private static func newName(
        _ name: String, _ assembled: AssembledRequest, _ context: Context
    ) throws(Failure) -> String {
        guard context.files.kind(name) == nil else {
            throw Failure(
                .outputFailed, code: .outputFailed, "\(name) already exists", hint: "name a file with --output FILE")
        }
        context.note("writing \(assembled.redactor.redact(name))")
        return name
    }

    func unwritable(_ problem: WritingProblem, _ name: String? = nil) -> Failure {
        var name = name ?? "the body"
        if case .file(let path) = presentation.body { name = path }
        return Failure(.outputFailed, code: .outputFailed, "cannot write \(name): \(problem.reason)")
    }
}

extension ResponseHead {
    /// Whether the head already says that the body is not text: a compressed body, or an image, audio, video or a font. Of these,
    /// only SVG images are text.
    fileprivate var isBinary: Bool {
        if contentCoding != nil { return true }
        let type = headers["Content-Type"]?.lowercased() ?? ""
        return ["image/", "audio/", "video/", "font/"].contains { type.hasPrefix($0) }
            && !type.hasPrefix("image/svg+xml")
    }
}
