import Calling
import Checking
import CommandLineKit
import Exchange
import Foundation
import Recording
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliMatching
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// Collects the data of one call for the history while the call is made. Secrets are left out.
final class HistoryRecorder: Sendable {
    /// The number of redirects and attempts that are kept, counted from the last one.
    private static let longestChain = 8
    /// The number of bytes of the body that are collected. More bytes are collected than kept, so that a token at the cut is
    /// recognised.
    private static let window = History.largestBody + 4096

    private let history: History
    private let extent: History.Extent
    private let context: Context
    private let assembled: AssembledRequest
    private let mask: HeadMask
    private let call: KeptCall
    private let redactor: Redactor
    private let state = Mutex(State())

    private struct State {
        var exchanges: [HistoryEntry.Exchange] = []
        var body: [UInt8] = []
        var size = 0
    }

    init(
        _ history: History, _ extent: History.Extent, _ assembled: AssembledRequest, _ asked: Asked,
        cookies: CookieSession?, _ context: Context
    ) {
        self.history = history
        self.extent = extent
        self.context = context
        self.assembled = assembled
        var first = KeptCall.Secrets(assembled.redactor)
        _ = KeptCall(asked.arguments, assembled, asked.typed, &first)
        // Reads the words a second time with the secrets that the first pass found, because a word may contain a value that only
        // another word reveals as a secret.
        var all = KeptCall.Secrets(Redactor(assembled.redactor.secrets + first.guessed))
        call = KeptCall(asked.arguments, assembled, asked.typed, &all)
        redactor = Redactor(assembled.redactor.secrets + all.guessed)
        mask = HeadMask(assembled, cookies, redactor)
    }

    /// The command line as it was typed.
    struct Asked: Sendable {
        let arguments: ParsedArguments
        let typed: TypedRequest?
    }

    // MARK: Collecting

    func add(_ event: ExchangeEvent) {
        switch event {
        case .request(let request):
            let exchange = exchange(request)
            state.withLock { state in
                state.exchanges = state.exchanges.suffix(Self.longestChain - 1) + [exchange]
            }
        case .response(let head):
            var shown = ShownHead(head, mask.reading(head))
            shown.headers = Self.withoutCredentials(shown.headers)
            state.withLock { state in
                guard !state.exchanges.isEmpty else { return }
                state.exchanges[state.exchanges.count - 1].response = shown
            }
        case .failed, .stub, .retry, .tooLong, .keptBack, .unencryptedPassword: break
        }
    }

    func take(_ chunk: Data) {
        if extent == .words { return }
        state.withLock { state in
            state.size += chunk.count
            state.body += chunk.prefix(max(0, Self.window + redactor.longest - state.body.count))
        }
    }

    /// Discards the body of an earlier page.
    func beginBody() {
        state.withLock { state in (state.body, state.size) = ([], 0) }
    }

    /// Masks headers that carry credentials, whether or not their values are known as secrets.
    private static func withoutCredentials(_ fields: HeaderFields) -> HeaderFields {
        HeaderFields(
            fields.map { field in
                let isCredential = LikelySecret.isHeader(field.name)
                return HeaderFields.Field(
                    field.name, isCredential ? field.maskedValue : SecretScan.masked(field.value))
            })
    }

    private func exchange(_ request: PreparedRequest) -> HistoryEntry.Exchange {
        var request = request
        let body = request.body
        request.body = nil
        let mask = mask.reading(request.url)
        var shown = ShownRequest(request, mask)
        shown.headers = Self.withoutCredentials(shown.headers)
        shown.target = SecretScan.masked(shown.target)
        if let body {
            shown.body = keptLines(of: body)
            let size = body.size(fileSize: RequestBody.size(ofFile:)).map(String.init)
            if let size, request.headers["Content-Length"] == nil { shown.headers.append("Content-Length", size) }
        }
        return HistoryEntry.Exchange(
            method: shown.method, url: SecretScan.masked(mask.redactor.redact(request.url.absoluteString)),
            request: shown)
    }

    /// The lines of a request's body that are kept. For a body that is a file or has several parts, only the size is kept,
    /// because a secret in such a body could not be recognised.
    private func keptLines(of body: RequestBody) -> [String] {
        guard case .data(let data) = body, data.count <= History.largestBody,
            let masked = SecretScan.masked(Array(data))
        else {
            let size = body.size(fileSize: RequestBody.size(ofFile:)).map { "\($0) bytes" } ?? "a body"
            return ["(\(size), not kept)"]
        }
        return BodyExcerpt.lines(of: .data(Data(masked)), redactor)
    }

