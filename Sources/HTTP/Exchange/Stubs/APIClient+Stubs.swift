public import Foundation

/// Operators that stub a client. Each one returns a new client and does not change the old one or its transport.
///
/// An endpoint is the end of the URL's path, with placeholders and query items as in ``StubPattern``. A later stub for
/// the same endpoint replaces an earlier one. For several stubs in turn, call ``stub(_:for:afterwards:)``.
extension APIClient {
    /// Responds with JSON text to requests for an endpoint.
    public func stub(json: String, status: Int = 200, endpoint: String) -> APIClient {
        stub(Stub(json: json, status: status), for: StubPattern(endpoint))
    }

    /// Responds with bytes to requests for an endpoint.
    public func stub(data: Data, status: Int = 200, endpoint: String) -> APIClient {
        stub(Stub(data: data, status: status), for: StubPattern(endpoint))
    }

    /// Responds with the content of a file to requests for an endpoint.
    public func stub(file path: String, status: Int = 200, endpoint: String) -> APIClient {
        stub(Stub(file: path, status: status), for: StubPattern(endpoint))
    }

    /// Lets requests for an endpoint fail with a network failure.
    public func stub(error: TransportError.Kind, endpoint: String) -> APIClient {
        stub(Stub(error: error), for: StubPattern(endpoint))
    }

    /// Lets requests for an endpoint fail with any error.
    public func stub(error: any Error, endpoint: String) -> APIClient {
        stub(Stub(error: error), for: StubPattern(endpoint))
    }

    /// Responds with a stub to requests that match a pattern; see ``StubTransport/stub(_:for:)-(_,StubPattern)``.
    public func stub(_ stub: Stub, for pattern: StubPattern) -> APIClient {
        with(transport: stubs.stub(stub, for: pattern))
    }

    /// Responds with several stubs in turn to requests that match a pattern; see ``StubTransport/stub(_:for:afterwards:)``.
    public func stub(
        _ stubs: [Stub], for pattern: StubPattern, afterwards: StubTransport.Afterwards = .last
    ) -> APIClient {
        with(transport: self.stubs.stub(stubs, for: pattern, afterwards: afterwards))
    }

    /// Responds to all requests that have no other stub.
    public func stubRest(_ stub: Stub) -> APIClient {
        with(transport: stubs.stubRest(stub))
    }

    /// Removes the stubs. Every request then fails and none is sent, because a test without its stubs must not reach a server.
    public func reset() -> APIClient {
        with(transport: stubs.reset())
    }

    var stubs: StubTransport {
        transport as? StubTransport ?? StubTransport()
    }
}
