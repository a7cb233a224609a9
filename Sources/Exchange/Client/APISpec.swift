public import Foundation
public import RequestBuilding

/// One call of an API as a value: its path, method, content and response type.
///
/// ```swift
/// struct Feed: APISpec {
///     typealias Value = [Post]
///     let userID: Int
///     var isAscending: Bool?
///
///     var endpoint: String { "users" }
///     var pathSegments: [String?] { [String(userID), "feed"] }
///     var query: [(name: String, value: String?)] { [("ascending", isAscending.map { "\($0)" })] }
/// }
/// let posts = try await client.value(of: Feed(userID: 1))
/// ```
///
/// A family of calls with different responses is an enum without a ``Value``; the caller then names the type:
///
/// ```swift
/// enum TodoAPI: APISpec {
///     case list, one(Int), create(NewTodo)
///
///     var endpoint: String { "todos" }
///     var pathSegments: [String?] { if case .one(let id) = self { [String(id)] } else { [] } }
///     var method: HTTPMethod { if case .create = self { .post } else { .get } }
///     var body: (any Encodable)? { if case .create(let todo) = self { todo } else { nil } }
/// }
/// let todos: [Todo] = try await client.value(of: TodoAPI.list)
/// ```
public protocol APISpec<Value>: Sendable {
    /// The type that the response decodes to. `Never`, the default, leaves it to the caller.
    associatedtype Value: Decodable = Never

    /// The path below the path of the client's base, or one with a leading slash, which drops that.
    var endpoint: String { get }
    /// Path segments below the endpoint; none by default. A nil segment is left out, and no value leaves its segment.
    var pathSegments: [String?] { get }
    /// Query items; none by default. An item whose value is nil is left out.
    var query: [(name: String, value: String?)] { get }
    /// The method; GET by default.
    var method: HTTPMethod { get }
    /// Headers in addition to those of the client's base; none by default.
    var headers: HeaderFields { get }
    /// A value to send as JSON, or `Data` that already is JSON; none by default.
    var body: (any Encodable)? { get }
    /// The call as a builder. By default it is made from the properties above.
    ///
    /// Define your own builder for everything else, such as a timeout:
    ///
    /// ```swift
    /// var builder: RequestBuilder { RequestBuilder.get("reports/slow").timeout(.seconds(300)) }
    /// ```
    var builder: RequestBuilder { get }
}

extension APISpec {
    /// No segments.
    public var pathSegments: [String?] { [] }
    /// No query.
    public var query: [(name: String, value: String?)] { [] }
    /// GET
    public var method: HTTPMethod { .get }
    /// No headers.
    public var headers: HeaderFields { [:] }
    /// No body.
    public var body: (any Encodable)? { nil }

    /// The call as a builder.
    public var builder: RequestBuilder {
        var builder = RequestBuilder(path: endpoint)
        for case let segment? in pathSegments { builder = builder.addingPathSegment(segment) }
        for item in query { builder = builder.addingQueryItem(item.name, item.value) }
        builder = builder.method(method)
        return (body.map { builder.jsonBody($0) } ?? builder).headers(headers)
    }
}

// MARK: - Sending

extension APIClient {
    /// Sends a spec's request and returns the response, whatever its status.
    public func send(_ spec: some APISpec) async throws -> Response {
        try await send(spec.builder)
    }

    /// Sends a spec's request and decodes the response to the spec's type; throws ``RequestFailed`` if the status is
    /// not 2xx.
    public func value<Spec: APISpec>(of spec: Spec) async throws -> Spec.Value {
        try await value(of: spec.builder)
    }

    /// Sends the request of a spec without its own type and decodes the response.
    public func value<Spec: APISpec, Value: Decodable>(of spec: Spec, as type: Value.Type = Value.self) async throws
        -> Value where Spec.Value == Never
    {
        try await value(of: spec.builder)
    }

    /// Sends a spec's request and decodes the response; nil if the resource does not exist: 404 or a success, both with
    /// an empty body. With `ignoring404Body` a 404 is nil whatever its body, such as an explanation in JSON.
    public func valueIfPresent<Spec: APISpec>(of spec: Spec, ignoring404Body: Bool = false) async throws
        -> Spec.Value?
    {
        try await valueIfPresent(of: spec.builder, ignoring404Body: ignoring404Body)
    }

    /// Sends the request of a spec without its own type and decodes the response; nil if the resource does not exist.
    /// With `ignoring404Body` a 404 is nil whatever its body, such as an explanation in JSON.
    public func valueIfPresent<Spec: APISpec, Value: Decodable>(
        of spec: Spec, as type: Value.Type = Value.self, ignoring404Body: Bool = false
    ) async throws -> Value? where Spec.Value == Never {
        try await valueIfPresent(of: spec.builder, ignoring404Body: ignoring404Body)
    }

    /// Sends a spec's request and returns the bytes of the response; throws ``RequestFailed`` if the status is not 2xx.
    public func data(of spec: some APISpec) async throws -> Data {
        try await data(of: spec.builder)
    }

    /// Sends a spec's request and passes the decoded response, or the error, to a callback.
    ///
    /// For callers that are not asynchronous. Cancelling the returned task cancels the request.
    @discardableResult
    public func value<Spec: APISpec>(
        of spec: Spec, completion: @escaping @Sendable (Result<Spec.Value, any Error>) -> Void
    ) -> Task<Void, Never> where Spec.Value: Sendable {
        value(of: spec.builder, completion: completion)
    }
}
