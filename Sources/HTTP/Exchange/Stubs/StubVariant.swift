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
///     let model = TodoModel(client: client.stubbing(variant))
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
