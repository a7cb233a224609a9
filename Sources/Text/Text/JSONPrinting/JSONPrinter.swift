/// Prints JSON as it arrives, indented or compact and optionally in colour. Key order, numbers and escapes are kept.
///
/// The printer reads one byte at a time. Between two bytes, it keeps only a small state and the list of open brackets. Chunks may
/// therefore split a token anywhere, tokens may have any length, and memory doesn't grow with the text. (`JSONReader` needs the
/// whole text, to point at mistakes and to continue after them.)
///
/// At the first byte that is not JSON, the printer passes on the rest of the text unchanged. The rest is on a separate line
/// unless it starts inside a token. Strings are not changed, so invalid UTF-8 and unpaired surrogates in them are not checked. If
/// several values follow each other, each value is printed separately. The output ends with a line break.
///
/// ```swift
/// var printer = JSONPrinter(layout: .indented, colours: .standard)
/// for chunk in body { try printer.print(chunk, to: write) }
/// let outcome = try printer.finish(to: write)
/// ```
package struct JSONPrinter: Sendable {
    package enum Layout: Sendable {
        /// One member or element per line, indented by two spaces per level.
        case indented
        /// One line for each value, without whitespace.
        case compact
    }

    /// The kind of text that was printed.
    package enum Outcome: Sendable, Equatable {
        /// Only whitespace, or nothing at all.
        case nothing
        case json
        /// JSON that is cut off before its end.
        case cutOff
        /// Text that is not JSON or is nested too deeply. The text from this offset on was passed on unchanged.
        case passedOn(from: Int)
    }

    /// The maximum depth that is printed. Deeper text is passed on unchanged, because its indentation would be longer
    /// than the text.
    package static let deepest = 512

    var state = State.topLevel
    /// For each open bracket, whether it belongs to an object.
    var containers: [Bool] = []
    /// The bytes that must follow to complete a word such as `true`, or an escape.
    var expected: ArraySlice<UInt8> = []
    var isKey = false
    var valueCount = 0
    var output: JSONOutput
    private var consumed = 0
    private var stop: Int?

    package init(layout: Layout = .indented, colours: JSONColours = .none) {
        output = JSONOutput(isIndented: layout == .indented, colours: colours)
    }

    /// Prints the next part of a text. The output goes to `write` in pieces of some tens of kilobytes.
    package mutating func print(
        _ chunk: UnsafeRawBufferPointer, to write: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        var start = 0
        // The text is read in small steps, so that the output of each step stays small even for deeply nested text.
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

    /// Writes the output so far, for a reader that waits for the output.
    package mutating func flush(to write: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        try output.flush(to: write)
    }

    /// Ends the last token and the last line, and writes the rest of the output.
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
