import Assembly
import CommandLineKit
import Definitions
import Exchange
import Foundation
import JSONPath
import Redaction
import RequestBuilding
import SourceText

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange from the request to the last byte on its way out.
struct Sending {
    private let assembled: AssembledRequest
    private let arguments: ParsedArguments
    private let context: Context
    private let presentation: Presentation
    private let redactor: Redactor
    private let interruption = Interruption()
    private let narration: Narration
    private let stub: StubTransport?
    private let recorder: StubRecorder?

    init(_ assembled: AssembledRequest, _ arguments: ParsedArguments, _ context: Context) throws(Failure) {
        self.assembled = assembled
        self.arguments = arguments
        self.context = context
        redactor = assembled.redactor
        do throws(UsageError) {
            presentation = try Presentation(
                arguments, isTerminal: context.terminal.isTerminal(.output), inColour: context.isColoured(.output))
        } catch {
            throw Failure(
                .usage, error.problems.map { Diagnostic(code: .usageInvalid, $0.message, at: nil, hint: $0.hint) })
        }
        narration = Narration(context, redactor, isOn: arguments[SendOptions.verbose])
        let call = assembled.call
        stub = try StubChoice(arguments[StubChoice.option])
            .script(for: call.endpoint, in: call.environment, call.workspace)
            .map { StubTransport($0, sleep: context.network.sleep) }
        recorder = try StubRecorder(arguments, assembled, isStubbed: stub != nil, context, interruption)
    }

    func run() async throws(Failure) -> ExitStatus {
        if assembled.request[option: TransferOption.Insecure.self] == true {
            context.tell(.warning, code: .insecure, "the server's certificate is not checked: anybody could answer")
        }
        let response: Response
        do {
            response = try await delivery.response()
        } catch {
            throw Failure(unanswered: error, redactor)
        }
        narration.answer(response.head)
        let sink = try sink(for: response)
        if presentation.showsHead {
            context.output.write(AnswerText.head(response.head, redactor, inColour: context.isColoured(.output)))
            if presentation.body != .nothing { context.output.write("\n") }
        }
        try await pour(response.body, into: sink)
        narration.ending(response.body.ending)
        let isFound = try printWhole(sink, response)
        // Foundation's own loader decodes, and leaves the header in.
        try recorder?.save(response.head, isDecoded: loader == .foundation)
        let status = status(of: response)
        return status == .success && !isFound ? .expectationFailed : status
    }

    private var delivery: Delivery {
        return Delivery(
            assembled: assembled, stub: stub, pool: TransportPool(context.network, loader), network: context.network,
            proxies: context.proxies, onRequest: narration.request, onRetry: narration.retry)
    }

    private var loader: Loader { context.loader(flag: arguments[SendOptions.loader]) }

    /// 0 for what the endpoint expects, or for anything below 400 where it expects nothing in particular.
    private func status(of response: Response) -> ExitStatus {
        let expected = assembled.expectation?.status?.value
        if let expected, expected.contains(where: { $0.accepts(response.status) }) { return .success }
        switch response.status {
        case 400...499: return .clientError
        case 500...599: return .serverError
        default: return .success
        }
    }
}

// MARK: - The body

extension Sending {
    private func sink(for response: Response) throws(Failure) -> any BodySink {
        switch presentation.body {
        case .nothing: return NoSink()
        case .untouched: return OutputSink(context.output)
        case .json, .selection: return WholeSink()
        case .readable(let inColour): return ReadableSink(context.output, inColour: inColour, note: context.note)
        case .file(let path): return try fileSink(path)
        case .download: return try fileSink(try downloadName(response.head))
        }
    }

    /// Prints what needed the whole body; false if something was looked for and not found.
    private func printWhole(_ sink: any BodySink, _ response: Response) throws(Failure) -> Bool {
        guard let whole = sink as? WholeSink else { return true }
        guard case .selection(let asList) = presentation.body, let path = arguments[SendOptions.select] else {
            context.output.write(AnswerObject.json(assembled, response, body: whole.bytes).pretty + "\n")
            return true
        }
        switch BodySelection.select(path, from: whole.bytes) {
        case .selected(let nodes):
            if nodes.isEmpty { return false }
            context.output.write(asList ? OrderedJSON.array(nodes).pretty + "\n" : BodySelection.lines(nodes))
            return true
        case .notJSON(let reason):
            context.tell(code: .selectionFailed, "--select takes JSON, and the body is not: \(reason)")
        case .tooMuchWork:
            context.tell(
                code: .selectionFailed, "--select \(path.text) takes too much work on this body",
                hint: "make it more exact")
        }
        return false
    }

    private func fileSink(_ path: String) throws(Failure) -> FileSink {
        do throws(WritingProblem) {
            let file = try PartialFile(path)
            interruption.onEnd { file.discard() }
            return FileSink(file)
        } catch {
            throw Failure(.outputFailed, code: .outputFailed, "\(path) can't be written: \(error.reason)")
        }
    }

    private func downloadName(_ head: ResponseHead) throws(Failure) -> String {
        let name = DownloadName.choose(head, url: assembled.request.url)
        guard context.files.kind(name) == nil else {
            throw Failure(
                .outputFailed, code: .outputFailed, "\(name) is there already", hint: "name a file with --output FILE")
        }
        context.note("writing \(name)")
        return name
    }

    private func pour(_ body: ResponseBody, into sink: any BodySink) async throws(Failure) {
        var isWanted = true
        do {
            for try await chunk in body {
                recorder?.take(chunk)
                if isWanted { isWanted = try sink.write(chunk) }
                guard isWanted || recorder != nil else { return }
            }
            if isWanted { try sink.finish() }
        } catch let problem as WritingProblem {
            throw Failure(.outputFailed, code: .outputFailed, "the body can't be written: \(problem.reason)")
        } catch {
            throw Failure(unanswered: error, redactor)
        }
    }
}

extension Context {
    /// `--loader`, else `REQCLI_LOADER`, else our own.
    func loader(flag: Loader?) -> Loader { flag ?? setVariable("REQCLI_LOADER").flatMap(Loader.init) ?? .curl }

    /// The proxies that the usual variables name.
    var proxies: ProxySettings {
        let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"]
        return ProxySettings(environment: names.reduce(into: [:]) { $0[$1] = variable($1) })
    }
}

extension Failure {
    /// A request that has no answer.
    init(unanswered error: any Error, _ redactor: Redactor) {
        guard let error = error as? TransportError else {
            self.init(.noAnswer, code: .noAnswer, redactor.redact("the request failed: \(error)"))
            return
        }
        let status = ExitStatus.all.first { $0.code == error.exitCode } ?? .noAnswer
        self.init(status, code: .noAnswer, redactor.redact(error.description))
    }
}

extension Diagnostic.Code {
    static let noAnswer: Self = "exchange.failed"
    static let selectionFailed: Self = "selection.failed"
    static let insecure: Self = "tls.insecure"
    static let usageInvalid: Self = "usage.invalid"
}
