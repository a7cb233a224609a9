import Calling
import Checking
import CommandLineKit
import Exchange
import Foundation
import ReqcliAssembly
import ReqcliJSONPath
import ReqcliMatching
import ReqcliRedaction
import ReqcliText

extension Sending {
    /// Prints the items of all pages as one list, each page as it arrives. If a page fails, the end of the list is not printed.
    func printPages(_ first: Response, _ walk: PageWalk) async throws(Failure) -> ExitStatus {
        showHead(first)
        var walk = walk
        var printer = try PagePrinter(sink: listSink(for: first))
        var response = first
        do {
            while let next = try await print(response, &walk, &printer) {
                guard walk.number <= arguments[SendOptions.maxPages] else {
                    try printer.finish()
                    throw walk.failure("is not read, because of --max-pages \(arguments[SendOptions.maxPages])")
                }
                response = try await page(at: next, walk)
            }
            try printer.finish()
            historyRecorder?.save(response, isWhole: !isKeptInFile(response))
        } catch {
            printer.abandon()
            progress?.end()
            if let problem = error as? WritingProblem { throw unwritable(problem) }
            throw failure(error)
        }
        return printer.isEmpty && arguments[SendOptions.select] != nil ? .expectationFailed : .success
    }

    /// The response with a further page. Fails if the response's status is not expected, as for the first page.
    private func page(at url: URL, _ walk: PageWalk) async throws(Failure) -> Response {
        let response = try await response(at: url)
        let status = status(of: response)
        if status == .success { return response }
        throw walk.failure(
            "failed: the response is \(response.status) \(response.head.reason)", status,
            hint: "the list is not complete")
    }

    /// Prints a page, and returns the URL of the next page, if there is a next page.
    private func print(
        _ response: Response, _ walk: inout PageWalk, _ printer: inout PagePrinter
    ) async throws -> URL? {
        let bytes = [UInt8](try await response.body.data(upTo: WholeSink.limit))
        historyRecorder?.beginBody()
        if !isKeptInFile(response) { historyRecorder?.take(Data(bytes)) }
        let received = ReceivedResponse(response.head, body: ReceivedBody(bytes), method: assembled.method)
        let content: [UInt8]
        switch received.content {
        case .success(let text): content = text
        case .failure(let problem): throw walk.failure("is \(problem.phrase(Excerpts(assembled.redactor)))")
        }
        guard let root = JSONDocument.read(SourceFile(name: "body", bytes: content)).validRoot else {
            throw walk.failure("is not JSON")
        }
        if case .selection(let layout) = presentation.body, let path = arguments[SendOptions.select] {
            let nodes = try path.nodes(in: root)
            if layout != .array {
                show(BodySelection.text(of: nodes.map { OrderedJSON($0) }, layout))
                if !nodes.isEmpty { printer.isEmpty = false }
            } else {
                try printer.add(nodes)
            }
            // Whether a page is empty depends on its items, not on the selected values.
            let hasItems = walk.counts ? try !walk.items(of: root).isEmpty : true
            return context.output.isOpen ? try walk.advance(root, response.head, hasItems: hasItems) : nil
        }
        let items = try walk.items(of: root)
        guard try printer.add(items) else { return nil }
        return try walk.advance(root, response.head, hasItems: !items.isEmpty)
    }

    /// The sink for the list; nil if lines are printed instead.
    private func listSink(for response: Response) throws(Failure) -> (any BodySink)? {
        guard case .selection(let layout) = presentation.body else { return try plainSink(for: response) }
        return layout == .array ? OutputSink(context.output) : nil
    }
}

/// Writes items as one JSON list. Each item keeps the bytes that it has in its page.
struct PagePrinter {
    private let sink: (any BodySink)?
    var isEmpty = true

    init(sink: (any BodySink)?) { self.sink = sink }

    /// Prints items. Returns false if the output takes no more.
    @discardableResult
    mutating func add(_ items: [JSONValue]) throws(WritingProblem) -> Bool {
        guard let sink else { return true }
        var text = Data()
        for item in items {
            text += Data((isEmpty ? "[\n" : ",\n").utf8)
            text += item.place.file.bytes[item.range]
            isEmpty = false
        }
        return text.isEmpty ? true : try sink.write(text)
    }

    func finish() throws(WritingProblem) {
        guard let sink else { return }
        if try sink.write(Data((isEmpty ? "[]\n" : "\n]\n").utf8)) { try sink.finish() } else { sink.abandon() }
    }

    func abandon() { sink?.abandon() }
}
