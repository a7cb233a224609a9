import ReqcliBasics

/// The bytes of one file (or of a flag's value), with the file's name for messages.
///
/// This type is a class, so that the many values that point into a file share one copy of its bytes.
package final class SourceFile: Sendable {
    /// The name of the file in messages: its path relative to the current folder.
    package let name: String
    package let bytes: [UInt8]
    /// Whether the text may contain secrets. Diagnostics then show only positions in the text, but never the text.
    package let isSecret: Bool
    /// Positions from a report, for a file whose text isn't available. An offset in the file is then an index of this array.
    private let recorded: [Position]
    /// The start of each line, computed when a position is asked for the first time.
    private let knownLineStarts = Mutex<[Int]?>(nil)
    /// Character counts at some offsets of one line: the line of the last call.
    private let knownColumns = Mutex(KnownColumns(lineStart: -1))

    package init(name: String, bytes: [UInt8], isSecret: Bool = false) {
        self.name = name
        self.bytes = bytes
        self.isSecret = isSecret
        recorded = []
    }

    /// A file of which only positions are known. Offset 0 has the first position, offset 1 the second position.
    package init(name: String, recorded positions: [Position]) {
        self.name = name
        bytes = []
        isSecret = false
        recorded = positions
    }

    package convenience init(name: String, text: String, isSecret: Bool = false) {
        self.init(name: name, bytes: Array(text.utf8), isSecret: isSecret)
    }

    /// The text between two offsets. Bytes that are not valid UTF-8 become U+FFFD.
    package func text(_ range: Range<Int>) -> String {
        bytes.withUnsafeBufferPointer {
            String(decoding: UnsafeBufferPointer(rebasing: $0[range.clamped(to: 0..<$0.count)]), as: UTF8.self)
        }
    }
}

/// Character counts at offsets of one line, about `spacing` bytes apart. Without these counts, reporting 1,000 problems in a line
/// of 800 KB takes ten times as long.
private struct KnownColumns {
    static let spacing = 1024

    let lineStart: Int
    private var stops: [(offset: Int, count: Int)]

    init(lineStart: Int) {
        self.lineStart = lineStart
        stops = [(lineStart, 0)]
    }

    /// The last known offset that is not greater than the given offset.
    func last(upTo offset: Int) -> (offset: Int, count: Int) {
        var (low, high) = (0, stops.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if stops[middle].offset <= offset { low = middle } else { high = middle }
        }
        return stops[low]
    }

    mutating func append(_ stop: (offset: Int, count: Int)) {
        if let last = stops.last, last.offset < stop.offset { stops.append(stop) }
    }
}

/// A line and a column, both counted from 1. Each character that a person sees is one column.
package struct Position: Sendable, Hashable {
    package let line: Int
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

extension SourceFile {
    /// The line and column of an offset. Lines are counted only on the first call, because most files never need a position.
    package func position(of offset: Int) -> Position {
        if !recorded.isEmpty { return recorded[min(max(offset, 0), recorded.count - 1)] }
        let end = min(max(offset, 0), bytes.count)
        let (line, start) = line(containing: end)
        return Position(line: line + 1, column: characters(in: start..<end) + 1)
    }

    /// The number of characters between the start of a line and an offset in it. Counting begins at the nearest known offset, so
    /// that many problems in one long line don't each count from the start of the line.
    private func characters(in range: Range<Int>) -> Int {
        knownColumns.withLock { known in
            if known.lineStart != range.lowerBound { known = KnownColumns(lineStart: range.lowerBound) }
            var stop = known.last(upTo: range.upperBound)
            while let next = nextStop(from: stop.offset + KnownColumns.spacing, upTo: range.upperBound) {
                stop = (next, stop.count + text(stop.offset..<next).count)
                known.append(stop)
            }
            return stop.count + text(stop.offset..<range.upperBound).count
        }
    }

    /// The next offset between two printable ASCII characters, which is always a character boundary.
    private func nextStop(from start: Int, upTo end: Int) -> Int? {
        guard start < end else { return nil }
        func isPrintable(_ byte: UInt8) -> Bool { 0x20 <= byte && byte < 0x7F }
        return (start..<end).first { isPrintable(bytes[$0 - 1]) && isPrintable(bytes[$0]) }
    }

    /// The range of the line that contains an offset, without its line break.
    package func lineRange(containing offset: Int) -> Range<Int> {
        let (number, start) = line(containing: min(max(offset, 0), bytes.count))
        let starts = lineStarts
        var end = number + 1 < starts.count ? starts[number + 1] - 1 : bytes.count
        if end > start, bytes[end - 1] == .carriageReturn { end -= 1 }
        return start..<end
    }

    /// The line that contains an offset: its number, counted from 0, and the offset of its start.
    private func line(containing offset: Int) -> (number: Int, start: Int) {
        let starts = lineStarts
        // Binary search for the last line that starts at or before the offset.
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return (low, starts[low])
    }

    private var lineStarts: [Int] {
        knownLineStarts.withLock { known in
            if let known { return known }
            var starts = [0]
            for (offset, byte) in bytes.enumerated() where byte == .lineFeed { starts.append(offset + 1) }
            known = starts
            return starts
        }
    }
}

/// A range of a file that a message can point at.
package struct Place: Sendable {
    package let file: SourceFile
    package let range: Range<Int>

    package init(_ file: SourceFile, _ range: Range<Int>) {
        self.file = file
        self.range = range
    }

    package var start: Position { file.position(of: range.lowerBound) }
    package var end: Position { file.position(of: range.upperBound) }

    /// The place as messages show it: `endpoints/user.json:12:7`.
    package var description: String {
        let start = start
        return "\(file.name):\(start.line):\(start.column)"
    }
}

extension Place: Equatable {
    package static func == (one: Place, other: Place) -> Bool {
        one.file === other.file && one.range == other.range
    }
}
