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
        switch presentation.body {
        case .nothing: return NoSink()
        case .untouched: return OutputSink(context.output)
        case .json, .selection: return WholeSink()
        case .readable(let inColour, let isTerminal):
            return ReadableSink(
                context.output, inColour: inColour, isTerminal: isTerminal,
                otherwise: isTerminal ? textSink(response.head) : OutputSink(context.output),
                isText: isTerminal && Self.coding(of: response.head) != nil)
        case .file(let path): return try fileSink(path, response, mayReplace: true)
        case .download: return try fileSink(try downloadName(response.head), response, mayReplace: false)
        }
    }

    /// Moves the body chunk by chunk: memory doesn't grow with it.
    func pour(_ response: Response, into sink: any BodySink) async throws(Failure) {
        // A recording needs all of it, also when nobody else wants more.
        var isWanted = true
        do {
            for try await chunk in response.body {
                recorder?.take(chunk)
                if isWanted { isWanted = try sink.write(chunk) }
                guard isWanted || recorder != nil else { break }
                progress?.add(chunk.count)
            }
            if isWanted { try sink.finish() } else { sink.abandon() }
        } catch {
            sink.abandon()
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
            let coding = Self.coding(of: response.head).map(assembled.redactor.redact)
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

    private func textSink(_ head: ResponseHead) -> any BodySink {
        let kind = (Self.coding(of: head) ?? head.headers["Content-Type"]).map(assembled.redactor.redact)
        let noteBinary = { [context] in
            context.note(
                "the body is not text\(kind.map { " (\($0))" } ?? ""): write it to a file with --output FILE")
        }
        return Self.coding(of: head) == nil
            ? TextSink(context.output, noteBinary: noteBinary) : BinarySink(noteBinary: noteBinary)
    }

    /// How the server has packed the body; nil where it is as it is.
    private static func coding(of head: ResponseHead) -> String? {
        head.headers["Content-Encoding"].flatMap { $0.isEmpty || $0.lowercased() == "identity" ? nil : $0 }
    }

    // MARK: - Files

    private func fileSink(_ path: String, _ response: Response, mayReplace: Bool) throws(Failure) -> any BodySink {
        do throws(WritingProblem) {
            let sink: any BodySink =
                if let device = try DeviceSink(path, context.files) { device } else {
                    try FileSink(path, mayReplace ? .replacement : .new, context.writing, interruption)
                }
            progress?.begin(.receiving, total: response.headers["Content-Length"].flatMap { Int($0) })
            return sink
        } catch {
            throw unwritable(error, path)
        }
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
