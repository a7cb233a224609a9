import Foundation
public import RequestBuilding

/// Logs the method, URL and headers of each request once. Changes by later middlewares are not logged.
public struct LoggingMiddleware: Middleware {
    private let showsCredentials: Bool
    private let logger: @Sendable (String) -> Void

    /// Logs through a closure.
    ///
    /// - Parameters:
    ///   - showsCredentials: Whether to log the values of headers and query items that contain credentials.
    ///   - logger: Called once for each request, with all lines about the request.
    public init(showsCredentials: Bool = false, logger: @escaping @Sendable (String) -> Void) {
        self.showsCredentials = showsCredentials
        self.logger = logger
    }

    /// Logs the request and passes it to the next step.
    public func send(_ request: PreparedRequest, next: Next) async throws -> Response {
        var lines = ["\(request.method) \(showsCredentials ? request.url.absoluteString : request.maskedURL)"]
        for field in request.headers {
            let isHidden = !showsCredentials && request.holdsSecret(inHeader: field.name)
            lines.append("\(field.name): \(isHidden ? field.maskedValue : field.value)")
        }
        logger(lines.joined(separator: "\n"))
        return try await next(request)
    }
}
