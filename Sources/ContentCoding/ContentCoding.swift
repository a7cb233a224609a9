/// A coding of `Content-Encoding` that can be removed from a body (RFC 9110 §8.4).
package enum ContentCoding: Sendable {
    case gzip
    case deflate

    /// The codings in the values of the header, in the order in which they were applied.
    package static func named(_ values: [String]) throws(ContentCodingProblem) -> [ContentCoding] {
        var codings: [ContentCoding] = []
        for name in values.flatMap({ $0.split(separator: ",") }) {
            switch String(name.filter { $0 != " " && $0 != "\t" }).lowercased() {
            case "", "identity": break
            case "gzip", "x-gzip": codings.append(.gzip)
            case "deflate": codings.append(.deflate)
            case let name: throw ContentCodingProblem(.unknown(name))
            }
        }
        return codings
    }

    /// The body as it was before it was coded.
    ///
    /// - Parameters:
    ///   - values: The values of the header, in the order in which they were applied.
    ///   - limit: The maximum size of the result and of each step to it: a few bytes can be decompressed to many.
    package static func decode(
        _ bytes: [UInt8], _ values: [String], limit: Int
    ) throws(ContentCodingProblem) -> [UInt8] {
        // No body is no body, whatever the head says.
        if bytes.isEmpty { return [] }
        var result = bytes
        for coding in try named(values).reversed() {
            let decoder = ContentDecoder(coding)
            decoder.append(result)
            decoder.endInput()
            result = []
            while let piece = try decoder.next() {
                result += piece
                if result.count > limit { throw ContentCodingProblem(.tooLarge) }
            }
        }
        return result
    }
}

/// Why a body can't be decoded.
package struct ContentCodingProblem: Error, Equatable {
    package enum Kind: Sendable, Equatable {
        /// A coding that isn't known here, such as `br`.
        case unknown(String)
        case damaged
        case cutOff
        case tooLarge
        /// zlib is missing on this machine.
        case noLibrary
    }

    package let kind: Kind

    init(_ kind: Kind) { self.kind = kind }
}
