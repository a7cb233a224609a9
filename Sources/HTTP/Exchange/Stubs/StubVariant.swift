public import RequestBuilding

/// Named responses of an endpoint, to use without a server.
///
/// `reqcli generate swift` writes such types from the stub variants in endpoint files. Example of a type that is written by hand:
///
/// ```swift
/// extension GetTodo {
///     enum Variant: String, StubVariant {
///         case standard, missing
///
///         typealias Call = GetTodo
///         var stubs: [Stub] {
///             switch self {
///             case .standard: [Stub(json: #"{"id": 1, "title": "Buy milk"}"#)]
///             case .missing: [Stub(status: 404)]
///             }
///         }
///     }
/// }
///
/// @Test(arguments: GetTodo.Variant.allCases)
/// func shows(_ variant: GetTodo.Variant) async throws {
///     let model = TodoModel(client: client.stub(GetTodo.self, variant))
///     …
/// }
/// ```
public protocol StubVariant: CaseIterable, RawRepresentable<String>, Sendable {
    /// The call that the variants respond to.
    associatedtype Call: EndpointCall

    /// The responses in turn, one for each request.
    var stubs: [Stub] { get }
    /// The response after the last of `stubs`. By default, the last response is repeated.
    var afterwards: StubTransport.Afterwards { get }
    /// The variant that a call itself selects; nil, the default, if it selects none. If a variant was chosen by name, that variant
    /// is used instead.
    static func variant(for call: Call, sentAs request: PreparedRequest) -> Self?
}

extension StubVariant {
    /// Repeats the last response.
    public var afterwards: StubTransport.Afterwards { .last }
    /// No variant: the call does not select one.
    public static func variant(for call: Call, sentAs request: PreparedRequest) -> Self? { nil }

    /// The responses. A response without a name gets the name of the variant, for the messages of failures.
    var namedStubs: [Stub] { stubs.map { $0.name == nil ? $0.named(rawValue) : $0 } }
}

extension StubTransport {
    /// Responds with a variant to all calls of an endpoint, whatever their params are.
    public func stub<Variant: StubVariant>(_ call: Variant.Call.Type, _ variant: Variant) -> StubTransport {
        stub(variant.namedStubs, for: .named(call.id), afterwards: variant.afterwards)
    }

    /// Responds with a stub to all calls of an endpoint, whatever their params are.
    public func stub(_ stub: Stub, for call: (some EndpointCall).Type) -> StubTransport {
        self.stub(stub, for: .named(call.id))
    }

    /// Responds to the calls of many endpoints, each with the given variant, unless a call itself selects another variant.
    public func stubbingAll(_ variants: [any StubVariant]) -> StubTransport {
        variants.reduce(self) { $0.stubDeciding($1) }
    }

    private func stubDeciding<Variant: StubVariant>(_ variant: Variant) -> StubTransport {
        stub(Variant.Call.self, variant).deciding(.named(Variant.Call.id)) { request in
            guard let call = request.source?.value as? Variant.Call,
                let chosen = Variant.variant(for: call, sentAs: request)
            else { return nil }
            return (chosen.rawValue, chosen.namedStubs, chosen.afterwards)
        }
    }
}

extension APIClient {
    /// Responds with a variant to all calls of an endpoint, whatever their params are.
    public func stub<Variant: StubVariant>(_ call: Variant.Call.Type, _ variant: Variant) -> APIClient {
        with(transport: stubs.stub(call, variant))
    }

    /// Responds with a stub to all calls of an endpoint, whatever their params are.
    public func stub(_ stub: Stub, for call: (some EndpointCall).Type) -> APIClient {
        with(transport: stubs.stub(stub, for: call))
    }

    /// Responds to the calls of many endpoints, each with the given variant, unless a call itself selects another variant. No
    /// request is sent to a server: a request without a stub throws ``StubMissing``.
    ///
    /// ```swift
    /// let offline = client.stubbingAll(.standard)  // generated code has a list of all endpoints' variants
    /// let missing = offline.stub(GetTodo.self, GetTodo.Variant.missing)
    /// ```
    public func stubbingAll(_ variants: [any StubVariant]) -> APIClient {
        with(transport: stubs.stubbingAll(variants))
    }
}
