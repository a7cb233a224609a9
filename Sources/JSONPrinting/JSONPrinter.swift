import SourceText

/// Prints JSON as it arrives: indented or compact, in colour if wanted, with key order, numbers and escapes as they are.
///
/// It is a machine that takes one byte after the other, and what it remembers between two of them is a few bytes and the
/// brackets that are open. So a token may be cut anywhere and be of any length, and memory doesn't grow with the text.
/// (The reader in `SourceText` needs its text whole, to point at it and to go on behind mistakes; the printer needs
/// neither.)
///
/// From the byte at which the text stops being JSON it is passed on as it came, on a line of its own unless that byte is
/// inside a token. Whether strings are valid UTF-8 and surrogates come in pairs is not looked at: they are not changed.
/// Several values, one behind the other, are printed as so many texts. What is printed ends with a line break.
///
/// ```swift
/// var printer = JSONPrinter(layout: .indented, colours: .standard)
/// for chunk in body { try printer.print(chunk, to: write) }
/// let outcome = try printer.finish(to: write)
/// ```
package struct JSONPrinter: Sendable {
    package enum Layout: Sendable {
        /// Two spaces a level and one member or element a line.
        case indented
        /// One line for each value, and nothing between the tokens.
        case compact
    }

    /// What the text turned out to be.
    package enum Outcome: Sendable, Equatable {
        /// Blanks, or nothing at all.
        case nothing
        case json
        /// JSON up to its last byte, but it doesn't end there.
        case cutOff
        /// What is at this offset is not JSON, or too deep; it and all behind it was passed on as it came.
        case passedOn(from: Int)
    }

    /// Deeper levels are not printed but passed on: their indentation would be more than their text.
    package static let deepest = 512

    var state = State.topLevel
    /// For each open bracket, whether it is an object's.
    var containers: [Bool] = []
    /// What is left of a word such as `true`, or of an escape.
    var expected: ArraySlice<UInt8> = []
    var isKey = false
    var valueCount = 0
    var output: Output
    private var consumed = 0
    private var stop: Int?

    package init(layout: Layout = .indented, colours: JSONColours = .none) {
        output = Output(isIndented: layout == .indented, colours: colours)
    }

    /// Prints the next part of a text; what is printed goes to `write` in pieces of some tens of kilobytes.
    package mutating func print(
        _ chunk: UnsafeRawBufferPointer, to write: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        var start = 0
        // In small steps, so that the output of none of them is large, however deep the text is.
        while start < chunk.count, stop == nil {
            let end = min(start + 4096, chunk.count)
            take(UnsafeRawBufferPointer(rebasing: chunk[start..<end]))
            start = end
            if output.bytes.count >= 1 << 16 { try output.flush(to: write) }
        }
        if start < chunk.count {
            try output.flush(to: write)
            try output.pass(UnsafeRawBufferPointer(rebasing: chunk[start...]), to: write)
        }
    }

    /// Hands on what is printed so far, for a reader who waits for it.
    package mutating func flush(to write: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        try output.flush(to: write)
    }

    /// Prints what is left at the end of the text, and ends the last line.
    package mutating func finish(to write: (UnsafeRawBufferPointer) throws -> Void) rethrows -> Outcome {
        if stop == nil { endLastToken() }
        output.endLine()
        try output.flush(to: write)
        if let stop { return .passedOn(from: stop) }
        return state != .topLevel ? .cutOff : valueCount == 0 ? .nothing : .json
    }

    private mutating func take(_ bytes: UnsafeRawBufferPointer) {
        var position = 0
        while position < bytes.count {
            switch step(bytes, position) {
            case .next(let next): position = next
            case .stops(let offset, let isInToken):
                stop = consumed + offset
                output.beginRest(isInToken: isInToken)
                output.append(UnsafeRawBufferPointer(rebasing: bytes[offset...]))
                return
            }
        }
        consumed += bytes.count
    }
}
