public import Foundation

/// Operators that stub a client. Each one returns a new client and does not change the old one or its transport.
///
/// An endpoint is the end of the URL's path, with placeholders and query items as in ``StubPattern``. A later stub for
/// the same endpoint replaces an earlier one. For several stubs in turn, call ``stub(_:for:afterwards:)``.
extension APIClient {
    /// Responds to requests for an endpoint with JSON text.
    public func stub(json: String, status: Int = 200, endpoint: String) -> APIClient {
        stub(Stub(json: json, status: status), for: StubPattern(endpoint))
    }

    /// Responds to requests for an endpoint with bytes.
    public func stub(data: Data, status: Int = 200, endpoint: String) -> APIClient {
        stub(Stub(data: data, status: status), for: StubPattern(endpoint))
    }

    /// Responds to requests for an endpoint with the content of a file.
    public func stub(file path: String, status: Int = 200, endpoint: String) -> APIClient {
        stub(Stub(file: path, status: status), for: StubPattern(endpoint))
    }

    /// Responds to requests for an endpoint with a network failure.
    public func stub(error: TransportError.Kind, endpoint: String) -> APIClient {
        stub(Stub(error: error), for: StubPattern(endpoint))
    }

    /// Responds to requests for an endpoint with any error.
    public func stub(error: any Error, endpoint: String) -> APIClient {
        stub(Stub(error: error), for: StubPattern(endpoint))
    }

    /// Responds to requests that match a pattern with a stub; see
    /// ``StubTransport/stub(_:for:)-(_,StubPattern)``.
    public func stub(_ stub: Stub, for pattern: StubPattern) -> APIClient {
        with(transport: stubs.stub(stub, for: pattern))
    }

    /// Responds to matching requests with several stubs in turn; see ``StubTransport/stub(_:for:afterwards:)``.
    public func stub(
        _ stubs: [Stub], for pattern: StubPattern, afterwards: StubTransport.Afterwards = .last
    ) -> APIClient {
        with(transport: self.stubs.stub(stubs, for: pattern, afterwards: afterwards))
    }

    /// Responds to all requests that have no other stub.
    public func stubRest(_ stub: Stub) -> APIClient {
        with(transport: stubs.stubRest(stub))
    }

    /// Removes the stubs. Requests are still not sent, because a test without its stubs must not reach a server.
    public func reset() -> APIClient {
        with(transport: stubs.reset())
    }

    var stubs: StubTransport {
        transport as? StubTransport ?? StubTransport()
    }
}
