/// Lines of Swift, with four spaces for each level. Comments and heads of functions have at most 120 columns; an expression is on one
/// line, however long it is.
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

    /// Adds a constant with a string literal.
    mutating func constant(_ head: String, of text: String) {
        guard text.contains("\n") else { return add("\(head) = \(SwiftText.literal(text))") }
        let parts = SwiftText.lines(of: text)
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

    /// Adds a call.
    mutating func call(_ head: String, _ arguments: [String]) { add(Self.call(head, arguments)) }

    static func call(_ head: String, _ arguments: [String]) -> String {
        "\(head)(\(arguments.joined(separator: ", ")))"
    }

    /// Whether the code is short enough for one line.
    func fits(_ code: String) -> Bool { indentation + code.count <= Self.width }

    /// Adds a function's head with its parameters, which take several lines if they don't fit on one.
    mutating func function(_ head: String, _ parameters: [String], _ result: String, _ body: (inout CodeLines) -> Void)
    {
        let whole = "\(head)(\(parameters.joined(separator: ", ")))\(result) {"
        if fits(whole) {
            add(whole)
        } else {
            add("\(head)(")
            indented { $0.addFilled(parameters) }
            add(")\(result) {")
        }
        indented(body)
        add("}")
    }

    /// Adds elements with commas between them, as many on each line as fit.
    mutating func addFilled(_ elements: [String]) {
        var line = ""
        for (index, element) in elements.enumerated() {
            let next = element + (index + 1 < elements.count ? "," : "")
            if !line.isEmpty, indentation + line.count + next.count + 1 > Self.width {
                add(line)
                line = ""
            }
            line += line.isEmpty ? next : " \(next)"
        }
        if !line.isEmpty { add(line) }
    }

    /// Whether the code uses `values`, which a call gets from its environment.
    var usesValues: Bool { lines.contains(where: CodeMark.isAny) }

    /// Whether a declaration has the type `Date`.
    var hasDates: Bool {
        lines.contains { line in
            let code = line.drop { $0 == " " }
            return code.hasPrefix("public ") && !code.contains("\"") && Self.namesDate(String(code))
        }
    }

    /// Whether the name `Date` is in the code of a type.
    static func namesDate(_ code: String) -> Bool {
        code.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "`" }.contains("Date")
    }

    var text: String { lines.map(CodeMark.removed).joined(separator: "\n") + "\n" }
}
