/// A canonical Huffman code, given by the length of each symbol's code word.
struct PrefixCode {
    /// For every run of `width` bits, read from the lowest: the symbol it begins with and the length of its word.
    /// A length of 0 stands where no word begins like that.
    private let table: [(symbol: UInt16, length: UInt8)]
    let width: Int

    init(lengths: [Int]) throws(ContentCodingProblem) {
        let used = lengths.reduce(0) { $0 + ($1 == 0 ? 0 : 1 << (15 - $1)) }
        // More words than there are places for.
        guard used <= 1 << 15 else { throw ContentCodingProblem(.damaged) }
        self.init(soundLengths: lengths)
    }

    init(soundLengths lengths: [Int]) {
        let width = max(1, lengths.max() ?? 1)
        var table = [(symbol: UInt16, length: UInt8)](repeating: (0, 0), count: 1 << width)
        var word = 0
        for length in 1...width {
            word <<= 1
            for (symbol, own) in lengths.enumerated() where own == length {
                // Words are written from the highest bit, everything else from the lowest.
                let first = (0..<length).reduce(0) { $0 << 1 | (word >> $1 & 1) }
                for index in stride(from: first, to: table.count, by: 1 << length) {
                    table[index] = (UInt16(symbol), UInt8(length))
                }
                word += 1
            }
        }
        self.table = table
        self.width = width
    }

    func entry(_ bits: Int) -> (symbol: Int, length: Int) {
        let entry = table[bits]
        return (Int(entry.symbol), Int(entry.length))
    }
}

/// Takes bits from bytes, the lowest of each first.
struct BitReader {
    private let bytes: [UInt8]
    private var position: Int
    private var bits = 0
    private var count = 0

    init(_ bytes: [UInt8], from start: Int) {
        self.bytes = bytes
        position = start
    }

    /// Where the bytes begin of which no bit was taken.
    var nextByte: Int { position - count / 8 }

    mutating func take(_ wanted: Int) throws(ContentCodingProblem) -> Int {
        fill(wanted)
        guard wanted <= count else { throw ContentCodingProblem(.cutOff) }
        defer { drop(wanted) }
        return bits & (1 << wanted - 1)
    }

    mutating func symbol(of code: PrefixCode) throws(ContentCodingProblem) -> Int {
        fill(code.width)
        // Behind the end zeros are read; a word that needs them has been cut off.
        let entry = code.entry(bits & (1 << code.width - 1))
        guard entry.length > 0 else { throw ContentCodingProblem(.damaged) }
        guard entry.length <= count else { throw ContentCodingProblem(.cutOff) }
        drop(entry.length)
        return entry.symbol
    }

    mutating func skipToByte() { drop(count % 8) }

    mutating func takeBytes(_ wanted: Int) throws(ContentCodingProblem) -> ArraySlice<UInt8> {
        position = nextByte
        (bits, count) = (0, 0)
        guard position + wanted <= bytes.count else { throw ContentCodingProblem(.cutOff) }
        defer { position += wanted }
        return bytes[position..<position + wanted]
    }

    private mutating func fill(_ wanted: Int) {
        while count < wanted, position < bytes.count {
            bits |= Int(bytes[position]) << count
            position += 1
            count += 8
        }
    }

    private mutating func drop(_ number: Int) {
        bits >>= number
        count -= number
    }
}
