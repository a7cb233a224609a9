public import Foundation
public import RequestBuilding

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
///     var request: RequestBuilder { RequestBuilder().path(filling: "todos/\(number)") }
/// }
/// let todo = try await client.value(of: GetTodo(number: 1))
/// ```
///
/// The request has the name ``id``. A stub for the type therefore responds to all calls of the type, whatever their params are:
///
/// ```swift
/// let stubbed = client.stub(Stub(json: #"{"id": 1}"#), for: GetTodo.self)
/// ```
///
/// ``APISpec`` is a call that is described by its parts: path, query, headers, and body.
public protocol EndpointCall<Value>: Sendable {
    /// The type that the response is decoded to. With `Never`, the default, the caller chooses the type.
    associatedtype Value: Decodable = Never

    /// The name of the endpoint, such as `todos.get`. By default, this is the name of the type.
    static var id: String { get }
    /// The request, without the parts that all requests of a client share. The client's base adds those parts.
    var request: RequestBuilder { get }
}

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
    public func value<Call: EndpointCall>(of call: Call) async throws -> Call.Value {
        try await value(of: call.namedRequest)
    }

    /// Sends the request of a call that does not define its response type, and decodes the response to a type that the caller
    /// chooses.
    public func value<Call: EndpointCall, Value: Decodable>(of call: Call, as type: Value.Type = Value.self)
        async throws
        -> Value where Call.Value == Never
    {
        try await value(of: call.namedRequest)
    }

    /// Sends a call's request and decodes the response; nil if the body is empty and the status is 404 or 2xx. With
    /// `ignoring404Body`, the result is nil for every 404, even if its body explains the error.
    public func valueIfPresent<Call: EndpointCall>(of call: Call, ignoring404Body: Bool = false) async throws
        -> Call.Value?
    {
        try await valueIfPresent(of: call.namedRequest, ignoring404Body: ignoring404Body)
    }

    /// Sends the request of a call that does not define its response type, and decodes the response to a type that the caller
    /// chooses; nil if the body is empty and the status is 404 or 2xx. With `ignoring404Body`, the result is nil for every 404,
    /// even if its body explains the error.
    public func valueIfPresent<Call: EndpointCall, Value: Decodable>(
        of call: Call, as type: Value.Type = Value.self, ignoring404Body: Bool = false
    ) async throws -> Value? where Call.Value == Never {
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
    ) -> Task<Void, Never> where Call.Value: Sendable {
        value(of: call.namedRequest, completion: completion)
    }
}
