/// The bytes of one file (or of a flag's value) under the name that a person knows it by.
///
/// A class, so that the many values that point into a file share one copy of it.
package final class SourceFile: Sendable {
    /// How messages name the file: the path as seen from the current folder.
    package let name: String
    package let bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    package convenience init(name: String, text: String) {
        self.init(name: name, bytes: Array(text.utf8))
    }

    /// The text between two offsets, with U+FFFD where it is not valid UTF-8.
    package func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
    }
}

/// A line and a column as people count them: both from 1, a column for each character that a person sees.
package struct Position: Sendable, Hashable {
    package let line: Int
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

extension SourceFile {
    /// Line and column are worked out when somebody asks: few offsets are ever shown.
    package func position(of offset: Int) -> Position {
        let end = min(max(offset, 0), bytes.count)
        let lineStart = startOfLine(containing: end)
        return Position(line: lineNumber(of: lineStart), column: text(lineStart..<end).count + 1)
    }

    /// The extent of the line that holds an offset, without its line break.
    package func lineRange(containing offset: Int) -> Range<Int> {
        let start = startOfLine(containing: min(max(offset, 0), bytes.count))
        var end = bytes[start...].firstIndex(of: .lineFeed) ?? bytes.count
        if end > start, bytes[end - 1] == .carriageReturn { end -= 1 }
        return start..<end
    }

    private func startOfLine(containing offset: Int) -> Int {
        bytes[..<offset].lastIndex(of: .lineFeed).map { $0 + 1 } ?? 0
    }

    private func lineNumber(of lineStart: Int) -> Int {
        var line = 1
        for byte in bytes[..<lineStart] where byte == .lineFeed { line += 1 }
        return line
    }
}

/// A stretch of a file that a message can point at.
package struct Place: Sendable {
    package let file: SourceFile
    package let range: Range<Int>

    package init(_ file: SourceFile, _ range: Range<Int>) {
        self.file = file
        self.range = range
    }

    package var start: Position { file.position(of: range.lowerBound) }
    package var end: Position { file.position(of: range.upperBound) }

    /// `endpoints/user.json:12:7`
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
