/// A client or a transport whose requests can get prepared responses in place of a server's.
///
/// Each operator returns a copy and does not change the original. A later stub for the same requests replaces an earlier one.
///
/// ```swift
/// let fixture = client.stubbing(Stub(json: #"{"id": 1}"#), for: "todos/{id}")
///     .stubbing([Stub(status: 503), Stub(json: "[]")], for: "todos")
/// let offline = fixture.stubbing(Stub(error: .dns), for: "todos")  // takes the place of the two responses
/// ```
public protocol Stubbable: Sendable {
    /// The stubs. A client without stubs has an empty transport here.
    var stubs: StubTransport { get }
    /// A copy that responds from these stubs alone.
    func with(stubs: StubTransport) -> Self
}

extension Stubbable {
    /// Responds with a stub to requests that match a pattern.
    public func stubbing(_ stub: Stub, for pattern: StubPattern) -> Self {
        stubbing([stub], for: pattern)
    }

    /// Responds with several stubs in turn to requests that match a pattern.
    public func stubbing(
        _ stubs: [Stub], for pattern: StubPattern, afterwards: StubTransport.Afterwards = .last
    ) -> Self {
        with(stubs: self.stubs.adding(stubs, for: pattern, afterwards: afterwards))
    }

    /// Responds with a stub to all calls of an endpoint, whatever their params are.
    public func stubbing(_ stub: Stub, for call: (some EndpointCall).Type) -> Self {
        stubbing(stub, for: .named(call.id))
    }

    /// Responds with a variant to all calls of its endpoint, whatever their params are.
    public func stubbing<Variant: StubVariant>(_ variant: Variant) -> Self {
        stubbing(variant.namedStubs, for: .named(Variant.Call.id), afterwards: variant.afterwards)
    }

    /// Responds to the calls of many endpoints, each with the given variant, unless a call itself selects another variant. No
    /// request is sent to a server: a request without a stub throws ``StubMissing``.
    ///
    /// ```swift
    /// let offline = client.stubbingAll([GetTodo.Variant.standard])  // or APIVariants.standard of generated code
    /// let missing = offline.stubbing(GetTodo.Variant.missing)
    /// ```
    public func stubbingAll(_ variants: [any StubVariant]) -> Self {
        with(stubs: variants.reduce(stubs) { $0.deciding($1) })
    }

    /// Responds to all requests that have no other stub.
    public func stubbingRest(_ stub: Stub) -> Self {
        stubbing(stub, for: .any)
    }

    /// Removes the stubs. Every request then fails and none is sent, because a test without its stubs must not reach a server.
    public func removingStubs() -> Self {
        with(stubs: stubs.withoutStubs)
    }
}

extension APIClient: Stubbable {
    /// The stubs of the client's transport.
    public var stubs: StubTransport { transport as? StubTransport ?? StubTransport() }
    /// This client with stubs as its transport.
    public func with(stubs: StubTransport) -> APIClient { with(transport: stubs) }
}

extension StubTransport: Stubbable {
    /// This transport.
    public var stubs: StubTransport { self }
    /// The other transport.
    public func with(stubs: StubTransport) -> StubTransport { stubs }
}