    // MARK: Keeping

    /// Keeps the call after its response has ended. If it can't be kept, the user gets a warning, and the call still succeeds.
    ///
    /// - Parameter isWhole: Whether the whole body was collected.
    func save(_ response: Response, isWhole: Bool) {
        let isPublic = call.target.allSatisfy { redactor.redact($0) == $0 && SecretScan.masked($0) == $0 }
        guard !call.isTyped || isPublic else {
            return context.note("the call is not kept in the history, because its URL contains a secret")
        }
        let state = state.withLock(\.self)
        let isWhole = isWhole && state.size == state.body.count && extent == .whole
        let (body, learned) = keptBody(response.head, state.body, isWhole: isWhole)
        var exchanges = state.exchanges
        guard !exchanges.isEmpty else { return }
        let last = exchanges.count - 1
        exchanges[last].response = exchanges[last].response.map {
            $0.masked(with: learned)
        }
        if extent == .words { exchanges = [exchanges[last].withoutHeads] }
        let id = assembled.call.endpoint.id
        let entry = HistoryEntry(
            time: context.world.clock.date(), endpoint: call.isTyped ? redactor.redact(id) : id,
            environment: assembled.call.environment.name, call: call, exchanges: exchanges,
            timings: response.body.ending?.timings, body: body.bytes, isWhole: body.isWhole,
            extent: extent)
        let isFirst = extent == .words && History.isNew(context)
        do throws(WritingProblem) {
            try history.add(entry)
            if isFirst {
                context.note(
                    "the words of calls at a terminal are kept for \"reqcli send --again\" and \"reqcli history\"; \(History.variable)=0 turns this off"
                )
            }
        } catch {
            // The user didn't ask for the history, so no warning is printed.
            if extent == .words { return }
            context.report(
                .warning, code: .historyUnwritten, "cannot keep the call in the history: \(error.reason)",
                hint: "\(History.variable)=0 turns the history off")
        }
    }

    /// The beginning of the body without secrets, and the redactor that also knows the secrets in it. If the body may contain a secret
    /// that can't be found, no part of the body is kept.
    private func keptBody(
        _ head: ResponseHead, _ bytes: [UInt8], isWhole: Bool
    ) -> (body: (bytes: [UInt8], isWhole: Bool), redactor: Redactor) {
        let codings = head.contentCodings
        let limit = RecordedResponse.limit
        let plain: [UInt8]? =
            codings.isEmpty ? bytes : isWhole ? try? ContentCoding.decode(bytes, codings, limit: limit) : nil
        let received = ReceivedResponse(head.ofDecodedBody, body: ReceivedBody(plain ?? []))
        let known = redactor.adding(assembled.signatures?.secrets ?? [])
        let captures = CaptureReader.compile(assembled.call.endpoint).value?.ofSecrets
        let captured = captures?.read(received, Excerpts(known))
        let redactor = Redactor(known.secrets + (captured?.secrets ?? []))
        let hidesBody = captured?.hiddenParts.contains(.body) ?? false
        guard !hidesBody, let plain, let unlikely = SecretScan.masked(plain) else { return (([], false), redactor) }
        let masked =
            isWhole
            ? redactor.masked(body: unlikely).body
            : redactor.redact(unlikely, upTo: History.largestBody).masked
        let isKeptWhole = isWhole && masked.count <= History.largestBody
        return ((Array(masked.prefix(History.largestBody)), isKeptWhole), redactor)
    }
}

extension HistoryEntry.Exchange {
    /// The method, the URL and the status.
    fileprivate var withoutHeads: HistoryEntry.Exchange {
        HistoryEntry.Exchange(
            method: method, url: url,
            request: ShownRequest(method: method, target: request.target, headers: HeaderFields([]), body: []),
            response: response.map {
                ShownHead(version: $0.version, status: $0.status, reason: $0.reason, headers: HeaderFields([]))
            })
    }
}

extension ShownHead {
    /// The head with secrets masked.
    fileprivate func masked(with redactor: Redactor) -> ShownHead {
        let fields = headers.map { HeaderFields.Field($0.name, redactor.redact($0.value)) }
        return ShownHead(
            version: version, status: status, reason: redactor.redact(reason: reason, of: status),
            headers: HeaderFields(fields))
    }
}
