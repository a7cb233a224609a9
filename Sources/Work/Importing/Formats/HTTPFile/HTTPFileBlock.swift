import ReqcliBasics
import ReqcliText

/// The lines of one request of an .http file.
struct HTTPFileBlock {
    /// The text after `###`.
    var title: String?
    /// The words of comments such as `# @name login`.
    var directives: [(name: String, value: String, place: Place)] = []
    var comment: String?
    /// The request line, with the lines that continue its URL.
    var request: [SourceLine] = []
    var headers: [SourceLine] = []
    var body: [SourceLine] = []
    /// The scripts before and after the request, each with its whole range.
    var scripts: [(text: String, range: Range<Int>, isBefore: Bool)] = []
    /// Lines that can't be converted, such as `run` and `>> file`.
    var others: [SourceLine] = []
}

/// A variable of an .http file: `@name = value`.
struct HTTPFileVariable {
    var name: String
    var value: String
    var place: Place

    /// Whether the value is a reference to a part of a response.
    var isReference: Bool { value.contains(".response.") }
}

/// Splits an .http file into its requests.
struct HTTPFileLines {
    private(set) var blocks: [HTTPFileBlock] = []
    private(set) var variables: [HTTPFileVariable] = []
    private let lines: [SourceLine]
    private var index = 0
    private var block = HTTPFileBlock()
    /// The index of a line before which no script ends.
    private var openUntil = 0

    init(_ file: SourceFile) {
        lines = SourceLine.lines(of: file)
        while index < lines.count { readBlock() }
        blocks.removeAll { $0.request.isEmpty && $0.scripts.isEmpty && $0.others.isEmpty }
    }

    private mutating func readBlock() {
        readHead()
        if !block.request.isEmpty {
            readHeaders()
            readBody()
        }
        blocks.append(block)
        block = HTTPFileBlock()
        if index < lines.count {
            let title = lines[index].text.drop { $0 == "#" }
            block.title = String(title).trimmed
            index += 1
        }
    }

    private var isAtSeparator: Bool { index < lines.count && lines[index].begins(with: "###") }

    private static func isComment(_ line: SourceLine) -> Bool { line.begins(with: "#") || line.begins(with: "//") }

    // MARK: Head

    private mutating func readHead() {
        while index < lines.count, !isAtSeparator {
            let line = lines[index].trimmed
            if line.isEmpty {
                block.comment = block.request.isEmpty && block.directives.isEmpty ? nil : block.comment
                index += 1
            } else if Self.isComment(line) {
                readComment(line)
                index += 1
            } else if line.begins(with: "@") {
                readVariable(line)
                index += 1
            } else if line.begins(with: "<") {
                readScript(isBefore: true)
            } else if line.begins(with: "run ") || line.begins(with: "import ") {
                block.others.append(line)
                index += 1
            } else {
                block.request = [line]
                index += 1
                readContinuation()
                return
            }
        }
    }

    private mutating func readComment(_ line: SourceLine) {
        let text = String(line.text.drop { $0 == "#" || $0 == "/" }).trimmed
        guard text.hasPrefix("@") else {
            if block.comment == nil, !text.isEmpty { block.comment = text }
            return
        }
        let words = text.dropFirst().split(maxSplits: 1, whereSeparator: { $0 == " " || $0 == "\t" || $0 == "=" })
        guard let name = words.first else { return }
        let value = words.count > 1 ? String(words[1].drop { $0 == "=" }).trimmed : ""
        block.directives.append((String(name), value, line.place))
    }

    private mutating func readVariable(_ line: SourceLine) {
        let parts = line.text.dropFirst().split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            block.others.append(line)
            return
        }
        variables.append(
            HTTPFileVariable(name: String(parts[0]).trimmed, value: String(parts[1]).trimmed, place: line.place))
    }

    /// Reads the lines that continue the URL of the request line: indented lines, and lines that begin with `?` or `&`.
    private mutating func readContinuation() {
        while index < lines.count, !isAtSeparator {
            let line = lines[index].trimmed
            let isIndented = lines[index].range.lowerBound < line.range.lowerBound
            guard !line.isEmpty, line.begins(with: "?") || line.begins(with: "&") || isIndented else { return }
            if !Self.isComment(line) { block.request.append(line) }
            index += 1
        }
    }

    // MARK: Headers and body

    private mutating func readHeaders() {
        while index < lines.count, !isAtSeparator {
            let line = lines[index].trimmed
            if line.isEmpty { return }
            if line.begins(with: "> ") || line.begins(with: "< ") || line.begins(with: ">> ") { return }
            if !Self.isComment(line) {
                block.headers.append(line)
            } else if String(line.text.drop { $0 == "#" || $0 == "/" }).trimmed.hasPrefix("@") {
                readComment(line)
            }
            index += 1
        }
    }

    private mutating func readBody() {
        while index < lines.count, !isAtSeparator {
            let line = lines[index]
            if line.begins(with: "> ") || line.begins(with: ">{%") {
                readScript(isBefore: false)
            } else if line.begins(with: ">>") || line.begins(with: "<>") {
                block.others.append(line)
                index += 1
            } else {
                block.body.append(line)
                index += 1
            }
        }
        block.body = Array(block.body.drop { $0.trimmed.isEmpty })
        while block.body.last?.trimmed.isEmpty == true { block.body.removeLast() }
    }

    /// Reads a script in `{% … %}`, or the path of a script.
    private mutating func readScript(isBefore: Bool) {
        let start = lines[index].trimmed
        guard start.dropping(1).trimmed.begins(with: "{%") else {
            block.others.append(start)
            index += 1
            return
        }
        let first = start.dropping(1).trimmed.range.lowerBound + 2
        var end: Int?
        var last = max(index, openUntil)
        while last < lines.count, end == nil, last == index || !lines[last].begins(with: "###") {
            let from = max(first, lines[last].range.lowerBound)
            let bytes = start.file.bytes[from..<max(from, lines[last].range.upperBound)]
            end = bytes.indices.first { bytes[$0...].starts(with: "%}".utf8) }
            if end == nil { last += 1 }
        }
        guard let end else {
            // The lines up to `last` contain no end of a script, so no other script that begins in these lines has an end.
            openUntil = last
            block.others.append(start)
            index += 1
            return
        }
        block.scripts.append((start.file.text(first..<end), first..<end, isBefore))
        index = last + 1
    }
}
