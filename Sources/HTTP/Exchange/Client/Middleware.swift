public import RequestBuilding

/// A step between the caller and the transport. It may change the request or the response, or send the request again.
///
/// Middlewares run in the order of their list, so that a later middleware sees the changes of an earlier one. Example of a test
/// double that counts requests and passes them to the next step:
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
    /// The next step: a middleware, or finally the transport.
    typealias Next = @Sendable (PreparedRequest) async throws -> Response

    /// Passes the request to `next`, once or several times, and returns a response.
    func send(_ request: PreparedRequest, next: Next) async throws -> Response
}

/// A transport with middlewares before it.
package struct MiddlewareTransport: Transport {
    private let middlewares: [any Middleware]
    private let transport: any Transport

    /// A transport that sends requests through the middlewares in order, and then to the other transport.
    package init(_ middlewares: [any Middleware], before transport: any Transport) {
        self.middlewares = middlewares
        self.transport = transport
    }

    /// A transport that signs requests after the middlewares of the other transport have changed them.
    init(signingBefore transport: any Transport) {
        guard let other = transport as? MiddlewareTransport else {
            self.init([SigningMiddleware()], before: transport)
            return
        }
        let signs = other.middlewares.contains { $0 is SigningMiddleware }
        self.init(
            other.middlewares, before: signs ? other.transport : MiddlewareTransport(signingBefore: other.transport))
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
    /// This transport with middlewares before it, in order.
    public func with(_ middlewares: any Middleware...) -> some Transport {
        MiddlewareTransport(middlewares, before: self)
    }
}
