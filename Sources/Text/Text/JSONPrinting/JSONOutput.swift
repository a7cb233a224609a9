import ReqcliBasics

/// The printed text that is not written yet, with the state of its layout.
struct JSONOutput: Sendable {
    private(set) var bytes: [UInt8] = []
    private let isIndented: Bool
    private let colours: JSONColours
    private let hasColours: Bool
    /// A line break and the indentation of the deepest level. For a shallower level, only the beginning of it is used.
    private let deepestLineBreak: [UInt8]
    private var isColoured = false
    private var lastByte: UInt8 = .lineFeed

    init(isIndented: Bool, colours: JSONColours) {
        self.isIndented = isIndented
        self.colours = colours
        hasColours = !colours.closing.isEmpty
        deepestLineBreak = [.lineFeed] + Array(repeating: .space, count: isIndented ? 2 * JSONPrinter.deepest : 0)
        bytes.reserveCapacity(1 << 17)
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        bytes.append(byte)
    }

    @inline(__always)
    mutating func append(_ run: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: run)
    }

    /// Takes back what was appended after this size.
    mutating func shorten(to size: Int) { bytes.removeLast(bytes.count - size) }

    @inline(__always)
    mutating func lineBreak(depth: Int) {
        guard isIndented else { return }
        deepestLineBreak.withUnsafeBytes { bytes.append(contentsOf: $0[..<(1 + 2 * depth)]) }
    }

    @inline(__always)
    mutating func colon() {
        bytes.append(.colon)
        if isIndented { bytes.append(.space) }
    }

    @inline(__always)
    mutating func open(_ sort: JSONColours.Sort) {
        guard hasColours, !colours.openings[sort.rawValue].isEmpty else { return }
        bytes.append(contentsOf: colours.openings[sort.rawValue])
        isColoured = true
    }

    @inline(__always)
    mutating func close() {
        guard isColoured else { return }
        bytes.append(contentsOf: colours.closing)
        isColoured = false
    }

    /// Ends the line, unless it is empty.
    mutating func endLine() {
        if (bytes.last ?? lastByte) != .lineFeed { bytes.append(.lineFeed) }
    }

    /// Prepares for text that is passed on unchanged. This text begins on a new line, unless it continues a token.
    mutating func beginRest(isInToken: Bool) {
        close()
        if !isInToken { endLine() }
    }

    mutating func flush(to write: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        guard let last = bytes.last else { return }
        lastByte = last
        try bytes.withUnsafeBytes { try write($0) }
        bytes.removeAll(keepingCapacity: true)
    }

    /// Writes text unchanged and without copying it.
    mutating func pass(_ text: UnsafeRawBufferPointer, to write: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        lastByte = text.last ?? lastByte
        try write(text)
    }
}
