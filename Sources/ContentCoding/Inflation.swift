/// Reads deflate's format (RFC 1951).
struct Inflation {
    /// What a stream holds, and where in the input the next thing begins.
    static func inflate(
        _ input: [UInt8], from start: Int, limit: Int
    ) throws(ContentCodingProblem) -> (bytes: [UInt8], end: Int) {
        var inflation = Inflation(reader: BitReader(input, from: start), limit: limit)
        repeat {} while try !inflation.isLastBlock()
        return (inflation.output, inflation.reader.nextByte)
    }

    private var reader: BitReader
    private let limit: Int
    private var output: [UInt8] = []

    private init(reader: BitReader, limit: Int) {
        self.reader = reader
        self.limit = limit
    }

    private mutating func isLastBlock() throws(ContentCodingProblem) -> Bool {
        let isLast = try reader.take(1) == 1
        switch try reader.take(2) {
        case 0: try copyStored()
        case 1: try expand(Self.fixedSymbols, Self.fixedDistances)
        case 2:
            let (symbols, distances) = try readCodes()
            try expand(symbols, distances)
        default: throw ContentCodingProblem(.damaged)
        }
        return isLast
    }

    private mutating func copyStored() throws(ContentCodingProblem) {
        reader.skipToByte()
        let length = try reader.take(16)
        guard try reader.take(16) == ~length & 0xFFFF else { throw ContentCodingProblem(.damaged) }
        let bytes = try reader.takeBytes(length)
        try makeRoom(for: length)
        output += bytes
    }

    // MARK: Compressed blocks

    private mutating func expand(_ symbols: PrefixCode, _ distances: PrefixCode) throws(ContentCodingProblem) {
        while true {
            let symbol = try reader.symbol(of: symbols)
            if symbol < 256 {
                try makeRoom(for: 1)
                output.append(UInt8(symbol))
            } else if symbol == 256 {
                return
            } else {
                try repeatEarlier(symbol - 257, distances)
            }
        }
    }

    /// Copies what stood further back; it may overlap with what is being written.
    private mutating func repeatEarlier(_ index: Int, _ distances: PrefixCode) throws(ContentCodingProblem) {
        guard index < Self.lengths.count else { throw ContentCodingProblem(.damaged) }
        let length = Self.lengths[index].base + (try reader.take(Self.lengths[index].extraBits))
        let code = try reader.symbol(of: distances)
        guard code < Self.distances.count else { throw ContentCodingProblem(.damaged) }
        let distance = Self.distances[code].base + (try reader.take(Self.distances[code].extraBits))
        guard distance <= output.count else { throw ContentCodingProblem(.damaged) }
        try makeRoom(for: length)
        for _ in 0..<length { output.append(output[output.count - distance]) }
    }

    private func makeRoom(for count: Int) throws(ContentCodingProblem) {
        guard output.count + count <= limit else { throw ContentCodingProblem(.tooLarge) }
    }

    // MARK: A block's own codes

    private mutating func readCodes() throws(ContentCodingProblem) -> (PrefixCode, PrefixCode) {
        let symbolCount = try reader.take(5) + 257
        let distanceCount = try reader.take(5) + 1
        let lengthCount = try reader.take(4) + 4
        var lengths = [Int](repeating: 0, count: 19)
        for index in Self.orderOfLengths.prefix(lengthCount) { lengths[index] = try reader.take(3) }
        let all = try readLengths(symbolCount + distanceCount, try PrefixCode(lengths: lengths))
        return (
            try PrefixCode(lengths: Array(all[..<symbolCount])), try PrefixCode(lengths: Array(all[symbolCount...]))
        )
    }

    /// The lengths are themselves coded, and runs of one length are written once.
    private mutating func readLengths(_ count: Int, _ code: PrefixCode) throws(ContentCodingProblem) -> [Int] {
        var lengths: [Int] = []
        while lengths.count < count {
            switch try reader.symbol(of: code) {
            case let length where length < 16: lengths.append(length)
            case 16:
                guard let last = lengths.last else { throw ContentCodingProblem(.damaged) }
                lengths += [Int](repeating: last, count: 3 + (try reader.take(2)))
            case 17: lengths += [Int](repeating: 0, count: 3 + (try reader.take(3)))
            default: lengths += [Int](repeating: 0, count: 11 + (try reader.take(7)))
            }
        }
        guard lengths.count == count else { throw ContentCodingProblem(.damaged) }
        return lengths
    }
}

// MARK: - What the format fixes

extension Inflation {
    private struct Extent {
        let base: Int
        let extraBits: Int
    }

    private static let orderOfLengths = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// Four lengths for each number of extra bits, and 258 in a code of its own.
    private static let lengths: [Extent] =
        extents(first: 3, plain: 8, perBits: 4, upTo: 5) + [Extent(base: 258, extraBits: 0)]

    private static let distances: [Extent] = extents(first: 1, plain: 4, perBits: 2, upTo: 13)

    private static func extents(first: Int, plain: Int, perBits: Int, upTo bits: Int) -> [Extent] {
        let extraBits = [Int](repeating: 0, count: plain) + (1...bits).flatMap { [Int](repeating: $0, count: perBits) }
        var base = first
        return extraBits.map { count in
            defer { base += 1 << count }
            return Extent(base: base, extraBits: count)
        }
    }

    private static let fixedSymbols = PrefixCode(
        soundLengths: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
    private static let fixedDistances = PrefixCode(soundLengths: [Int](repeating: 5, count: 30))
}
