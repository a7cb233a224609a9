import ReqcliBasics
import ReqcliNetworking
import RequestBuilding

/// Sends requests with the loader that the session has. Foundation collects the body, and a response has only the parts that
/// `HTTPURLResponse` has.
extension URLSessionTransport {
    func sendWithFoundation(_ request: PreparedRequest, in session: URLSession) async throws -> Response {
        let target = request.url.host ?? "nowhere"
        guard request.feed == nil else {
            throw TransportError(
                .invalidRequest, target: target, detail: "Foundation's loader cannot send a streamed body")
        }
        if let ignored = request.transfer.ignoredByFoundation {
            throw TransportError(
                .invalidRequest, target: target, detail: "Foundation's loader cannot obey the setting \(ignored)")
        }
        let timeouts = request.transfer.timeouts
        let foundationRequest = request.foundationRequest
        let (data, answer) = try await withThrowingTaskGroup(of: FoundationDelegate.Answer?.self) { group in
            group.addTask { try await Self.answer(to: foundationRequest, in: session, target: target) }
            if let left = timeouts.left {
                group.addTask {
                    try await Task.sleep(for: left)
                    return nil
                }
            }
            defer { group.cancelAll() }
            guard let answer = try await group.next() ?? nil else {
                let limit = timeouts.total.map { "limit \($0.secondsText) s" } ?? ""
                throw TransportError(.timeout(.total), target: target, detail: limit)
            }
            return answer
        }
        guard let answer = answer as? HTTPURLResponse else {
            throw TransportError(.badResponse, target: target, detail: "it is not HTTP")
        }
        var head = ResponseHead(status: answer.statusCode, reason: "", version: "HTTP", url: answer.url)
        head.headers = HeaderFields(
            answer.allHeaderFields
                .compactMap { name, value in (name as? String).map { HeaderFields.Field($0, "\(value)") } }
                .sorted { $0.name < $1.name }
                .flatMap(\.cookiesApart))
        if let problem = head.lengthProblem { throw TransportError(.badResponse, target: target, detail: problem) }
        // Foundation decodes the body, but keeps the header `Content-Encoding`.
        head.isDecoded = head.headers["Content-Encoding"] != nil
        return Response(head: head, body: ResponseBody(data))
    }

    private static func answer(
        to request: URLRequest, in session: URLSession, target: String
    ) async throws -> FoundationDelegate.Answer {
        let running = RunningTask()
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let task: URLSessionTask
                    if let delegate = session.delegate as? FoundationDelegate {
                        task = session.dataTask(with: request)
                        delegate.expect(task) { running.end(with: $0) }
                    } else {
                        task = session.dataTask(with: request) { data, response, error in
                            running.end(with: error.map { .failure($0) } ?? .success((data ?? Data(), response)))
                        }
                    }
                    running.start(task, continuation)
                }
            } onCancel: {
                running.cancel()
            }
        } catch {
            throw transportError(error, target: target)
        }
    }

    private static func transportError(_ error: any Error, target: String) -> any Error {
        guard let error = error as? URLError else { return error }
        let kind: TransportError.Kind =
            switch error.code {
            case .cannotFindHost, .dnsLookupFailed: .dns
            case .cannotConnectToHost: .refused
            case .timedOut: .timeout(.idle)
            case .networkConnectionLost: .reset
            case .badServerResponse, .cannotParseResponse: .badResponse
            case .httpTooManyRedirects: .tooManyRedirects
            case .secureConnectionFailed: .tls(.handshake)
            case .serverCertificateHasBadDate: .tls(.expired)
            case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot: .tls(.unknownAuthority)
            case .serverCertificateNotYetValid: .tls(.notYetValid)
            case .cancelled: .cancelled
            default: .other
            }
        return kind == .cancelled
            ? CancellationError() : TransportError(kind, target: target, detail: error.localizedDescription)
    }
}

/// A task of Foundation's loader. The task ends once: with its response, or as soon as it is cancelled. It may be cancelled before
/// it starts.
private final class RunningTask: Sendable {
    typealias Continuation = CheckedContinuation<FoundationDelegate.Answer, any Error>

    private let state = Mutex<(task: URLSessionTask?, continuation: Continuation?, isCancelled: Bool)>(
        (nil, nil, false))

    func start(_ task: URLSessionTask, _ continuation: Continuation) {
        let isCancelled = state.withLock { state in
            (state.task, state.continuation) = (task, continuation)
            return state.isCancelled
        }
        // Foundation releases a cancelled task only if the task has also been resumed.
        task.resume()
        if isCancelled { cancel() }
    }

    func end(with result: Result<FoundationDelegate.Answer, any Error>) {
        let continuation = state.withLock { state in
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(with: result)
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        guard let task else { return }
        end(with: .failure(CancellationError()))
        // Cancelling waits for the loader's queue, which may be busy with a large body for minutes.
        DispatchQueue.global().async { task.cancel() }
    }
}

extension TransferSettings {
    /// The name of a setting that differs from its default and that Foundation's loader would ignore; nil if there is none.
    fileprivate var ignoredByFoundation: String? {
        let connect = timeouts.connect != nil && timeouts.connect != TransferSettings().timeouts.connect
        let settings = [
            ("tls.ca", tls.authorities != nil), ("tls.authoritiesFolder", tls.authoritiesFolder != nil),
            ("tls.insecure", tls.isInsecure), ("tls.cert", tls.certificate != nil), ("tls.key", tls.key != nil),
            ("tls.minVersion", tls.minimumVersion != nil), ("tls.maxVersion", tls.maximumVersion != nil),
            ("httpVersion", version != nil), ("proxies.http", proxies.http != nil),
            ("proxies.https", proxies.https != nil),
            ("resolve", !resolvedHosts.isEmpty), ("detours", !detours.isEmpty), ("unix-socket", unixSocket != nil),
            ("timeout.connect", connect), ("timeout.firstByte", timeouts.firstByte != nil),
            ("compressed", decodesContent == false),
        ]
        return settings.first { $0.1 }?.0
    }
}

extension PreparedRequest {
    /// The request for Foundation's loader. Foundation's timer measures the time without a byte, in whole seconds. This library
    /// itself applies the limit for the whole exchange.
    fileprivate var foundationRequest: URLRequest {
        var request = urlRequest
        request.timeoutInterval = transfer.timeouts.idle.map { max(1, $0.seconds.rounded(.up)) } ?? 1e6
        return request
    }
}

extension HeaderFields.Field {
    /// The cookies of a joined field, each as a separate field. Foundation joins fields of one name with commas, but a comma can
    /// also be part of a cookie. A comma separates two cookies if a name and `=` follow it, which is never the case in a date.
    fileprivate var cookiesApart: [HeaderFields.Field] {
        guard name.isSameHeader(as: "Set-Cookie") else { return [self] }
        return value.split(separator: ",").reduce(into: []) { cookies, part in
            let text = String(part.trimmingSpacesAndTabs)
            let isNamed = text.firstIndex(of: "=").map { text[..<$0].isToken } ?? false
            if isNamed || cookies.isEmpty {
                cookies.append(HeaderFields.Field(name, text))
            } else {
                cookies[cookies.count - 1] = HeaderFields.Field(name, "\(cookies[cookies.count - 1].value),\(part)")
            }
        }
    }
}
