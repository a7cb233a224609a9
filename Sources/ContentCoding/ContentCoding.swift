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

    // MARK: gzip (RFC 1952)

    private static func gzip(_ bytes: [UInt8], limit: Int) throws(ContentCodingProblem) -> [UInt8] {
        var result: [UInt8] = []
        var position = 0
        // Several files in a row are one body.
        repeat {
            let start = try endOfGzipHead(bytes, from: position)
            let part = try Inflation.inflate(bytes, from: start, limit: limit - result.count)
            guard let checksum = bytes.littleEndian(at: part.end), let size = bytes.littleEndian(at: part.end + 4)
            else { throw ContentCodingProblem(.cutOff) }
            guard checksum == CRC32.checksum(part.bytes), size == UInt32(truncatingIfNeeded: part.bytes.count) else {
                throw ContentCodingProblem(.damaged)
            }
            result += part.bytes
            position = part.end + 8
        } while position < bytes.count
        return result
    }

    private static func endOfGzipHead(_ bytes: [UInt8], from start: Int) throws(ContentCodingProblem) -> Int {
        guard start + 10 <= bytes.count else { throw ContentCodingProblem(.cutOff) }
        let flags = bytes[start + 3]
        guard bytes[start..<start + 3].elementsEqual([0x1F, 0x8B, 8]), flags & 0xE0 == 0 else {
            throw ContentCodingProblem(.damaged)
        }
        var position = start + 10
        if flags & 4 != 0 {
            guard position + 2 <= bytes.count else { throw ContentCodingProblem(.cutOff) }
            position += 2 + Int(bytes[position]) + Int(bytes[position + 1]) << 8
        }
        // A name and a comment, each ended by a zero.
        for flag in [8, 16] as [UInt8] where flags & flag != 0 {
            guard position <= bytes.count, let zero = bytes[position...].firstIndex(of: 0) else {
                throw ContentCodingProblem(.cutOff)
            }
            position = zero + 1
        }
        if flags & 2 != 0 { position += 2 }
        guard position <= bytes.count else { throw ContentCodingProblem(.cutOff) }
        return position
    }

    // MARK: deflate (RFC 1950)

    private static func deflate(_ bytes: [UInt8], limit: Int) throws(ContentCodingProblem) -> [UInt8] {
        let hasHead =
            bytes.count >= 2 && bytes[0] & 15 == 8 && (Int(bytes[0]) << 8 + Int(bytes[1])).isMultiple(of: 31)
            && bytes[1] & 0x20 == 0
        // Some servers leave the head out, and everybody lets them.
        let part = try Inflation.inflate(bytes, from: hasHead ? 2 : 0, limit: limit)
        guard hasHead else {
            guard part.end == bytes.count else { throw ContentCodingProblem(.damaged) }
            return part.bytes
        }
        guard let sum = bytes.littleEndian(at: part.end)?.byteSwapped else { throw ContentCodingProblem(.cutOff) }
        guard sum == Adler32.checksum(part.bytes), part.end + 4 == bytes.count else {
            throw ContentCodingProblem(.damaged)
        }
        return part.bytes
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
    }

    package let kind: Kind

    init(_ kind: Kind) { self.kind = kind }
}

extension [UInt8] {
    fileprivate func littleEndian(at offset: Int) -> UInt32? {
        guard offset + 4 <= count else { return nil }
        return (0..<4).reduce(0) { $0 | UInt32(self[offset + $1]) << (8 * UInt32($1)) }
    }
}
