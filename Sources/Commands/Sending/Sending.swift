import Assembly
import Checking
package import CommandLineKit
import Definitions
package import Exchange
import Foundation
import JSONPath
import Redaction
import RequestBuilding
import SourceText

/// A request that is sent, and its response on the way to the output.
struct Sending {
    private(set) var assembled: AssembledRequest
    let arguments: ParsedArguments
    let context: Context
    let presentation: Presentation
    let interruption = Interruption()
    let progress: Progress?
    private var redactor: Redactor
    private var narration: Narration
    private let stub: StubTransport?
    private let loader: Loader
    private(set) var recorder: StubRecorder?
    let cookies: CookieFile?
    /// The request as it may be shown, with the cookies that it carries.
    private(set) var shown: AssembledRequest
    private var renew: Renewal?

    /// The request to send instead after an answer of this status, made with what needs have captured anew; nil if the
    /// answer is to be taken as it is.
    typealias Renewal = @Sendable (_ status: Int) async throws(Failure) -> AssembledRequest?

    init(
        _ assembled: AssembledRequest, _ arguments: ParsedArguments, _ context: Context, cookies: CookieFile? = nil,
        renew: Renewal? = nil
    ) throws(Failure) {
        self.renew = renew
        self.assembled = assembled
        self.cookies = cookies
        shown = try cookies?.showing(assembled, isRevealing: false) ?? assembled
        self.arguments = arguments
        self.context = context
        redactor = assembled.redactor
        loader = try context.loader(flag: arguments[SendOptions.loader])
        do throws(UsageError) {
            presentation = try Presentation(
                arguments, isTerminal: context.terminal.isTerminal(.output),
                sharesTerminal: context.terminal.isTerminal(.error), inColour: context.isColoured(.output))
        } catch {
            throw Failure(
                .usage, error.problems.map { Diagnostic(code: .usageInvalid, $0.message, at: nil, hint: $0.hint) })
        }
        narration = Narration(context, redactor, cookies: cookies, isOn: arguments[SendOptions.verbose])
        let call = assembled.call
        stub = try StubChoice(arguments[StubChoice.option], in: call.workspace)
            .transport(for: call.endpoint, in: call.environment, call.workspace, context.world.clock)
        recorder = try StubRecorder(arguments, assembled, isStubbed: stub != nil, context, interruption)
        progress = Progress(context)
    }

    func run() async throws(Failure) -> ExitStatus {
        defer { progress?.end() }
        if let progress { interruption.onEnd { progress.end() } }
        if assembled.request.transfer.tls.isInsecure {
            context.tell(.warning, code: .insecure, "the server's certificate is not checked: anybody could answer")
        }
        let response = try await response()
        if let fresh = try await renew?(response.status) { return try await renewed(fresh).run() }
        let sink = try sink(for: response)
        if presentation.showsHead {
            context.output.write(
                AnswerText.head(response.head, redactor, cookies: cookies), inColour: context.isColoured(.output))
            if presentation.body != .nothing { context.output.write("\n") }
        }
        try await pour(response, into: sink)
        progress?.end()
        narration.ending(response.body.ending)
        let isFound = try printWhole(sink, response)
        // Foundation's own loader decodes, and leaves the header in.
        try recorder?.save(response.head, isDecoded: loader == .foundation)
        let status = status(of: response)
        return status == .success && !isFound ? .expectationFailed : status
    }

    /// This exchange with a new request, which can't be renewed again.
    private func renewed(_ fresh: AssembledRequest) throws(Failure) -> Sending {
        var sending = self
        sending.renew = nil
        sending.assembled = fresh
        sending.shown = try cookies?.showing(fresh, isRevealing: false) ?? fresh
        sending.redactor = fresh.redactor
        sending.narration = Narration(context, fresh.redactor, cookies: cookies, isOn: arguments[SendOptions.verbose])
        sending.recorder = try StubRecorder(arguments, fresh, isStubbed: stub != nil, context, interruption)
        return sending
    }

    private func response() async throws(Failure) -> Response {
        if let size = uploadSize, size >= Self.largeUpload { progress?.begin(.sending, total: size) }
        do {
            let response = try await delivery.response()
            progress?.clear()
            return response
        } catch {
            throw failure(error)
        }
    }

    /// What is smaller fits into the buffers on the way: waiting after it is waiting for the answer.
    private static let largeUpload = 1 << 20

    private var uploadSize: Int? {
        assembled.request.body?.size(fileSize: RequestBody.size(ofFile:))
    }

    private var delivery: Delivery {
        return Delivery(
            assembled: assembled, stub: stub, transport: NetworkTransport(context.network, loader),
            clock: context.world.clock, proxies: context.proxies, cookies: cookies?.middleware,
            onRequest: { [progress, narration] in
                progress?.clear()
                narration.request($0)
            },
            onResponse: { [progress, narration] in
                progress?.clear()
                narration.response($0)
            },
            onRetry: { [progress, narration] in
                progress?.clear()
                narration.retry($0)
            },
            onKeptBack: { [progress, context] in
                progress?.clear()
                context.note($0)
            },
            onTooLong: { [progress, narration] in
                progress?.clear()
                narration.tooLong($0, $1)
            })
    }

    /// 0 for what the endpoint expects, or for anything below 400 where it expects nothing in particular.
    private func status(of response: Response) -> ExitStatus {
        let expected = assembled.expectation?.status?.value
        if let expected, expected.contains(where: { $0.accepts(response.status) }) { return .success }
        return ExitStatus(refusal: response.status) ?? .success
    }

    func failure(_ error: any Error) -> Failure {
        // Whatever is told now begins a line of its own.
        progress?.end()
        return Failure(unanswered: error, redactor)
    }
}

extension Context {
    /// `--loader`, else `REQCLI_LOADER`, else our own.
    func loader(flag: Loader?) throws(Failure) -> Loader {
        if let flag { return flag }
        guard let name = setVariable("REQCLI_LOADER") else { return .curl }
        if let loader = Loader(rawValue: name) { return loader }
        throw Failure(
            .usage, code: .usageInvalid, "REQCLI_LOADER takes curl or foundation; found \"\(name)\"",
            hint: "set one of them, or unset it")
    }

    /// The proxies that the usual variables name.
    var proxies: ProxySettings {
        let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"]
        return ProxySettings(environment: names.reduce(into: [:]) { $0[$1] = variable($1) })
    }
}

extension Failure {
    /// A request that has no answer.
    init(unanswered error: any Error, _ redactor: Redactor) {
        if let failure = error as? Failure {
            self = failure
            return
        }
        guard let error = error as? TransportError else {
            self.init(.noAnswer, code: .noAnswer, redactor.redact("the request failed: \(error)"))
            return
        }
        self.init(ExitStatus(error), code: .noAnswer, redactor.redact(error.message))
    }
}

extension ExitStatus {
    package init(_ error: TransportError) {
        switch error.kind {
        case .timeout: self = .timedOut
        case .invalidRequest, .unreadableBody: self = .broken
        case .cannotWrite: self = .outputFailed
        case .cancelled: self = .interrupted
        default: self = .noAnswer
        }
    }
}

extension Diagnostic.Code {
    static let noAnswer: Self = "exchange.failed"
    static let selectionFailed: Self = "selection.failed"
    static let insecure: Self = "tls.insecure"
    static let usageInvalid: Self = "usage.invalid"
}
