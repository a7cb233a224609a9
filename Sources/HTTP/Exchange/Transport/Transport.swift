public import RequestBuilding

/// Something that responds to requests: the network, or stubs.
///
/// One call is one request on the wire: a transport follows no redirects, retries nothing and adds no credentials. A
/// ``Middleware`` around the transport does these things, so that a stub goes through the same code as the network. Write your
/// own transport to get responses in another way, such as from a recording:
///
/// ```swift
/// struct Echo: Transport {
///     func send(_ request: PreparedRequest) async throws -> Response {
///         Response(status: 200, headers: ["Content-Type": "text/plain"], body: Data("\(request)".utf8))
///     }
/// }
/// ```
public protocol Transport: Sendable {
    /// Sends the request and returns as soon as the head of the response has arrived. The body is read from the response.
    ///
    /// Throws ``TransportError`` if there is no response. A response with an error status is returned like any other.
    func send(_ request: PreparedRequest) async throws -> Response
}
