public import RequestBuilding

/// Something that answers requests: the network, or stubs.
///
/// One call is one request on the wire: a transport follows no redirect, retries nothing and adds no credentials. What
/// does is a ``Middleware`` round it, so that a stub goes through the same code as the network. An own transport is
/// for another way to a response, such as a recording:
///
/// ```swift
/// struct Echo: Transport {
///     func send(_ request: PreparedRequest) async throws -> Response {
///         Response(status: 200, headers: ["Content-Type": "text/plain"], body: Data("\(request)".utf8))
///     }
/// }
/// ```
public protocol Transport: Sendable {
    /// Sends the request and returns as soon as the head of the response is there; the body is read from the response.
    ///
    /// Throws ``TransportError`` where there is no response. A response with an error status is a response.
    func send(_ request: PreparedRequest) async throws -> Response
}
