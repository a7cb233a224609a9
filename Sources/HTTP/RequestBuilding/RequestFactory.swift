public import Foundation

/// Makes builders that start from one base, which is chosen once and not per call.
///
/// ```swift
/// let requests = RequestFactory(environment: .development)
/// let request = try requests.get("/v3/user").makeRequest()
///
/// // A module with a separate server:
/// let billing = requests.overriding { $0.baseURL("https://billing.example.com") }
///
/// // A test:
/// let stubbed = RequestFactory(environment: RequestEnvironment(name: "test", host: "stub.invalid"))
/// ```
public struct RequestFactory: Sendable {
    /// The builder that every other one starts from.
    public let base: RequestBuilder

    /// A factory with any base.
    public init(base: RequestBuilder) {
        self.base = base
    }

    /// A factory for an environment.
    public init(environment: RequestEnvironment) {
        self.init(base: RequestBuilder().environment(environment))
    }

    /// A factory for a base URL.
    public init(baseURL: URL) {
        self.init(base: RequestBuilder().baseURL(baseURL))
    }

    /// A factory for a base URL as text. If it is not a URL, ``RequestBuilder/prepared(baseURL:over:)`` throws an
    /// error.
    public init(baseURL: String) {
        self.init(base: RequestBuilder().baseURL(baseURL))
    }

    /// A factory whose base extends this one's.
    public func overriding(_ change: (RequestBuilder) -> RequestBuilder) -> RequestFactory {
        RequestFactory(base: change(base))
    }

    /// A GET of the base itself.
    public func request() -> RequestBuilder {
        base
    }

    /// A request for a path with a method.
    public func request(_ method: HTTPMethod, _ path: String) -> RequestBuilder {
        base.path(path).method(method)
    }

    /// A GET of a path.
    public func get(_ path: String) -> RequestBuilder {
        base.appending(.get(path))
    }

    /// A POST to a path, with no body yet.
    public func post(_ path: String) -> RequestBuilder {
        base.appending(.post(path))
    }

    /// A GET of a path that asks for JSON.
    public func jsonGet(_ path: String) -> RequestBuilder {
        base.appending(.jsonGet(path))
    }

    /// A POST of a value as JSON that asks for JSON; see ``RequestBuilder/jsonBody(_:encoder:contentType:)``.
    public func jsonPost(
        _ path: String, _ value: (some Encodable)?, encoder: JSONEncoder = .stable
    ) -> RequestBuilder {
        base.appending(.jsonPost(path, value, encoder: encoder))
    }
}
