import RequestBuilding

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Tells a logger the method, URL and headers of each request, once, as they are at its place among the middlewares.
public struct LoggingMiddleware: Middleware {
    private let showsCredentials: Bool
    private let logger: @Sendable (String) -> Void

    /// Logs through a closure.
    ///
    /// - Parameters:
    ///   - showsCredentials: True to log the values of headers that carry credentials; else their scheme stays alone.
    ///   - logger: Called once for each request, with all of its lines.
    public init(showsCredentials: Bool = false, logger: @escaping @Sendable (String) -> Void) {
        self.showsCredentials = showsCredentials
        self.logger = logger
    }

    /// Logs the request and sends it on.
    public func send(_ request: URLRequest, next: Next) async throws -> Response {
        let secret =
            ["authorization", "proxy-authorization", "cookie"]
            + (request[option: CredentialHeaders.self] ?? []).map { $0.lowercased() }
        var lines = ["\(request.httpMethod ?? "GET") \(request.url?.absoluteString ?? "")"]
        for field in request.headerFields {
            let isHidden = !showsCredentials && secret.contains(field.name.lowercased())
            lines.append("\(field.name): \(isHidden ? Self.hidden(field) : field.value)")
        }
        logger(lines.joined(separator: "\n"))
        return try await next(request)
    }

    private static func hidden(_ field: HeaderFields.Field) -> String {
        let words = field.value.split(separator: " ", maxSplits: 1)
        return field.name.lowercased().hasSuffix("authorization") && words.count == 2 ? "\(words[0]) ***" : "***"
    }
}
