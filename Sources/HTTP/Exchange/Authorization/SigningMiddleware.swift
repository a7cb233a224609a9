import Foundation
package import RequestBuilding

/// Signs each request that has a signer. It is the last middleware that changes requests, so that each attempt is signed as it is
/// sent.
///
/// If a server of AWS says that it rejects a request because its own clock shows another time, the request is signed once more, with
/// the server's time.
package struct SigningMiddleware: Middleware {
    /// The difference between the clocks from which a rejection is blamed on it, in seconds. AWS allows 5 minutes.
    private static let skew = 240.0
    /// Words with which services say so, in the header `x-amzn-ErrorType` or in the body.
    private static let complaints = [
        "RequestTimeTooSkewed", "RequestExpired", "RequestInTheFuture", "Signature expired",
        "Signature not yet current",
    ]

    private let now: @Sendable () -> Double
    private let onSigned: @Sendable (SignedRequest) -> Void

    /// - Parameters:
    ///   - now: The current time in seconds since 1970.
    ///   - onSigned: Called for each signed request before it is sent.
    package init(
        now: @escaping @Sendable () -> Double = { Date().timeIntervalSince1970 },
        onSigned: @escaping @Sendable (SignedRequest) -> Void = { _ in }
    ) {
        self.now = now
        self.onSigned = onSigned
    }

    package func send(_ request: PreparedRequest, next: Next) async throws -> Response {
        guard let signer = request.signer else { return try await next(request) }
        let time = now()
        var response = try await next(try signed(request, signer, time))
        guard signer.aws != nil, [400, 403].contains(response.status),
            let date = response.headers["Date"].flatMap(HTTPDate.date)?.timeIntervalSince1970,
            abs(date - now()) > Self.skew
        else { return response }
        let read = try await response.body.beginning(upTo: 64 << 10)
        response.body = read.body
        let reason = (response.headers["x-amzn-ErrorType"] ?? "") + String(decoding: read.bytes, as: UTF8.self)
        guard Self.complaints.contains(where: reason.contains) else { return response }
        await response.body.drain(upTo: 64 << 10)
        return try await next(try signed(request, signer, date))
    }

    private func signed(_ request: PreparedRequest, _ signer: RequestSigner, _ time: Double) throws -> PreparedRequest {
        do {
            let signed = try signer.signed(request, at: time)
            onSigned(signed)
            return signed.request
        } catch let failure as RequestBuildingError {
            throw TransportError(.invalidRequest, target: request.url.host ?? "", detail: failure.reason)
        }
    }
}
