public import Foundation
import ReqcliBasics

/// Random values and times that are the same each time, for tests.
extension RequestBuilder {
    /// Makes the random values of generated requests the same for each request with the same seed, as `--seed` of reqcli does.
    ///
    /// ```swift
    /// let client = APIClient(base: BackendEnvironment.development.seed("7").time(Date(timeIntervalSince1970: 0)))
    /// ```
    ///
    /// Each value is a hash of the seed, the name of the request, the environment, and the place of the placeholder. A client
    /// names the request of an `EndpointCall` after its endpoint; a request that is prepared without a client needs
    /// ``named(_:)``. The params of the call don't change a value.
    public func seed(_ seed: String) -> RequestBuilder { value("$seed", .string(seed)) }

    /// Sets the time in placeholders of generated requests, as `--at` of reqcli does. It changes no other clock.
    public func time(_ time: Date) -> RequestBuilder { value("$time", .string("\(time.timeIntervalSince1970)")) }
}

extension RequestValues {
    /// A random UUID in lowercase letters.
    ///
    /// - Parameter placeholder: The placeholder's file, and its path in this file.
    @_spi(Generated) public func uuid(at placeholder: String) -> String {
        seededBytes(placeholder: placeholder)?.asUUID ?? UUID().uuidString.lowercased()
    }

    /// A random number from 0 to 999,999,999.
    ///
    /// - Parameter placeholder: The placeholder's file, and its path in this file.
    @_spi(Generated) public func randomInt(at placeholder: String) -> JSONLiteral {
        .number(seededBytes(placeholder: placeholder)?.asRandomInt ?? Int.random(in: 0...999_999_999))
    }

    /// The time when the request was made, in seconds since 1970. All parts of the request get the same time.
    @_spi(Generated) public var timestamp: JSONLiteral { .number(Int(time.rounded(.down))) }

    /// The time when the request was made, in ISO 8601. All parts of the request get the same time.
    @_spi(Generated) public var isoTimestamp: String { Timestamp.iso8601(time) }

    /// The bytes for a placeholder, if there is a seed.
    package func seededBytes(placeholder: String) -> [UInt8]? {
        own("$seed").map { seed in
            SeededBytes.of(
                seed: seed, endpoint: requestName ?? "", environment: environment ?? "", placeholder: placeholder)
        }
    }
}
