import CReqcliDecoders

/// A coding of `Content-Encoding` that can be removed from a body (RFC 9110 §8.4).
package enum ContentCoding: String, CaseIterable, Sendable {
    // In the order in which curl asks for them.
    case deflate
    case gzip
    case brotli = "br"
    case zstd

    /// The codings whose libraries are installed.
    package static let installed = allCases.filter { cd_has($0.anyFormat) }

    /// Whether a body may be several compressed files in a row.
    var isRepeatable: Bool { self == .gzip || self == .zstd }

    /// The library that decodes it.
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

    /// The codings in the values of the header, in the order in which they were applied.
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

    /// The body as it was before it was coded.
    ///
    /// - Parameters:
    ///   - values: The values of the header, in the order in which they were applied.
    ///   - limit: The maximum size of the result and of each step to it: a few bytes can be decompressed to many.
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
                // An array that grows by itself doubles its capacity, even beyond the limit.
                if count > result.capacity { result.reserveCapacity(min(limit, 2 * count)) }
                result += piece
            }
        }
        return result
    }
}

/// Why a body can't be decoded.
package struct ContentCodingProblem: Error, Equatable {
    package enum Kind: Sendable, Equatable {
        /// A coding that isn't known here, such as `compress`.
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
