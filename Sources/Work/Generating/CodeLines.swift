/// Lines of Swift, laid out as the formatter lays them out: four spaces for each level, at most 120 columns.
struct CodeLines {
    static let width = 120
    private(set) var lines: [String] = []
    private(set) var level: Int

    init(level: Int = 0) { self.level = level }

    var indentation: Int { level * 4 }

    mutating func add(_ line: String = "") {
        lines.append(line.isEmpty ? "" : String(repeating: " ", count: indentation) + line)
    }

    mutating func add(contentsOf other: [String]) { for line in other { add(line) } }

    /// Adds lines that are already indented.
    mutating func append(_ other: CodeLines) { lines += other.lines }

    mutating func indented(_ body: (inout CodeLines) -> Void) {
        level += 1
        body(&self)
        level -= 1
    }

    /// A declaration or a statement with a block.
    mutating func block(_ head: String, _ body: (inout CodeLines) -> Void) {
        add("\(head) {")
        indented(body)
        add("}")
    }

    /// Adds a call with a trailing closure.
    mutating func closure(_ head: String, _ parameter: String, _ body: (inout CodeLines) -> Void) {
        add("\(head) { \(parameter) in")
        indented(body)
        add("}")
    }

    /// Adds a constant. If the name and the value don't fit on one line, the value is on the next line.
    mutating func constant(_ head: String, _ value: String) {
        let whole = "\(head) = \(value)"
        if indentation + whole.count <= Self.width { return add(whole) }
        add("\(head) =")
        indented { lines in
            guard lines.indentation + value.count > Self.width, let end = value.firstRange(of: ".isEmpty ? nil : ")
            else { return lines.add(value) }
            lines.add("\(value[..<end.lowerBound]).isEmpty")
            lines.add("? nil : \(value[end.upperBound...])")
        }
    }

    /// Adds a constant with a string literal.
    mutating func constant(_ head: String, of text: String) {
        let whole = "\(head) = \(SwiftText.literal(text))"
        if indentation + whole.count <= Self.width { return add(whole) }
        let parts = SwiftText.lines(of: text, width: 80)
        add("\(head) = \(parts[0])")
        indented { $0.add(contentsOf: Array(parts.dropFirst())) }
    }

    /// Adds a doc comment. Each element of the list becomes a separate paragraph.
    mutating func document(_ paragraphs: [String]) {
        let width = commentWidth(behind: "/// ")
        let texts = paragraphs.map { SwiftText.comment($0, width: width) }.filter { !$0.isEmpty }
        for (index, text) in texts.enumerated() {
            if index > 0 { add("///") }
            for line in text { add(line.isEmpty ? "///" : "/// \(line)") }
        }
    }

    /// The number of columns for a comment's words: at least 40, even if a comment inside nested types becomes too wide.
    private func commentWidth(behind slashes: String) -> Int { max(40, Self.width - indentation - slashes.count) }

    /// Adds a comment that isn't a doc comment.
    mutating func remark(_ text: String) {
        for line in SwiftText.comment(text, width: commentWidth(behind: "// ")) { add("// \(line)") }
    }

    /// Adds a call. If the arguments don't fit on the line of the name, they are on the lines below.
    ///
    /// - Parameter isFollowed: Whether another operator follows. If so, the closing parenthesis is on a separate line.
    mutating func call(_ head: String, _ arguments: [String], isFollowed: Bool = false) {
        let whole = "\(head)(\(arguments.joined(separator: ", ")))"
        // The formatter keeps one column free after a list.
        let width = Self.width - (arguments.last?.hasSuffix("]") == true ? 1 : 0)
        if indentation + whole.count <= width || arguments.isEmpty { return add(whole) }
        let end = isFollowed ? "" : ")"
        add("\(head)(")
        indented { lines in
            let all = "\(arguments.joined(separator: ", "))\(end)"
            if lines.indentation + all.count <= Self.width { return lines.add(all) }
            for (index, argument) in arguments.enumerated() {
                lines.add(argument + (index + 1 < arguments.count ? "," : end))
            }
        }
        if isFollowed { add(")") }
    }

    /// Adds a function's head with its parameters. If the parameters don't fit on one line, each of them is on a separate line.
    mutating func function(_ head: String, _ parameters: [String], _ result: String, _ body: (inout CodeLines) -> Void)
    {
        let whole = "\(head)(\(parameters.joined(separator: ", ")))\(result)"
        if indentation + whole.count + 2 <= Self.width {
            add("\(whole) {")
        } else {
            add("\(head)(")
            indented { lines in
                for (index, parameter) in parameters.enumerated() {
                    lines.add(parameter + (index + 1 < parameters.count ? "," : ""))
                }
            }
            add(")\(result) {")
        }
        indented(body)
        add("}")
    }

    /// Whether the code uses `values`, which a call gets from its environment.
    var usesValues: Bool { lines.contains(where: CodeMark.isAny) }

    var text: String { lines.map(CodeMark.removed).joined(separator: "\n") + "\n" }
}
