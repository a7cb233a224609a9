public import RequestBuilding

/// One call of an API as a value: where, how, with what.
///
/// ```swift
/// enum TodoAPI: APISpec {
///     case list, one(Int), create(NewTodo)
///
///     var endpoint: String {
///         switch self {
///         case .list, .create: "todos"
///         case .one(let id): "todos/\(id)"
///         }
///     }
///     var method: HTTPMethod { if case .create = self { .post } else { .get } }
/// }
/// let todos: [Todo] = try await client.value(of: TodoAPI.list)
/// ```
///
/// For more than these four, such as query items, send a `RequestBuilder`.
public protocol APISpec {
    /// The path below the client's base.
    var endpoint: String { get }
    /// The method; GET unless said otherwise.
    var method: HTTPMethod { get }
    /// Headers beside those of the client's base; none unless said otherwise.
    var headers: HeaderFields { get }
    /// A value to send as JSON; none unless said otherwise.
    var body: (any Encodable)? { get }
}

extension APISpec {
    /// GET
    public var method: HTTPMethod { .get }
    /// No headers.
    public var headers: HeaderFields { [:] }
    /// No body.
    public var body: (any Encodable)? { nil }

    /// The call as a builder.
    public var builder: RequestBuilder {
        let builder = RequestBuilder(path: endpoint).method(method)
        return (body.map { builder.jsonBody($0) } ?? builder).headers(headers)
    }
}
