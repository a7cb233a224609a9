import Foundation
public import RequestBuilding

/// Adds credentials to each request. The method never changes. The URL changes only if the credentials are a query item.
///
/// If a request already has a header that the credentials would set, such as `Authorization`, its value is kept.
///
/// A closure gives credentials that change, such as a token that expires:
///
/// ```swift
/// AuthorizationMiddleware { .bearer(try await session.token()) }
/// ```
public struct AuthorizationMiddleware: Middleware {
    /// The kind of credentials, without any secret.
    private let summary: String
    private let credentials: @Sendable () async throws -> Credentials

    /// The credentials to add.
    public enum Credentials: Hashable, Sendable {
        /// The header `Authorization: Bearer TOKEN`.
        case bearer(String)
        /// The header `Authorization: Basic …`.
        case basic(user: String, password: String)
        /// A header with any name.
        case header(name: String, value: String)
        /// A query item.
        case query(name: String, value: String)
    }

    /// Adds these ``Credentials``.
    public init(_ credentials: Credentials) {
        summary = credentials.description
        self.credentials = { credentials }
    }

    /// Adds the ``Credentials`` that a closure returns. The closure is called for each request; its error ends the request.
    public init(_ credentials: @escaping @Sendable () async throws -> Credentials) {
        summary = "credentials of a closure"
        self.credentials = credentials
    }

    /// Adds `Authorization: Bearer TOKEN`.
    public init(token: String) {
        self.init(.bearer(token))
    }

    /// Adds the credentials and passes the request to the next step.
    public func send(_ request: PreparedRequest, next: Next) async throws -> Response {
        var request = request
        switch try await credentials() {
        case .bearer(let token): request.setIfAbsent("Authorization", "Bearer \(token)")
        case .basic(let user, let password):
            request.setIfAbsent("Authorization", Account(user: user, password: password).basicAuthorization)
        case .header(let name, let value):
            request.setIfAbsent(name, value)
            request.secretHeaders.append(name)
        case .query(let name, let value):
            request.url = request.url.addingQueryItem(name, value)
            request.secretQueryItems.append(name)
        }
        return try await next(request)
    }
}

extension AuthorizationMiddleware: DescribedAlone {
    /// The name of the middleware and the kind of credentials, without any secret.
    public var description: String { "AuthorizationMiddleware(\(summary))" }
}

extension AuthorizationMiddleware.Credentials: DescribedAlone {
    /// The kind of credentials, without any secret.
    public var description: String {
        switch self {
        case .bearer: "bearer token"
        case .basic(let user, _): "basic \(user)"
        case .header(let name, _): "header \(name)"
        case .query(let name, _): "query \(name)"
        }
    }
}

extension PreparedRequest {
    fileprivate mutating func setIfAbsent(_ name: String, _ value: String) {
        if headers[name] == nil { headers.append(name, value) }
    }
}

extension URL {
    /// The URL with one more query item. The rest of the URL keeps its encoding.
    fileprivate func addingQueryItem(_ name: String, _ value: String) -> URL {
        guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
        let allowed = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        let pair = [name, value].map { $0.addingPercentEncoding(withAllowedCharacters: allowed) ?? $0 }
        let query = components.percentEncodedQuery.map { $0.isEmpty ? "" : "\($0)&" } ?? ""
        components.percentEncodedQuery = "\(query)\(pair[0])=\(pair[1])"
        return components.url ?? self
    }
}
