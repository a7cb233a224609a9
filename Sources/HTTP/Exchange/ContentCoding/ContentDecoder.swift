import CReqcliDecoders

/// Removes a coding from a body that arrives in chunks. It decompresses at most 64 KiB at a time, and only on request. A small
/// chunk that decompresses to gigabytes therefore does not fill the memory.
package final class ContentDecoder {
    private let coding: ContentCoding
    /// The bytes that are not decompressed yet.
    private var input: ArraySlice<UInt8> = []
    private var isInputComplete = false
    /// The decoder of the current compressed file; nil before the first byte, and between two files.
    private var decoder: OpaquePointer?
    private var hasEnded = false

    private static let pieceSize = 64 << 10

    package init(_ coding: ContentCoding) { self.coding = coding }

    deinit { close() }

    /// Takes the next bytes of the coded body.
    package func append(_ bytes: some Sequence<UInt8>) { input += bytes }

    /// Notes that no more bytes follow.
    package func endInput() { isInputComplete = true }

    /// The next bytes of the decoded body, never empty; nil if more input is needed, or at the end.
    package func next() throws(ContentCodingProblem) -> [UInt8]? {
        while true {
            if decoder == nil {
                if input.isEmpty { return nil }
                // Only some formats allow a body of several files, one after the other.
                if hasEnded, !coding.isRepeatable { throw ContentCodingProblem(.damaged) }
                guard let format else { return nil }
                decoder = cd_open(format)
                if decoder == nil { throw ContentCodingProblem(.noLibrary(coding.library)) }
            }
            let available = input.count
            let (progress, piece) = decode()
            if progress == cd_damaged { throw ContentCodingProblem(.damaged) }
            if progress == cd_end {
                close()
                hasEnded = true
            }
            if !piece.isEmpty { return piece }
            if progress == cd_more, input.count == available {
                if isInputComplete { throw ContentCodingProblem(.cutOff) }
                return nil
            }
        }
    }

    /// The format of the input; nil if that is not known yet.
    private var format: cd_format? {
        switch coding {
        case .gzip: return cd_gzip
        case .brotli: return cd_brotli
        case .zstd: return cd_zstd
        case .deflate:
            if input.count < 2, !isInputComplete { return nil }
            return hasZlibHead ? cd_zlib : cd_raw
        }
    }

    /// Whether the input begins with the header of zlib's format. Some servers leave this header out, and clients accept such
    /// bodies.
    private var hasZlibHead: Bool {
        guard let first = input.first, let second = input.dropFirst().first else { return false }
        return first & 15 == 8 && (Int(first) << 8 + Int(second)).isMultiple(of: 31) && second & 0x20 == 0
    }

    private func close() {
        if let decoder { cd_close(decoder) }
        decoder = nil
    }

    /// Decompresses until the input ends or one piece is full.
    private func decode() -> (cd_progress, [UInt8]) {
        var progress = cd_more
        let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
            let used = input.withUnsafeBufferPointer { bytes in
                var (next, available) = (bytes.baseAddress, bytes.count)
                var (output, free) = (buffer.baseAddress, Self.pieceSize)
                progress = cd_decode(decoder, &next, &available, &output, &free)
                count = Self.pieceSize - free
                return bytes.count - available
            }
            input = input.dropFirst(used)
        }
        return (progress, piece)
    }
}
