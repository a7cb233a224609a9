import CReqcliDecoders

/// A coding of `Content-Encoding` that can be removed from a body (RFC 9110 §8.4).
package enum ContentCoding: String, CaseIterable, Sendable {
    // In the order in which curl asks for the codings.
    case deflate
    case gzip
    case brotli = "br"
    case zstd

    /// The codings whose libraries are installed.
    package static let installed = allCases.filter { cd_has($0.anyFormat) }

    /// Whether a body may consist of several compressed files, one after the other.
    var isRepeatable: Bool { self == .gzip || self == .zstd }

    /// The library that decodes this coding.
    var library: String {
        switch self {
        case .gzip, .deflate: "libz.so.1"
        case .brotli: "libbrotlidec.so.1"
        case .zstd: "libzstd.so.1"
        }
    }

    private var anyFormat: cd_format {
        switch self {
        case .gzip, .deflate: cd_gzip
        case .brotli: cd_brotli
        case .zstd: cd_zstd
        }
    }

    /// The codings in the values of `Content-Encoding`, in the order in which they were applied.
    package static func named(_ values: [String]) throws(ContentCodingProblem) -> [ContentCoding] {
        var codings: [ContentCoding] = []
        for name in values.flatMap({ $0.split(separator: ",") }) {
            let name = String(name.filter { $0 != " " && $0 != "\t" }).lowercased()
            if name.isEmpty || name == "identity" { continue }
            guard let coding = name == "x-gzip" ? .gzip : ContentCoding(rawValue: name) else {
                throw ContentCodingProblem(.unknown(name))
            }
            codings.append(coding)
        }
        return codings
    }

    /// Decodes a body.
    ///
    /// - Parameters:
    ///   - values: The values of `Content-Encoding`, in the order in which the codings were applied.
    ///   - limit: The maximum size of the result, and of the bytes after each decoding step. A few bytes can decompress to very
    ///     many.
    package static func decode(
        _ bytes: [UInt8], _ values: [String], limit: Int
    ) throws(ContentCodingProblem) -> [UInt8] {
        // An empty body stays empty, whatever the head says.
        if bytes.isEmpty { return [] }
        var result = bytes
        for coding in try named(values).reversed() {
            let decoder = ContentDecoder(coding)
            decoder.append(result)
            decoder.endInput()
            result = []
            while let piece = try decoder.next() {
                let count = result.count + piece.count
                if count > limit { throw ContentCodingProblem(.tooLarge) }
                // Without this reservation, the array would double its capacity when it grows, even beyond the limit.
                if count > result.capacity { result.reserveCapacity(min(limit, 2 * count)) }
                result += piece
            }
        }
        return result
    }
}

/// The error for a body that can't be decoded.
package struct ContentCodingProblem: Error, Equatable {
    package enum Kind: Sendable, Equatable {
        /// A coding that isn't supported, such as `compress`.
        case unknown(String)
        case damaged
        case cutOff
        case tooLarge
        /// The library for the coding is not installed.
        case noLibrary(String)
    }

    package let kind: Kind

    init(_ kind: Kind) { self.kind = kind }
}
