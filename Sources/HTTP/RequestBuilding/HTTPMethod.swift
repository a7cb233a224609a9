import Foundation

/// A request method: a token, compared by its exact spelling.
///
/// The eight standard methods are constants. Any other token can be a method, except CONNECT, which asks a proxy for a tunnel and
/// has no meaning for a request to a server.
///
/// ```swift
/// builder.method(.patch)
/// builder.method(try HTTPMethod("PURGE"))
/// ```
public struct HTTPMethod: Hashable, Sendable, CustomStringConvertible {
    /// The token as it is sent.
    public let token: String

    /// Makes a method from a token. Throws an error if the token can't be sent as a method.
    public init(_ token: String) throws(RequestBuildingError) {
        if let reason = Self.problem(with: token) {
            throw RequestBuildingError(.invalidMethod, operator: "method", subject: .method, reason: reason)
        }
        self.token = token
    }

    private init(standard token: String) {
        self.token = token
    }

    /// GET
    public static let get = HTTPMethod(standard: "GET")
    /// HEAD
    public static let head = HTTPMethod(standard: "HEAD")
    /// POST
    public static let post = HTTPMethod(standard: "POST")
    /// PUT
    public static let put = HTTPMethod(standard: "PUT")
    /// PATCH
    public static let patch = HTTPMethod(standard: "PATCH")
    /// DELETE
    public static let delete = HTTPMethod(standard: "DELETE")
    /// OPTIONS
    public static let options = HTTPMethod(standard: "OPTIONS")
    /// TRACE
    public static let trace = HTTPMethod(standard: "TRACE")

    /// The standard methods in their usual order.
    package static let standard: [HTTPMethod] = [.get, .head, .post, .put, .patch, .delete, .options, .trace]

    /// Whether a request with this method only reads (RFC 9110, section 9.2.1). Methods that are not standard count as unsafe.
    package static func isSafe(_ token: String) -> Bool { ["GET", "HEAD", "OPTIONS", "TRACE"].contains(token) }

    /// The token.
    public var description: String { token }
}

extension HTTPMethod {
    private static func problem(with token: String) -> String? {
        if token.isEmpty { return "a method can't be empty" }
        if let bad = token.unicodeScalars.first(where: { !HTTPSyntax.isTokenScalar($0) }) {
            return "\(quoted(token)) is not a method: it contains \(HTTPSyntax.name(of: bad)); "
                + "a method is letters, digits and !#$%&'*+-.^_`|~"
        }
        let upper = token.uppercased()
        if upper == "CONNECT" { return "CONNECT asks a proxy for a tunnel and can't be sent as a request" }
        // URLRequest would silently turn "get" into "GET". A method whose spelling would change when it is sent is rejected.
        if token != upper, standard.contains(where: { $0.token == upper }) {
            return "methods are case-sensitive: write \(upper), not \(token)"
        }
        return nil
    }
}
