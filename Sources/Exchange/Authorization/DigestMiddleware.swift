public import Foundation
public import RequestBuilding
import Synchronization

/// Responds to Digest challenges (RFC 7616) of one origin with a user name and a password. It supports MD5 and SHA-256,
/// `auth` and `auth-int`.
///
/// Put it next to the transport, after the redirects, so that it sees each request that is sent:
/// `transport.with(DigestMiddleware(user: …, password: …, origin: url))`. Challenges of other origins are ignored.
public final class DigestMiddleware: Middleware {
    private let user: String
    private let password: String
    private let origin: WebOrigin
    private let makeNonce: @Sendable () -> String
    /// The last challenge that was used, and the number of uses of its nonce.
    private let session = Mutex<(challenge: DigestChallenge, count: Int)?>(nil)

    /// Credentials for the origin (scheme, host, port) of a URL.
    ///
    /// - Parameters:
    ///   - user: The user's name.
    ///   - password: The password.
    ///   - origin: A URL of the server that gets the credentials.
    ///   - makeNonce: Makes the client's random text.
    public init(
        user: String, password: String, origin: URL,
        makeNonce: (@Sendable () -> String)? = nil
    ) {
        self.user = user
        self.password = password
        self.origin = WebOrigin(origin)
        self.makeNonce = makeNonce ?? { [UInt8]((0..<16).map { _ in UInt8.random(in: 0...255) }).hex }
    }

    /// Sends the request, with credentials if there was a challenge before, and again after a new challenge.
    public func send(_ request: PreparedRequest, next: Next) async throws -> Response {
        guard WebOrigin(request.url) == origin, request.headers["Authorization"] == nil else {
            return try await next(request)
        }
        let known = authorization(for: request, challenge: nil)
        let response = try await next(known.map(request.authorized) ?? request)
        guard response.status == 401,
            let challenge = DigestChallenge.best(in: response.headers.values("WWW-Authenticate")),
            // Credentials that were rejected with a new nonce are not sent again.
            known == nil || challenge.isStale || isNew(challenge),
            let answer = authorization(for: request, challenge: challenge)
        else { return response }
        await response.body.drain(upTo: 64 << 10)
        return try await next(request.authorized(answer))
    }

    private func isNew(_ challenge: DigestChallenge) -> Bool {
        session.withLock { $0?.challenge.nonce != challenge.nonce }
    }

    private func authorization(for request: PreparedRequest, challenge: DigestChallenge?) -> String? {
        let use = session.withLock { session -> (challenge: DigestChallenge, count: Int)? in
            if let challenge { session = (challenge, 0) }
            session?.count += 1
            return session
        }
        guard let use else { return nil }
        let answer = DigestAnswer(
            challenge: use.challenge, user: user, password: password, method: request.method.token,
            target: request.url.requestTarget, body: request.bodyBytes, clientNonce: makeNonce(), count: use.count)
        return answer.headerValue
    }
}

extension PreparedRequest {
    fileprivate func authorized(_ value: String) -> PreparedRequest {
        var request = self
        request.headers.append("Authorization", value)
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
