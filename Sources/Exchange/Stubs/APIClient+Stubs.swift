public import Foundation
import RequestBuilding

/// Stubbing a client in one step. Each call returns a new client; the old one, and its transport, stay as they were.
extension APIClient {
    /// Answers requests whose URL ends with `endpoint` with JSON text.
    public func stub(json: String, code: Int = 200, endpoint: String) -> APIClient {
        stub(Stub(json: json, status: code), endpoint: endpoint)
    }

    /// Answers them with bytes.
    public func stub(data: Data, code: Int = 200, endpoint: String) -> APIClient {
        stub(Stub(data: data, status: code), endpoint: endpoint)
    }

    /// Answers them with a file's content.
    public func stub(file: URL, code: Int = 200, endpoint: String) -> APIClient {
        stub(Stub(file: file, status: code), endpoint: endpoint)
    }

    /// Answers them with a failure.
    public func stub(error: TransportError.Kind, endpoint: String) -> APIClient {
        stub(Stub(error: error), endpoint: endpoint)
    }

    /// Answers them with any stub.
    public func stub(_ stub: Stub, endpoint: String) -> APIClient {
        with(transport: stubs.stub(stub, for: endpoint))
    }

    /// Answers all requests for which there is nothing else.
    public func stubRest(_ stub: Stub) -> APIClient {
        with(transport: stubs.stubRest(stub))
    }

    /// Forgets the stubs; requests are still not sent, since a test that has lost its stubs must not reach a server.
    public func reset() -> APIClient {
        with(transport: stubs.reset())
    }

    private var stubs: StubTransport {
        transport as? StubTransport ?? StubTransport()
    }
}
