public import Foundation
import ReqcliBasics
public import RequestBuilding

/// Responds to Digest challenges (RFC 7616) of one origin with a user name and a password. It supports MD5 and SHA-256, `auth` and
/// `auth-int`. If a server does not offer Digest, the middleware can fall back on Basic (RFC 7617).
///
/// Put this middleware next to the transport, after the redirects, so that it sees each request that is sent:
/// `transport.with(DigestMiddleware(user: …, password: …, origin: url))`. Challenges of other origins are ignored.
public final class DigestMiddleware: Middleware {
    /// The server or the proxy that asks for credentials: the status of its challenge, and the names of the two headers, for the
    /// challenge and for the credentials.
    private struct Asker: Sendable {
        let status: Int
        let challenge: String
        let answer: String

        static let server = Asker(status: 401, challenge: "WWW-Authenticate", answer: "Authorization")
        static let proxy = Asker(status: 407, challenge: "Proxy-Authenticate", answer: "Proxy-Authorization")
    }

    private let asker: Asker
    /// The account for a request; nil if the request gets no credentials.
    private let account: @Sendable (PreparedRequest) -> Account?
    /// Called with the URL of a request before the password is sent as Basic; nil if Basic challenges are not answered.
    private let onBasic: (@Sendable (URL) -> Void)?
    private let makeNonce: @Sendable () -> String
    /// The last challenge that was used, and the number of times that its nonce was used.
    private let session = Mutex<(challenge: DigestChallenge, count: Int)?>(nil)

    /// Credentials for the origin (scheme, host, port) of a URL.
    ///
    /// - Parameters:
    ///   - user: The user's name.
    ///   - password: The password.
    ///   - origin: A URL of the server that gets the credentials.
    ///   - onBasic: Called with a request's URL before the password is sent as Basic. Over `http`, others on the network can read
    ///     such a password. Nil to answer no Basic challenges.
    ///   - makeNonce: Makes the random string of the client.
    public init(
        user: String, password: String, origin: URL, onBasic: (@Sendable (URL) -> Void)? = nil,
        makeNonce: (@Sendable () -> String)? = nil
    ) {
        let origin = WebOrigin(origin)
        asker = .server
        account = { WebOrigin($0.url) == origin ? Account(user: user, password: password) : nil }
        self.onBasic = onBasic
        self.makeNonce = makeNonce ?? Self.randomText
    }

    private init(_ asker: Asker, account: @escaping @Sendable (PreparedRequest) -> Account?) {
        self.asker = asker
        self.account = account
        onBasic = nil
        makeNonce = Self.randomText
    }

    /// A middleware that responds to the challenges of a request's proxy, with the proxy account in the request's settings.
    package static func ofProxy() -> DigestMiddleware {
        DigestMiddleware(.proxy) { $0.transfer.digestAccountOfProxy(for: $0.url) }
    }

    private static let randomText: @Sendable () -> String = {
        [UInt8]((0..<16).map { _ in UInt8.random(in: 0...255) }).hex
    }

    /// Sends the request. After an earlier challenge, the request is sent with credentials at once. After a new challenge, it is
    /// sent again.
    public func send(_ request: PreparedRequest, next: Next) async throws -> Response {
        guard let account = account(request), request.headers[asker.answer] == nil else {
            return try await next(request)
        }
        let known = authorization(for: request, account, challenge: nil)
        let response = try await next(known.map { request.adding(asker.answer, $0) } ?? request)
        guard response.status == asker.status,
            let answer = answer(to: response.headers.values(asker.challenge), request, account, isFirst: known == nil)
        else { return response }
        await response.body.drain(upTo: 64 << 10)
        return try await next(request.adding(asker.answer, answer))
    }

    /// The credentials for the strongest challenge; nil if no challenge can be answered.
    private func answer(
        to challenges: [String], _ request: PreparedRequest, _ account: Account, isFirst: Bool
    ) -> String? {
        if let challenge = DigestChallenge.best(in: challenges) {
            // If the server rejects credentials and repeats their nonce, the credentials are wrong and are not sent again.
            guard isFirst || challenge.isStale || isNew(challenge) else { return nil }
            return authorization(for: request, account, challenge: challenge)
        }
        let schemes = challenges.flatMap(AuthenticationChallenge.all).map { $0.scheme.lowercased() }
        // Basic cannot transmit a user name that contains a colon.
        guard let onBasic, isFirst, schemes.contains("basic"), !account.user.contains(":") else { return nil }
        onBasic(request.url)
        return account.basicAuthorization
    }

    private func isNew(_ challenge: DigestChallenge) -> Bool {
        session.withLock { $0?.challenge.nonce != challenge.nonce }
    }

    private func authorization(
        for request: PreparedRequest, _ account: Account, challenge: DigestChallenge?
    ) -> String? {
        let use = session.withLock { session -> (challenge: DigestChallenge, count: Int)? in
            if let challenge { session = (challenge, 0) }
            session?.count += 1
            return session
        }
        guard let use else { return nil }
        let answer = DigestAnswer(
            challenge: use.challenge, user: account.user, password: account.password, method: request.method.token,
            target: request.url.requestTarget, body: request.bodyBytes, clientNonce: makeNonce(), count: use.count)
        return answer.headerValue
    }
}

extension PreparedRequest {
    fileprivate func adding(_ name: String, _ value: String) -> PreparedRequest {
        var request = self
        request.headers.append(name, value)
        return request
    }

    /// The bytes of the body, if they are in memory; empty without a body.
    fileprivate var bodyBytes: [UInt8]? {
        guard let body else { return [] }
        return body.data.map { Array($0) }
    }
}

extension URL {
    /// The path and query, as sent.
    var requestTarget: String {
        let path = path(percentEncoded: true)
        return (path.isEmpty ? "/" : path) + (query(percentEncoded: true).map { "?\($0)" } ?? "")
    }
}
