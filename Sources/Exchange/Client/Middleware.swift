public import RequestBuilding

/// A step between the caller and the transport: it may change the request, the response, or ask again.
///
/// Middlewares run in the order of their list, so that a later one sees what an earlier one has changed. A test double
/// that counts and passes through:
///
/// ```swift
/// final class Spy: Middleware {
///     let count = Mutex(0)
///     func send(_ request: PreparedRequest, next: Next) async throws -> Response {
///         count.withLock { $0 += 1 }
///         return try await next(request)
///     }
/// }
/// ```
public protocol Middleware: Sendable {
    /// The next step: a middleware, or at last the transport.
    typealias Next = @Sendable (PreparedRequest) async throws -> Response

    /// Sends the request on with `next`, as often as it takes, and gives a response.
    func send(_ request: PreparedRequest, next: Next) async throws -> Response
}

/// A transport with middlewares before it.
public struct MiddlewareTransport: Transport {
    private let middlewares: [any Middleware]
    private let transport: any Transport

    /// Requests go through the middlewares in order and then to the transport.
    public init(_ middlewares: [any Middleware], before transport: any Transport) {
        self.middlewares = middlewares
        self.transport = transport
    }

    /// Sends a request; see ``Transport/send(_:)``.
    public func send(_ request: PreparedRequest) async throws -> Response {
        try await send(request, through: middlewares[...])
    }

    private func send(_ request: PreparedRequest, through rest: ArraySlice<any Middleware>) async throws -> Response {
        guard let first = rest.first else { return try await transport.send(request) }
        return try await first.send(request) { try await send($0, through: rest.dropFirst()) }
    }
}

extension Transport {
    /// This transport with middlewares before it, the first one outermost.
    public func with(_ middlewares: any Middleware...) -> MiddlewareTransport {
        MiddlewareTransport(middlewares, before: self)
    }
}
