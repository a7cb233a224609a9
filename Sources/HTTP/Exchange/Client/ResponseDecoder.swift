public import Foundation

/// Decodes the bodies of responses, as `JSONDecoder` and `PropertyListDecoder` do.
///
/// ```swift
/// let decoder = JSONDecoder()
/// decoder.keyDecodingStrategy = .convertFromSnakeCase
/// let client = APIClient(baseURL: url, decoder: decoder)
/// ```
public protocol ResponseDecoder: Sendable {
    /// Decodes a body, or throws.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: ResponseDecoder {}
extension PropertyListDecoder: ResponseDecoder {}
