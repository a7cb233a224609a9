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
/// A family of calls with different responses can be an enum without a ``EndpointCall/Value``. The caller then names the type:
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
///
/// A spec is an ``EndpointCall`` that is described by its parts. A call that needs more, such as a timeout of its own, is an
/// ``EndpointCall`` with a request:
///
/// ```swift
/// struct SlowReport: EndpointCall {
///     typealias Value = [Line]
///     var request: RequestBuilder { .get("reports/slow").timeout(.seconds(300)) }
/// }
/// ```
public protocol APISpec<Value>: EndpointCall {
    /// The path below the base path of the client.
    var endpoint: String { get }
    /// Path segments below the endpoint; none by default. A nil segment is left out. A slash inside a segment is encoded, so that
    /// a value cannot add segments.
    var pathSegments: [String?] { get }
    /// Query items; none by default. An item whose value is nil is left out.
    var query: [(name: String, value: String?)] { get }
    /// The method; GET by default.
    var method: HTTPMethod { get }
    /// Headers in addition to those of the client's base; none by default. A header whose value is nil is left out.
    var headers: HeaderFields { get }
    /// A value to send as JSON, or `Data` that already is JSON; none by default.
    var body: (any Encodable)? { get }
    /// Encodes the body; `JSONEncoder.stable` by default.
    var encoder: JSONEncoder { get }
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

    /// An encoder with the same output each time.
    public var encoder: JSONEncoder { .stable }

    /// The request, made from the properties.
    public var request: RequestBuilder {
        var builder = RequestBuilder(path: endpoint)
        for case let segment? in pathSegments { builder = builder.addingPathSegment(segment) }
        builder = builder.addingQuery(query).method(method)
        return (body.map { builder.jsonBody($0, encoder: encoder) } ?? builder).headers(headers)
    }
}
