import ReqcliBasics
import ReqcliText

/// A block of a .bru file: pairs of names and values, words, or lines of text.
struct BruBlock {
    var name: String
    var place: Place
    var pairs: [BruPair] = []
    /// The words of a list: `vars:secret [a, b]`.
    var words: [BruPair] = []
    /// The lines of a text block, without the indentation of the block.
    var lines: [SourceLine] = []
    /// The text of the block; nil if `lines` are the whole text.
    var content: String?

    var text: String { content ?? lines.map(\.text).joined(separator: "\n") }

    /// The value of the first enabled pair with this name.
    func value(_ name: String) -> String? { pairs.first { $0.name == name && $0.isEnabled }?.value }
}

/// A name and a value. A pair whose name begins with `~` in the file is disabled.
struct BruPair {
    var name: String
    var value: String
    var isEnabled = true
    var place: Place
}

/// The blocks of a .bru file.
struct BruFile {
    let file: SourceFile
    private(set) var blocks: [BruBlock] = []
    private(set) var examples: [BrunoExample] = []
    private let lines: [SourceLine]
    private var index = 0

    /// Reads a file. Throws at the first line that doesn't begin a block.
    init(_ file: SourceFile) throws(ImportProblem) {
        self.file = file
        lines = SourceLine.lines(of: file)
        while index < lines.count {
            let line = lines[index].trimmed
            index += 1
            if !line.isEmpty { try readBlock(line) }
        }
    }

    init(_ file: SourceFile, blocks: [BruBlock], examples: [BrunoExample]) {
        self.file = file
        self.blocks = blocks
        self.examples = examples
        lines = []
    }

    subscript(_ name: String) -> BruBlock? { blocks.first { $0.name == name } }

    private static let texts: Set = [
        "tests", "docs", "example", "body", "body:json", "body:text", "body:xml", "body:sparql", "body:graphql",
        "body:graphql:vars", "script:pre-request", "script:post-response",
    ]

    private mutating func readBlock(_ line: SourceLine) throws(ImportProblem) {
        let text = line.text
        let name = String(text.prefix { $0 != "{" && $0 != "[" }).trimmed
        guard !name.isEmpty, !name.contains(" "),
            let open = text.utf8.dropFirst(name.utf8.count).first(where: { $0 > .space })
        else {
            throw ImportProblem(
                "this line does not begin a block", at: line.place,
                hint: "a block begins with a line such as \"headers {\"")
        }
        let isList = open == .openBracket
        var block = BruBlock(name: name, place: line.place)
        let inner = String(text.dropFirst(name.count)).trimmed.dropFirst()
        if inner.hasSuffix(isList ? "]" : "}") {
            if isList { block.words = Self.words(String(inner.dropLast()), line.place) }
            blocks.append(block)
            return
        }
        let start = index
        let end = isList ? "]" : "}"
        while index < lines.count, !lines[index].begins(with: end) { index += 1 }
        guard index < lines.count else {
            throw ImportProblem(
                "this block is never closed", at: line.place,
                hint: "close the block with \"\(end)\" at the start of a line")
        }
        let content = lines[start..<index]
        index += 1
        if isList {
            block.words = content.flatMap { Self.words($0.text, $0.trimmed.place) }
        } else if Self.texts.contains(name) {
            block.lines = content.map { $0.begins(with: "  ") ? $0.dropping(2) : $0 }
            if name == "example" { examples.append(BrunoExample(block)) }
        } else {
            block.pairs = Self.pairs(content)
        }
        blocks.append(block)
    }

    private static func words(_ text: String, _ place: Place) -> [BruPair] {
        text.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }.map { word in
            let isEnabled = !word.hasPrefix("~")
            let name = isEnabled ? word : String(word.dropFirst())
            return BruPair(name: name, value: "", isEnabled: isEnabled, place: place)
        }
    }

    // MARK: Pairs

    /// The pairs in these lines.
    ///
    /// - Parameter textIndent: The number of spaces by which the lines of a `'''` text are indented.
    static func pairs(_ lines: ArraySlice<SourceLine>, textIndent: Int = 4) -> [BruPair] {
        var pairs: [BruPair] = []
        var index = lines.startIndex
        while index < lines.endIndex {
            let line = lines[index].trimmed
            index += 1
            guard !line.isEmpty, let (name, value) = sides(line.text) else { continue }
            var pair = BruPair(name: name, value: value, place: line.place)
            if value.hasPrefix("'''") {
                pair.value = multiline(value, lines, &index, indent: textIndent)
            } else if value == "[" {
                let words = lines[index...].prefix { $0.trimmed.text != "]" }
                index = min(words.endIndex + 1, lines.endIndex)
                pair.value = words.map(\.trimmed.text).joined(separator: ",")
            }
            if name.hasPrefix("~") {
                pair.name = String(name.dropFirst())
                pair.isEnabled = false
            }
            pairs.append(pair)
        }
        return pairs
    }

    /// The name and the value of `name: value`. A name in quotes may contain a colon.
    private static func sides(_ text: String) -> (name: String, value: String)? {
        let mark = text.hasPrefix("~") ? "~" : ""
        let rest = text.dropFirst(mark.count)
        if rest.hasPrefix("\""), let end = rest.dropFirst().firstIndex(of: "\"") {
            let after = rest[rest.index(after: end)...].drop { $0 == " " }
            guard after.hasPrefix(":") else { return nil }
            return (mark + rest[..<end].dropFirst(), String(after.dropFirst()).trimmed)
        }
        guard let colon = text.firstIndex(of: ":") else { return (text, "") }
        return (String(text[..<colon]).trimmed, String(text[text.index(after: colon)...]).trimmed)
    }

    /// A text between `'''`. All lines of the text except the first are indented.
    private static func multiline(
        _ start: String, _ lines: ArraySlice<SourceLine>, _ index: inout Int, indent: Int
    ) -> String {
        let margin = String(repeating: " ", count: indent)
        let first = String(start.dropFirst(3))
        if first.hasSuffix("'''") { return String(first.dropLast(3)) }
        var parts = first.isEmpty ? [] : [first]
        while index < lines.endIndex {
            let line = lines[index]
            index += 1
            let text = line.begins(with: margin) ? line.dropping(indent).text : line.trimmed.text
            if text.trimmed.hasSuffix("'''") {
                let last = String(text.trimmed.dropLast(3))
                if !last.isEmpty { parts.append(last) }
                break
            }
            parts.append(text)
        }
        return parts.joined(separator: "\n")
    }
}
