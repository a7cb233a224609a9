public import Foundation
public import RequestBuilding

/// One call of an API as a value: where, how, with what, and what comes back.
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

    /// The path below the client's base.
    var endpoint: String { get }
    /// Segments below the endpoint, none unless said otherwise. A nil one is left out; no value can leave its segment.
    var pathSegments: [String?] { get }
    /// Query items, none unless said otherwise. One whose value is nil is left out.
    var query: [(name: String, value: String?)] { get }
    /// The method; GET unless said otherwise.
    var method: HTTPMethod { get }
    /// Headers beside those of the client's base; none unless said otherwise.
    var headers: HeaderFields { get }
    /// A value to send as JSON, or `Data` that is JSON already; none unless said otherwise.
    var body: (any Encodable)? { get }
    /// The call as a builder, made from the above unless said otherwise.
    ///
    /// Write your own for what has no place above, such as a timeout:
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
    /// Sends what a spec describes; a response with any status is a response.
    public func send(_ spec: some APISpec) async throws -> Response {
        try await send(spec.builder)
    }

    /// Sends what a spec describes and decodes the response to the spec's type; a status other than 2xx is
    /// ``RequestFailed``.
    public func value<Spec: APISpec>(of spec: Spec) async throws -> Spec.Value {
        try await value(of: spec.builder)
    }

    /// Sends what a spec without a type of its own describes and decodes the response.
    public func value<Spec: APISpec, Value: Decodable>(of spec: Spec, as type: Value.Type = Value.self) async throws
        -> Value where Spec.Value == Never
    {
        try await value(of: spec.builder)
    }

    /// Sends what a spec describes and decodes the response; nil where the thing doesn't exist: 404 or a success, both with
    /// an empty body.
    public func valueIfPresent<Spec: APISpec>(of spec: Spec) async throws -> Spec.Value? {
        try await valueIfPresent(of: spec.builder)
    }

    /// Sends what a spec without a type of its own describes and decodes the response; nil where the thing doesn't exist.
    public func valueIfPresent<Spec: APISpec, Value: Decodable>(of spec: Spec, as type: Value.Type = Value.self)
        async throws -> Value? where Spec.Value == Never
    {
        try await valueIfPresent(of: spec.builder)
    }

    /// Sends what a spec describes and gives the bytes of the response; a status other than 2xx is ``RequestFailed``.
    public func data(of spec: some APISpec) async throws -> Data {
        try await data(of: spec.builder)
    }

    /// Sends what a spec describes and hands the decoded response, or the error, to a callback.
    ///
    /// For callers that are not asynchronous. Cancelling the task that comes back ends the request.
    @discardableResult
    public func value<Spec: APISpec>(
        of spec: Spec, completion: @escaping @Sendable (Result<Spec.Value, any Error>) -> Void
    ) -> Task<Void, Never> where Spec.Value: Sendable {
        value(of: spec.builder, completion: completion)
    }
}
