import Foundation
public import RequestBuilding

extension Middleware {
    /// Tries this middleware alone, with stubs in place of the next step.
    ///
    /// ```swift
    /// let trial = try await AuthorizationMiddleware(token: "t").trial(of: .get("todos"))
    /// #expect(trial.requests.first?.headers["Authorization"] == "Bearer t")
    /// ```
    ///
    /// - Parameters:
    ///   - builder: The request. Without a server of its own, it is for `http://stub.invalid`.
    ///   - stubs: The responses in turn. After the last, it is repeated.
    /// - Returns: The requests that the middleware passed on, and its response.
    public func trial(
        of builder: RequestBuilder, respondingWith stubs: Stub...
    ) async throws -> (requests: [PreparedRequest], response: Response) {
        let transport = StubTransport().stubbing(stubs.isEmpty ? [Stub()] : stubs, for: .any)
        let request = try RequestBuilder().baseURL("http://stub.invalid").appending(builder).prepared()
        let response = try await transport.with(self).send(request)
        return (transport.requests, response)
    }
}
