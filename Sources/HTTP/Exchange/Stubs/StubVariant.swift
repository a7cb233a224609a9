public import RequestBuilding

/// The responses that an endpoint can give without a server, by name.
///
/// `reqcli generate swift` writes such types from the stub variants of the files. A type that is written by hand:
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
    /// The response after the last of several ones; the last one again by default.
    var afterwards: StubTransport.Afterwards { get }
    /// The variant that a call itself selects, used if no variant was chosen by name; nil by default.
    static func variant(for call: Call, sentAs request: PreparedRequest) -> Self?
}

extension StubVariant {
    /// The last response again.
    public var afterwards: StubTransport.Afterwards { .last }
    /// No variant: the call does not select one.
    public static func variant(for call: Call, sentAs request: PreparedRequest) -> Self? { nil }

    /// The responses with the variant's name in the messages of failures.
    var namedStubs: [Stub] { stubs.map { $0.name == nil ? $0.named(rawValue) : $0 } }
}

extension StubTransport {
    /// Responds to all calls of an endpoint with a variant, whatever their params are.
    public func stub<Variant: StubVariant>(_ call: Variant.Call.Type, _ variant: Variant) -> StubTransport {
        stub(variant.namedStubs, for: .named(call.id), afterwards: variant.afterwards)
    }

    /// Responds to all calls of an endpoint with a stub, whatever their params are.
    public func stub(_ stub: Stub, for call: (some EndpointCall).Type) -> StubTransport {
        self.stub(stub, for: .named(call.id))
    }

    /// Responds to the calls of many endpoints, each with its variant, unless the call selects another one.
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
    /// Responds to all calls of an endpoint with a variant, whatever their params are.
    public func stub<Variant: StubVariant>(_ call: Variant.Call.Type, _ variant: Variant) -> APIClient {
        with(transport: stubs.stub(call, variant))
    }

    /// Responds to all calls of an endpoint with a stub, whatever their params are.
    public func stub(_ stub: Stub, for call: (some EndpointCall).Type) -> APIClient {
        with(transport: stubs.stub(stub, for: call))
    }

    /// Responds to the calls of many endpoints, each with its variant, unless the call selects another one. No request is sent: a
    /// request without a stub throws ``StubMissing``.
    ///
    /// ```swift
    /// let offline = client.stubbingAll(.standard)  // generated code has a list of all endpoints' variants
    /// let missing = offline.stub(GetTodo.self, GetTodo.Variant.missing)
    /// ```
    public func stubbingAll(_ variants: [any StubVariant]) -> APIClient {
        with(transport: stubs.stubbingAll(variants))
    }
}
