import CZlib

/// Takes the codings that a `Content-Encoding` names off a body again: gzip and deflate (RFC 9110, 8.4).
package enum ContentCoding {
    /// The body as it was before it was coded.
    ///
    /// - Parameters:
    ///   - codings: The values of the header, in the order in which they were applied.
    ///   - limit: How many bytes the result, and each step to it, may have: little can be packed to become much.
    package static func decode(
        _ bytes: [UInt8], _ codings: [String], limit: Int
    ) throws(ContentCodingProblem) -> [UInt8] {
        let names = codings.flatMap { $0.split(separator: ",") }.map { name in
            String(name.filter { $0 != " " && $0 != "\t" }).lowercased()
        }
        // No body is no body, whatever the head says.
        if bytes.isEmpty { return [] }
        var result = bytes
        for name in names.reversed() where !name.isEmpty && name != "identity" {
            switch name {
            case "gzip", "x-gzip": result = try gzip(result, limit: limit)
            case "deflate": result = try deflate(result, limit: limit)
            default: throw ContentCodingProblem(.unknown(name))
            }
        }
        return result
    }

    /// Several gzip files in a row are one body.
    private static func gzip(_ bytes: [UInt8], limit: Int) throws(ContentCodingProblem) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes[...]
        repeat { rest = try inflate(rest, cz_gzip, into: &result, limit: limit) } while !rest.isEmpty
        return result
    }

    /// Some servers leave the head of zlib's format out, and clients accept that.
    private static func deflate(_ bytes: [UInt8], limit: Int) throws(ContentCodingProblem) -> [UInt8] {
        let hasHead =
            bytes.count >= 2 && bytes[0] & 15 == 8 && (Int(bytes[0]) << 8 + Int(bytes[1])).isMultiple(of: 31)
            && bytes[1] & 0x20 == 0
        var result: [UInt8] = []
        let rest = try inflate(bytes[...], hasHead ? cz_zlib : cz_raw, into: &result, limit: limit)
        guard rest.isEmpty else { throw ContentCodingProblem(.damaged) }
        return result
    }

    /// Appends what one compressed file holds; what stands behind it.
    private static func inflate(
        _ bytes: ArraySlice<UInt8>, _ format: cz_format, into result: inout [UInt8], limit: Int
    ) throws(ContentCodingProblem) -> ArraySlice<UInt8> {
        guard let inflater = cz_open(format) else { throw ContentCodingProblem(.noLibrary) }
        defer { cz_close(inflater) }
        var rest = bytes
        while true {
            let available = rest.count
            let (progress, written) = step(inflater, &rest, &result)
            if progress == cz_damaged { throw ContentCodingProblem(.damaged) }
            if result.count > limit { throw ContentCodingProblem(.tooLarge) }
            if progress == cz_end { return rest }
            if written == 0, rest.count == available { throw ContentCodingProblem(.cutOff) }
        }
    }

    /// Decompresses the next bytes, at most 64 KiB.
    private static func step(
        _ inflater: OpaquePointer, _ input: inout ArraySlice<UInt8>, _ result: inout [UInt8]
    ) -> (cz_progress, written: Int) {
        let room = 64 << 10
        var progress = cz_more
        let chunk = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            let used = input.withUnsafeBufferPointer { bytes in
                var (next, available) = (bytes.baseAddress, bytes.count)
                var (output, free) = (buffer.baseAddress, room)
                progress = cz_inflate(inflater, &next, &available, &output, &free)
                count = room - free
                return bytes.count - available
            }
            input = input.dropFirst(used)
        }
        result += chunk
        return (progress, chunk.count)
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
