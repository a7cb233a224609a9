import ReqcliBasics
import ReqcliDefinitions
package import ReqcliText

/// A line of a source, without its end.
package struct SourceLine: Sendable {
    package let file: SourceFile
    package let range: Range<Int>

    package init(_ file: SourceFile, _ range: Range<Int>) {
        self.file = file
        self.range = range
    }

    package var text: String { file.text(range) }
    package var place: Place { Place(file, range) }

    /// The line without some bytes at its start.
    package func dropping(_ count: Int) -> SourceLine {
        SourceLine(file, min(range.lowerBound + count, range.upperBound)..<range.upperBound)
    }

    /// The line without whitespace at its ends.
    package var trimmed: SourceLine {
        let bytes = file.bytes[range]
        let start = bytes.firstIndex { !$0.isJSONWhitespace } ?? range.upperBound
        let end = bytes.lastIndex { !$0.isJSONWhitespace }.map { $0 + 1 } ?? start
        return SourceLine(file, start..<max(start, end))
    }

    package func begins(with text: String) -> Bool { file.bytes[range].starts(with: text.utf8) }

    package var isEmpty: Bool { range.isEmpty }

    /// The lines of a file, without a byte order mark.
    package static func lines(of file: SourceFile, atMost most: Int = .max) -> [SourceLine] {
        var lines: [SourceLine] = []
        var start = file.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while start < file.bytes.count, lines.count < most {
            let feed = file.bytes[start...].firstIndex(of: .lineFeed)
            var end = feed ?? file.bytes.count
            if end > start, file.bytes[end - 1] == .carriageReturn { end -= 1 }
            lines.append(SourceLine(file, start..<end))
            start = feed.map { $0 + 1 } ?? file.bytes.count
        }
        return lines
    }
}

extension [ConversionNote] {
    /// The notes of one file in the order of their places.
    var inOrder: [ConversionNote] {
        enumerated().sorted {
            let (one, other) = ($0.element.place?.range.lowerBound ?? 0, $1.element.place?.range.lowerBound ?? 0)
            return (one, $0.offset) < (other, $1.offset)
        }.map(\.element)
    }
}

/// The folder that the files of a source share.
package struct SourceFolder: Sendable {
    private let depth: Int

    package init(_ files: [SourceFile]) {
        var shared = files.first.map { Self.folders(of: $0.name) } ?? []
        for file in files.dropFirst() {
            shared = Array(zip(shared, Self.folders(of: file.name)).prefix { $0 == $1 }.map(\.0))
        }
        depth = shared.count
    }

    private static func folders(of path: String) -> [String] {
        path.split(separator: "/").dropLast().map(String.init)
    }

    /// The folders between the shared folder and the file.
    package func folders(of file: SourceFile) -> [String] { Array(Self.folders(of: file.name).dropFirst(depth)) }

    /// The name of the file without its extension.
    package static func stem(of file: SourceFile) -> String {
        let name = Self.name(of: file)
        return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    }

    package static func name(of file: SourceFile) -> String {
        file.name.split(separator: "/").last.map(String.init) ?? file.name
    }
}
