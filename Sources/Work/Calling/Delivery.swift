package import Exchange
package import Foundation
package import ReqcliAssembly
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText
package import RequestBuilding

/// Sends an assembled request and returns its response, with the library's client and middlewares in one fixed order.
///
/// retry → redirect → digest → cookies → decode → log → transport: a retry starts the whole chain again. A request that follows a
/// redirect or a challenge carries the cookies for its own target, and is logged like any request.
package struct Delivery {
    package let assembled: AssembledRequest
    /// The request that is sent in place of the assembled request. It asks only for a part of the response, or only for a changed
    /// response.
    package var partial: PreparedRequest?
    /// The stub that responds instead of the network.
    package let stub: StubTransport?
    package let transport: any Transport
    package let clock: WorldClock
    /// The proxies and trusted certificates for requests without such settings; nil if nothing is sent.
    package let usualTransfer: TransferSettings?
    /// The middleware for cookies; nil if the call uses no cookies.
    package let cookies: CookieMiddleware?
    package let onEvent: @Sendable (Event) -> Void

    package init(
        assembled: AssembledRequest, partial: PreparedRequest? = nil, stub: StubTransport?, transport: any Transport,
        clock: WorldClock, usualTransfer: TransferSettings?, cookies: CookieMiddleware?,
        onEvent: @escaping @Sendable (Event) -> Void
    ) {
        self.assembled = assembled
        self.partial = partial
        self.stub = stub
        self.transport = transport
        self.clock = clock
        self.usualTransfer = usualTransfer
        self.cookies = cookies
        self.onEvent = onEvent
    }

    /// An event on the way to the response, which is shown to the user or counted.
    package enum Event: Sendable {
        /// A request goes out.
        case request(PreparedRequest)
        /// The head of the response to a request has arrived.
        case response(ResponseHead)
        /// There will be another attempt.
        case retry(RetryMiddleware.Retry)
        /// There will be no other attempt, because the server asks for a longer wait than is allowed.
        case tooLong(asked: Duration, longest: Duration)
        /// The server at this origin offers only Basic authentication and not Digest, so the password is sent unencrypted.
        case unencryptedPassword(origin: String)
        /// A redirect is not followed, for this reason.
        case keptBack(String)
    }

    /// Sends the request and returns its response.
    ///
    /// - Parameter url: The URL to send the request to, instead of the request's own URL. Both must have the same origin.
    package func response(at url: URL? = nil) async throws -> Response {
        var request = partial ?? assembled.request
        if let url { request.url = url }
        if let usualTransfer { request.transfer = request.transfer.completed(by: usualTransfer) }
        var onTheWire: [any Middleware] = []
        if let account = request.transfer.challengeAccount {
            let onBasic: @Sendable (URL) -> Void = { [self] in noteBasic($0) }
            onTheWire.append(
                DigestMiddleware(
                    user: account.user, password: account.password, origin: request.url,
                    onBasic: request.transfer.answersBasic ? onBasic : nil))
        }
        if let cookies { onTheWire.append(cookies) }
        if request.transfer.proxies.usesDigest { onTheWire.append(DigestMiddleware.ofProxy()) }
        onTheWire += [DecodingMiddleware(), Announcing(onEvent: onEvent)]
        let client = APIClient(
            requests: RequestFactory(base: RequestBuilder()),
            transport: MiddlewareTransport(onTheWire, before: stub ?? transport),
            middlewares: [
                RetryMiddleware(
                    sleep: clock.sleep, onRetry: { [onEvent] in onEvent(.retry($0)) },
                    onTooLong: { [onEvent] in onEvent(.tooLong(asked: $0, longest: $1)) })
            ],
            redirects: RedirectMiddleware(
                holdsSecret: { [assembled] in $0.holdsSecret(assembled.redactor) },
                onKeptBack: { [assembled, onEvent] in onEvent(.keptBack(assembled.keepingBack($0))) },
                elapsed: clock.elapsed,
                check: { [assembled] in try assembled.refuseRedirect(to: $0) }))
        return try await client.send(request)
    }

    private func noteBasic(_ url: URL) {
        guard url.scheme?.lowercased() == "http" else { return }
        let port = url.port.map { ":\($0)" } ?? ""
        onEvent(.unencryptedPassword(origin: assembled.redactor.redact("http://\(url.host ?? "")\(port)")))
    }
}

extension AssembledRequest {
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
    let onEvent: @Sendable (Delivery.Event) -> Void

    func send(_ request: PreparedRequest, next: Next) async throws -> Response {
        onEvent(.request(request))
        let response = try await next(request)
        onEvent(.response(response.head))
        return response
    }
}
