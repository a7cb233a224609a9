import CZlib

/// Removes a coding from a body that arrives in chunks. It decompresses at most 64 KiB at a time, when they are asked for, so that a
/// small chunk that decompresses to gigabytes takes no memory.
package final class ContentDecoder {
    private let coding: ContentCoding
    /// The bytes that are not decompressed yet.
    private var input: ArraySlice<UInt8> = []
    private var isInputComplete = false
    /// Nil before the first byte, and between two gzip files in a row, which are one body.
    private var inflater: OpaquePointer?
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
            if inflater == nil {
                // The format of deflate is known from two bytes.
                if input.isEmpty || coding == .deflate && input.count < 2 && !isInputComplete { return nil }
                if hasEnded, coding == .deflate { throw ContentCodingProblem(.damaged) }
                try open()
            }
            let available = input.count
            let (progress, piece) = inflate()
            if progress == cz_damaged { throw ContentCodingProblem(.damaged) }
            if progress == cz_end {
                close()
                hasEnded = true
            }
            if !piece.isEmpty { return piece }
            if progress == cz_more, input.count == available {
                if isInputComplete { throw ContentCodingProblem(.cutOff) }
                return nil
            }
        }
    }

    private func open() throws(ContentCodingProblem) {
        inflater = cz_open(coding == .gzip ? cz_gzip : hasZlibHead ? cz_zlib : cz_raw)
        if inflater == nil { throw ContentCodingProblem(.noLibrary) }
    }

    /// Some servers leave the head of zlib's format out, and clients accept that.
    private var hasZlibHead: Bool {
        guard let first = input.first, let second = input.dropFirst().first else { return false }
        return first & 15 == 8 && (Int(first) << 8 + Int(second)).isMultiple(of: 31) && second & 0x20 == 0
    }

    private func close() {
        if let inflater { cz_close(inflater) }
        inflater = nil
    }

    /// Decompresses as much as there is input, up to the size of a piece.
    private func inflate() -> (cz_progress, [UInt8]) {
        var progress = cz_more
        let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
            let used = input.withUnsafeBufferPointer { bytes in
                var (next, available) = (bytes.baseAddress, bytes.count)
                var (output, free) = (buffer.baseAddress, Self.pieceSize)
                progress = cz_inflate(inflater, &next, &available, &output, &free)
                count = Self.pieceSize - free
                return bytes.count - available
            }
            input = input.dropFirst(used)
        }
        return (progress, piece)
    }
}
