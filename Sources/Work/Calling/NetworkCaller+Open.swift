package import Exchange
import Foundation
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliRedaction
package import ReqcliText
package import RequestBuilding

/// An event between a request and its response. Events are shown to the user, or counted.
package enum ExchangeEvent: Sendable {
    /// A request goes out.
    case request(PreparedRequest)
    /// The head of the response to a request has arrived.
    case response(ResponseHead)
    /// A transfer has failed before a response arrived, after these times.
    case failed(Timings)
    /// This stub has responded in place of the network.
    case stub(Stub)
    /// There will be another attempt.
    case retry(RetryMiddleware.Retry)
    /// There will be no other attempt, because the server asks for a longer wait than is allowed.
    case tooLong(asked: Duration, longest: Duration)
    /// The server at this origin offers only Basic authentication and not Digest, so the password is sent unencrypted.
    case unencryptedPassword(origin: String)
    /// A redirect is not followed, for this reason.
    case keptBack(String)
}

extension NetworkCaller {
    /// Sends the request of a call, and returns its response. The body is still to be read. Asks the user first if the environment's
    /// policy says so.
    ///
    /// The client and the middlewares are those of the library, in one fixed order: retry → redirect → decode → digest → cookies →
    /// token → signature → limit → origins of secrets → log → transport. A retry starts the whole chain again. A request that follows
    /// a redirect or a challenge carries the cookies for its own target, and is logged like any request.
    ///
    /// - Parameter variant: The call's request, or a variant of it for the same origin, such as one for the next page.
    package func open(
        _ made: MadeCall, as variant: PreparedRequest, watching watch: @escaping @Sendable (ExchangeEvent) -> Void
    ) async throws(Failure) -> Response {
        try setup.confirmation.settle(made.request)
        return try await exchange(made, as: variant, watching: watch)
    }

    /// Sends the request of a call that the policy allows.
    func exchange(
        _ made: MadeCall, as variant: PreparedRequest, watching watch: @escaping @Sendable (ExchangeEvent) -> Void
    ) async throws(Failure) -> Response {
        do {
            let request = made.isStubbed ? variant : completed(variant)
            if !made.isStubbed, let refusal = setup.load?.refusal(request) { throw refusal }
            return try await client(for: made, request.transfer) { [self] event in
                watch(event)
                note(event)
            }.send(request)
        } catch {
            throw Failure(unanswered: error, made.request.redactor)
        }
    }

    /// The request with the proxies and trusted certificates that it doesn't name itself.
    func completed(_ request: PreparedRequest) -> PreparedRequest {
        var request = request
        if let load = setup.load { request.transfer.timeouts.total = request.transfer.timeouts.total ?? load.timeLimit }
        request.transfer = request.transfer.completed(by: setup.usualTransfer)
        return request
    }

    private func client(
        for made: MadeCall, _ transfer: TransferSettings, _ onEvent: @escaping @Sendable (ExchangeEvent) -> Void
    ) -> APIClient {
        let assembled = made.request
        var onTheWire: [any Middleware] = []
        if let account = transfer.challengeAccount {
            let onBasic: @Sendable (URL) -> Void = { url in
                guard let origin = assembled.unencryptedOrigin(of: url) else { return }
                onEvent(.unencryptedPassword(origin: origin))
            }
            onTheWire.append(
                DigestMiddleware(
                    user: account.user, password: account.password, origin: assembled.request.url,
                    onBasic: transfer.answersBasic ? onBasic : nil))
        }
        if let cookies = made.cookies { onTheWire.append(cookies.middleware) }
        if assembled.request.oauth != nil, !made.isStubbed {
            onTheWire.append(
                TokenMiddleware { [tokens = setup.tokens] client, request, rejected in
                    let token = try await tokens.token(client, assembled, request, rejected)
                    if let token { assembled.signatures?.add(token: token) }
                    return token
                })
        }
        if transfer.proxies.usesDigest { onTheWire.append(DigestMiddleware.ofProxy()) }
        if assembled.request.signer != nil {
            onTheWire.append(
                SigningMiddleware(now: setup.clock.date, onSigned: { assembled.signatures?.add($0) }))
        }
        if let limit = setup.limit, !made.isStubbed {
            onTheWire.append(OriginMiddleware { try limit($0, assembled) })
        }
        if let origins = setup.origins, !made.isStubbed {
            onTheWire.append(OriginMiddleware { try origins.check($0, of: assembled) })
        }
        onTheWire.append(Announcing(onEvent: onEvent))
        return APIClient(
            base: RequestBuilder(),
            transport: MiddlewareTransport(
                onTheWire, before: made.stub?.reporting { onEvent(.stub($0)) } ?? setup.transport),
            middlewares: [
                RetryMiddleware(
                    RetryPolicy(), sleep: setup.clock.sleep, onRetry: { onEvent(.retry($0)) },
                    onTooLong: { onEvent(.tooLong(asked: $0, longest: $1)) })
            ],
            redirects: RedirectMiddleware(
                holdsSecret: { $0.holdsSecret(assembled.redactor) },
                onKeptBack: { onEvent(.keptBack(assembled.keepingBack($0))) },
                elapsed: setup.clock.elapsed,
                check: { [load = made.isStubbed ? nil : setup.load] in
                    try assembled.refuseRedirect(to: $0)
                    if let refusal = load?.refusal($0) { throw refusal }
                }))
    }
}

extension AssembledRequest {
    /// The origin as it may be shown; nil if the connection to it is encrypted.
    fileprivate func unencryptedOrigin(of url: URL) -> String? {
        guard url.scheme?.lowercased() == "http" else { return nil }
        let port = url.port.map { ":\($0)" } ?? ""
        return redactor.redact("http://\(url.host ?? "")\(port)")
    }

    fileprivate func keepingBack(_ redirect: ResponseHead.Redirect) -> String {
        let port = redirect.to.port.map { ":\($0)" } ?? ""
        let origin = redactor.redact("\(redirect.to.scheme ?? "")://\(redirect.to.host ?? "")\(port)")
        return "the redirect to \(origin) is not followed, because the body contains a secret; "
            + "\"redirects\": {\"credentials\": \"anyHost\"} sends it to any host"
    }

    /// Rejects a redirect to a method that the environment's policy doesn't allow. A redirect may turn a POST into a GET.
    fileprivate func refuseRedirect(to request: PreparedRequest) throws {
        let method = request.method.token
        guard case .refused(let reason) = PolicyDecision(method: method, call.environment.policy) else { return }
        throw Failure(
            .refusedByPolicy, code: .policyRefused,
            "the server redirects to a \(method), which the environment \(call.environment.name) does not allow: \(reason)",
            hint: "the environment's \"policy\" forbids it; an endpoint or a server cannot change that")
    }
}

/// Announces each request as it goes out, and the head of each response as it arrives.
private struct Announcing: Middleware {
    let onEvent: @Sendable (ExchangeEvent) -> Void

    func send(_ request: PreparedRequest, next: Next) async throws -> Response {
        onEvent(.request(request))
        do {
            let response = try await next(request)
            onEvent(.response(response.head))
            return response
        } catch let error as TransportError {
            if let timings = error.timings { onEvent(.failed(timings)) }
            throw error
        }
    }
}
