import Foundation
public import RequestBuilding

/// Logs each request with its method, URL and headers, and how it ended: with a status or an error, and after which time.
///
/// ```
/// GET https://api.example.com/todos/1
/// Authorization: Bearer ***
/// 200 after 24 ms: GET https://api.example.com/todos/1
/// ```
///
/// Changes by later middlewares are not logged.
public struct LoggingMiddleware: Middleware {
    private let showsCredentials: Bool
    private let elapsed: @Sendable () -> Duration
    private let logger: @Sendable (String) -> Void

    /// Logs through a closure.
    ///
    /// - Parameters:
    ///   - showsCredentials: Whether to log the values of headers and query items that contain credentials.
    ///   - elapsed: The time since any moment. A test can return fixed times.
    ///   - logger: Called twice for each request: with all lines about the request before it is sent, and with one line when the head
    ///     of its response, or an error, has arrived.
    public init(
        showsCredentials: Bool = false, elapsed: (@Sendable () -> Duration)? = nil,
        logger: @escaping @Sendable (String) -> Void
    ) {
        self.showsCredentials = showsCredentials
        let start = ContinuousClock.now
        self.elapsed = elapsed ?? { ContinuousClock.now - start }
        self.logger = logger
    }

    /// Logs the request, passes it to the next step, and logs how it ended.
    public func send(_ request: PreparedRequest, next: Next) async throws -> Response {
        let call = "\(request.method) \(showsCredentials ? request.url.absoluteString : request.maskedURL)"
        var lines = [call]
        for field in request.headers {
            let isHidden = !showsCredentials && request.holdsSecret(inHeader: field.name)
            lines.append("\(field.name): \(isHidden ? field.maskedValue : field.value)")
        }
        logger(lines.joined(separator: "\n"))
        let began = elapsed()
        do {
            let response = try await next(request)
            log("\(response.status)", since: began, call)
            return response
        } catch {
            log("failed", since: began, "\(call): \(words(for: error))")
            throw error
        }
    }

    /// An error's own text may contain a URL, which may contain credentials.
    private func words(for error: any Error) -> String {
        if showsCredentials { return "\(error)" }
        guard let error = error as? TransportError else { return "\(type(of: error))" }
        return TransportError(error.kind, target: error.target).summary
    }

    private func log(_ end: String, since began: Duration, _ call: String) {
        let time = (elapsed() - began) / .milliseconds(1)
        logger("\(end) after \(Int(time.rounded())) ms: \(call)")
    }
}
