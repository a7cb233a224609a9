import Assembly
import CommandLineKit
import Definitions
import Exchange
import Foundation
import JSONPath
import Redaction
import RequestBuilding
import SourceText

extension Sending {
    func sink(for response: Response) throws(Failure) -> any BodySink {
        if isKeptFromFile(response) { return errorSink(response.head) }
        switch presentation.body {
        case .nothing: return NoSink()
        case .untouched: return OutputSink(context.output)
        case .json, .selection:
            beginReceiving(response)
            return WholeSink()
        case .readable(let inColour, let isTerminal):
            return readableSink(response.head, context.output, inColour: inColour, isTerminal: isTerminal)
        case .file(let path): return try fileSink(path, response, mayReplace: true)
        case .download: return try fileSink(try downloadName(response.head), response, mayReplace: false)
        }
    }

    /// Moves the body chunk by chunk: memory doesn't grow with it.
    ///
    /// - Returns: Whether there was no body.
    func pour(_ response: Response, into sink: any BodySink) async throws(Failure) -> Bool {
        // A recording needs all of it, also when nobody else wants more.
        var isWanted = true
        var isEmpty = true
        do {
            for try await chunk in response.body {
                isEmpty = false
                recorder?.take(chunk)
                if isWanted { isWanted = try sink.write(chunk) }
                guard isWanted || recorder != nil else { break }
                progress?.add(chunk.count)
            }
            if isWanted { try sink.finish() } else { sink.abandon() }
            return isEmpty
        } catch {
            sink.abandon()
            noteKept()
            guard let problem = error as? WritingProblem else { throw failure(error) }
            progress?.end()
            throw unwritable(problem)
        }
    }

    /// Prints what needed the whole body; false if something was looked for and not found.
    func printWhole(_ sink: any BodySink, _ response: Response) throws(Failure) -> Bool {
        guard let whole = sink as? WholeSink else { return true }
        guard case .selection(let layout) = presentation.body, let path = arguments[SendOptions.select] else {
            show(ResponseObject.json(shown, response, cookies: cookies, body: whole.bytes).pretty + "\n")
            return true
        }
        switch BodySelection.select(path, from: whole.bytes) {
        case .selected(let nodes):
            if nodes.isEmpty { return false }
            show(BodySelection.text(of: nodes, layout))
            return true
        case .notJSON(let reason):
            let coding = response.head.coding.map(assembled.redactor.redact)
            context.report(
                code: .selectionFailed, "--select takes JSON, and the body is not: \(reason)",
                hint: coding.map {
                    "the server has compressed it (\($0)); -H 'Accept-Encoding: identity' asks it not to"
                })
        case .tooMuchWork:
            context.report(
                code: .selectionFailed, "--select \(path.text) takes too much work on this body",
                hint: "make it more exact")
        }
        return false
    }

    // MARK: - Terminals

    /// Prints a server's words that were taken out of their JSON.
    private func show(_ text: String) {
        if arguments[SendOptions.raw] { context.output.writeUnfiltered(text) } else { context.output.write(text) }
    }

    private func readableSink(
        _ head: ResponseHead, _ output: Output, inColour: Bool, isTerminal: Bool
    ) -> any BodySink {
        ReadableSink(
            output, inColour: inColour, isTerminal: isTerminal,
            otherwise: isTerminal ? textSink(head, output) : OutputSink(output), isText: isTerminal && head.isBinary)
    }

    private func textSink(_ head: ResponseHead, _ output: Output) -> any BodySink {
        let kind = (head.coding ?? head.headers["Content-Type"]).map(assembled.redactor.redact)
        let noteBinary = { [context] in
            context.note(
                "the body is not text\(kind.map { " (\($0))" } ?? ""): write it to a file with --output FILE")
        }
        return head.isBinary
            ? BinarySink(noteBinary: noteBinary) : TextSink(output, noteBinary: noteBinary)
    }

    // MARK: - Files

    /// Whether an error came where a file was asked for: what the file holds is worth more than the server's excuse.
    func isKeptFromFile(_ response: Response) -> Bool {
        switch presentation.body {
        case .file, .download: status(of: response) != .success && !arguments[SendOptions.outputErrors]
        default: false
        }
    }

    /// Shows the body of an error on stderr.
    private func errorSink(_ head: ResponseHead) -> any BodySink {
        if arguments[SendOptions.quiet] { return NoSink() }
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
            .receiving, total: response.headers["Content-Length"].flatMap { Int($0) },
            skipped: continued?.skipped(response.head) ?? 0)
    }

    private func continuedSink(
        _ continued: ContinuedDownload, _ head: ResponseHead
    ) throws(WritingProblem) -> any BodySink {
        try continued.prepare(for: head)
        return ContinuedSink(continued.file)
    }

    /// Says how an interrupted download goes on.
    private func noteKept() {
        guard let count = continued?.file.leave(), count > 0 else { return }
        progress?.end()
        context.note("\(TransferProgress.size(count)) are kept; the same command goes on from there")
    }

    private func downloadName(_ head: ResponseHead) throws(Failure) -> String {
        let name = DownloadName.choose(head, url: assembled.request.url)
        guard context.files.kind(name) == nil else {
            throw Failure(
                .outputFailed, code: .outputFailed, "\(name) already exists", hint: "name a file with --output FILE")
        }
        context.note("writing \(assembled.redactor.redact(name))")
        return name
    }

    private func unwritable(_ problem: WritingProblem, _ name: String? = nil) -> Failure {
        var name = name ?? "the body"
        if case .file(let path) = presentation.body { name = path }
        return Failure(.outputFailed, code: .outputFailed, "cannot write \(name): \(problem.reason)")
    }
}

extension ResponseHead {
    /// How the server has packed the body; nil where it is as it is.
    var coding: String? {
        headers["Content-Encoding"].flatMap { $0.isEmpty || $0.lowercased() == "identity" ? nil : $0 }
    }

    /// Whether the head already says that the body is no text. Of the media types only SVG images are.
    fileprivate var isBinary: Bool {
        if coding != nil { return true }
        let type = headers["Content-Type"]?.lowercased() ?? ""
        return ["image/", "audio/", "video/", "font/"].contains { type.hasPrefix($0) }
            && !type.hasPrefix("image/svg+xml")
    }
}
