public import Foundation
import RequestBuilding

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

extension JSONDecoder {
    /// A decoder like this one that reads a date in RFC 3339 as well as the number that Foundation expects. This decoder itself, if
    /// the app has chosen how it reads dates.
    var readingDates: JSONDecoder {
        guard case .deferredToDate = dateDecodingStrategy else { return self }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = keyDecodingStrategy
        decoder.dataDecodingStrategy = dataDecodingStrategy
        decoder.nonConformingFloatDecodingStrategy = nonConformingFloatDecodingStrategy
        decoder.userInfo = userInfo
        decoder.allowsJSON5 = allowsJSON5
        decoder.assumesTopLevelDictionary = assumesTopLevelDictionary
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let text = try? container.decode(String.self) else {
                return Date(timeIntervalSinceReferenceDate: try container.decode(Double.self))
            }
            guard let seconds = Timestamp.seconds(rfc3339: text) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "expected a date such as 2026-03-01T12:30:00Z; found \"\(text)\"")
            }
            return Date(timeIntervalSince1970: seconds)
        }
        return decoder
    }
}
extension PropertyListDecoder: ResponseDecoder {}
