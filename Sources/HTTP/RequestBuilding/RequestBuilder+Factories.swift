public import Foundation

/// Builders for the most common requests. Each takes a path below the base path; see ``path(_:)``.
extension RequestBuilder {
    /// A GET request for a path.
    public static func get(_ path: String) -> RequestBuilder {
        RequestBuilder(path: path).method(.get)
    }

    /// A POST request for a path, with no body yet.
    public static func post(_ path: String) -> RequestBuilder {
        RequestBuilder(path: path).method(.post)
    }

    /// A GET request for a path, with an `Accept` header that asks for JSON.
    public static func jsonGet(_ path: String) -> RequestBuilder {
        get(path).header("Accept", "application/json")
    }

    /// A POST request with a value as JSON, and with an `Accept` header that asks for JSON; see
    /// ``jsonBody(_:encoder:contentType:)``.
    public static func jsonPost(
        _ path: String, _ value: (some Encodable)?, encoder: JSONEncoder = .stable
    ) -> RequestBuilder {
        post(path).header("Accept", "application/json").jsonBody(value, encoder: encoder)
    }

    /// A POST request with a dictionary as JSON, and with an `Accept` header that asks for JSON; see ``jsonBody(_:)``.
    public static func jsonPost(_ path: String, _ object: [String: Any]) -> RequestBuilder {
        post(path).header("Accept", "application/json").jsonBody(object)
    }
}
