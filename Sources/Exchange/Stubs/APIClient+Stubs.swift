public import Foundation

/// Stubbing a client in one step. Each call returns a new client; the old one, and its transport, stay as they were.
///
/// An endpoint is the end of the URL's path, with placeholders and query items as in ``StubPattern``. A later stub for the
/// same endpoint takes the place of an earlier one; several in turn are one call of ``stub(_:for:afterwards:)``.
extension APIClient {
    /// Answers requests for an endpoint with JSON text.
    public func stub(json: String, status: Int = 200, endpoint: String) -> APIClient {
        stub(Stub(json: json, status: status), for: StubPattern(endpoint))
    }

    /// Answers requests for an endpoint with bytes.
    public func stub(data: Data, status: Int = 200, endpoint: String) -> APIClient {
        stub(Stub(data: data, status: status), for: StubPattern(endpoint))
    }

    /// Answers requests for an endpoint with a file's content.
    public func stub(file: URL, status: Int = 200, endpoint: String) -> APIClient {
        stub(Stub(file: file, status: status), for: StubPattern(endpoint))
    }

    /// Answers requests for an endpoint with a failure of the network.
    public func stub(error: TransportError.Kind, endpoint: String) -> APIClient {
        stub(Stub(error: error), for: StubPattern(endpoint))
    }

    /// Answers requests for an endpoint with any failure.
    public func stub(error: any Error, endpoint: String) -> APIClient {
        stub(Stub(error: error), for: StubPattern(endpoint))
    }

    /// Answers requests that fit a pattern with a stub; see ``StubTransport/stub(_:for:)``.
    public func stub(_ stub: Stub, for pattern: StubPattern) -> APIClient {
        with(transport: stubs.stub(stub, for: pattern))
    }

    /// Answers requests that fit a pattern with several stubs in turn; see ``StubTransport/stub(_:for:afterwards:)``.
    public func stub(
        _ stubs: [Stub], for pattern: StubPattern, afterwards: StubTransport.Afterwards = .last
    ) -> APIClient {
        with(transport: self.stubs.stub(stubs, for: pattern, afterwards: afterwards))
    }

    /// Answers all requests for which there is nothing else.
    public func stubRest(_ stub: Stub) -> APIClient {
        with(transport: stubs.stubRest(stub))
    }

    /// Removes the stubs. Requests are still not sent: a test that has lost its stubs must not reach a server.
    public func reset() -> APIClient {
        with(transport: stubs.reset())
    }

    private var stubs: StubTransport {
        transport as? StubTransport ?? StubTransport()
    }
}
