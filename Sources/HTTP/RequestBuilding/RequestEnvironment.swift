public import ReqcliNetworking

/// The defaults for requests, such as their host. They are chosen once, as the base of all requests.
///
/// ```swift
/// extension RequestEnvironment {
///     static let test = RequestEnvironment(name: "test", scheme: "http", host: "stub.invalid")
/// }
/// let base = RequestBuilder().environment(.test)
/// let request = try base.appending(.get("/v3/user")).makeRequest()
/// ```
public struct RequestEnvironment: Hashable, Sendable {
    /// The name, shown as the origin of the environment's values.
    public var name: String
    /// http or https.
    public var scheme: String
    /// A name or an address.
    public var host: String
    /// The port; nil means the scheme's default.
    public var port: Int?
    /// The folder that relative paths start from.
    public var basePath: String
    /// Headers that every request has unless it sets or removes them. A Content-Type is sent only with a body.
    public var headers: HeaderFields
    /// The cache policy.
    public var cachePolicy: URLRequest.CachePolicy
    /// The limit for a whole exchange.
    public var timeout: Duration

    /// An environment. Only its name and its host are required.
    public init(
        name: String, scheme: String = "https", host: String, port: Int? = nil, basePath: String = "",
        headers: HeaderFields = [:], cachePolicy: URLRequest.CachePolicy = .useProtocolCachePolicy,
        timeout: Duration = .seconds(60)
    ) {
        self.name = name
        self.scheme = scheme
        self.host = host
        self.port = port
        self.basePath = basePath
        self.headers = headers
        self.cachePolicy = cachePolicy
        self.timeout = timeout
    }

    /// A server on this machine: http, localhost:8080, with a timeout long enough for debugging.
    public static let development = RequestEnvironment(
        name: "development", scheme: "http", host: "localhost", port: 8080, headers: json(for: "development"),
        cachePolicy: .reloadIgnoringLocalCacheData, timeout: .seconds(120))

    /// A shared server before production; copy it and set your host.
    public static let staging = RequestEnvironment(
        name: "staging", host: "staging.example.com", headers: json(for: "staging"),
        cachePolicy: .reloadIgnoringLocalCacheData)

    /// The real server; copy it and set your host.
    public static let production = RequestEnvironment(
        name: "production", host: "api.example.com", headers: json(for: "production"), timeout: .seconds(30))

    private static func json(for name: String) -> HeaderFields {
        ["Content-Type": "application/json", "Accept": "application/json", "X-Environment": name]
    }
}

extension RequestBuilder {
    /// The environment that was applied last; nil if there is none. Other operators may have changed its values since.
    public var environment: RequestEnvironment? {
        for step in operators.reversed() {
            if case .environment(let environment) = step.step { return environment }
        }
        return nil
    }

    /// Applies an environment's values, each with the environment as its origin.
    public func environment(_ environment: RequestEnvironment) -> RequestBuilder {
        withOrigin(Origin(layer: "environment \(environment.name)")) { builder in
            builder.appending(
                "environment", .other("environment"), value: environment.name, .environment(environment)
            )
            .scheme(environment.scheme)
            .host(environment.host)
            .port(environment.port)
            .basePath(environment.basePath)
            .sharedHeaders(environment.headers)
            .cachePolicy(environment.cachePolicy)
            .timeout(environment.timeout)
        }
    }
}
