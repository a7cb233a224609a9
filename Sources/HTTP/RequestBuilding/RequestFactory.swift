public import Foundation

/// Makes builders that start from one base. The base is chosen once, not for each call.
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
    /// The builder that all other builders of the factory start from.
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

    /// A factory whose base extends the base of this factory.
    public func overriding(_ change: (RequestBuilder) -> RequestBuilder) -> RequestFactory {
        RequestFactory(base: change(base))
    }

    /// The base itself, which is a GET request by default.
    public func request() -> RequestBuilder {
        base
    }

    /// A request with this method for a path.
    public func request(_ method: HTTPMethod, _ path: String) -> RequestBuilder {
        base.path(path).method(method)
    }

    /// A GET request for a path.
    public func get(_ path: String) -> RequestBuilder {
        base.appending(.get(path))
    }

    /// A POST request for a path, with no body yet.
    public func post(_ path: String) -> RequestBuilder {
        base.appending(.post(path))
    }

    /// A GET request for a path, with an `Accept` header that asks for JSON.
    public func jsonGet(_ path: String) -> RequestBuilder {
        base.appending(.jsonGet(path))
    }

    /// A POST request with a value as JSON, and with an `Accept` header that asks for JSON; see
    /// ``RequestBuilder/jsonBody(_:encoder:contentType:)``.
    public func jsonPost(
        _ path: String, _ value: (some Encodable)?, encoder: JSONEncoder = .stable
    ) -> RequestBuilder {
        base.appending(.jsonPost(path, value, encoder: encoder))
    }
}
