public import Foundation
@_spi(Generated) public import RequestBuilding

/// One call of an endpoint as a value: its params, its request, and the type of its response.
///
/// `reqcli generate swift` writes such types from endpoint files. Example of a type that is written by hand:
///
/// ```swift
/// struct GetTodo: EndpointCall {
///     typealias Value = Todo
///     static let id = "todos.get"
///     var number: Int
///
///     var request: RequestBuilder { .get("todos/\(number)") }
/// }
/// let todo = try await client.value(of: GetTodo(number: 1))
/// ```
///
/// The request has the name ``id``. A stub for the type therefore responds to all calls of the type, whatever their params are:
///
/// ```swift
/// let stubbed = client.stubbing(Stub(json: #"{"id": 1}"#), for: GetTodo.self)
/// ```
///
/// ``APISpec`` is a call that is described by its parts: path, query, headers, and body.
public protocol EndpointCall<Value>: Sendable {
    /// The type that the response is decoded to. By default, the caller names the type.
    associatedtype Value = NamedByCaller

    /// The name of the endpoint, such as `todos.get`. By default, this is the name of the type.
    static var id: String { get }
    /// The request, without the parts that all requests of a client share. The client's base adds those parts.
    var request: RequestBuilder { get }
}

/// Stands for the type of a response where a call leaves it to its caller. A value of this type doesn't exist.
public enum NamedByCaller {}

extension EndpointCall {
    /// The name of the type, with the names of the types that enclose it.
    public static var id: String { String(reflecting: Self.self) }

    /// The request with the name of the endpoint, unless the request sets a name itself.
    var namedRequest: RequestBuilder { RequestBuilder().named(Self.id).appending(request).source(self) }
}

// MARK: - Sending

extension APIClient {
    /// Sends a call's request and returns the response, whatever its status.
    public func send(_ call: some EndpointCall) async throws -> Response {
        try await send(call.namedRequest)
    }

    /// Sends a call's request and decodes the response to the call's type; throws ``RequestFailed`` if the status is
    /// not 2xx.
    public func value<Call: EndpointCall>(of call: Call) async throws -> Call.Value where Call.Value: Decodable {
        try await value(of: call.namedRequest)
    }

    /// A call that does not define its response type needs a type from the caller.
    @available(*, unavailable, message: "name the type: `let todo: Todo = try await client.value(of: call)`")
    public func value<Call: EndpointCall>(of call: Call) async throws -> NamedByCaller
    where Call.Value == NamedByCaller {
        throw CancellationError()
    }

    /// Sends the request of a call that does not define its response type, and decodes the response to a type that the caller
    /// chooses.
    public func value<Call: EndpointCall, Value: Decodable>(of call: Call, as type: Value.Type = Value.self)
        async throws
        -> Value where Call.Value == NamedByCaller
    {
        try await value(of: call.namedRequest)
    }

    /// Sends a call's request and decodes the response; nil if the body is empty and the status is 404 or 2xx. With
    /// `ignoring404Body`, the result is nil for every 404, even if its body explains the error.
    public func valueIfPresent<Call: EndpointCall>(of call: Call, ignoring404Body: Bool = false) async throws
        -> Call.Value? where Call.Value: Decodable
    {
        try await valueIfPresent(of: call.namedRequest, ignoring404Body: ignoring404Body)
    }

    /// A call that does not define its response type needs a type from the caller.
    @available(*, unavailable, message: "name the type: `let todo: Todo? = try await client.valueIfPresent(of: call)`")
    public func valueIfPresent<Call: EndpointCall>(
        of call: Call, ignoring404Body: Bool = false
    ) async throws -> NamedByCaller? where Call.Value == NamedByCaller {
        throw CancellationError()
    }

    /// Sends the request of a call that does not define its response type, and decodes the response to a type that the caller
    /// chooses; nil if the body is empty and the status is 404 or 2xx. With `ignoring404Body`, the result is nil for every 404,
    /// even if its body explains the error.
    public func valueIfPresent<Call: EndpointCall, Value: Decodable>(
        of call: Call, as type: Value.Type = Value.self, ignoring404Body: Bool = false
    ) async throws -> Value? where Call.Value == NamedByCaller {
        try await valueIfPresent(of: call.namedRequest, ignoring404Body: ignoring404Body)
    }

    /// Sends a call's request and returns the bytes of the response; throws ``RequestFailed`` if the status is not 2xx.
    public func data(of call: some EndpointCall) async throws -> Data {
        try await data(of: call.namedRequest)
    }

    /// Sends a call's request and passes the decoded response, or the error, to a callback.
    ///
    /// For callers that are not asynchronous. Cancelling the returned task cancels the request.
    @discardableResult
    public func value<Call: EndpointCall>(
        of call: Call, completion: @escaping @Sendable (Result<Call.Value, any Error>) -> Void
    ) -> Task<Void, Never> where Call.Value: Decodable & Sendable {
        value(of: call.namedRequest, completion: completion)
    }
}
