/// Builds a man page with a few macros of man(7). All text is escaped.
struct Roff {
    private(set) var text = ""

    mutating func macro(_ name: String, _ arguments: String...) {
        let quoted = arguments.map { " \"\(Self.escaped($0).replacing("\"", with: "\\(dq"))\"" }
        text += ".\(name)\(quoted.joined())\n"
    }

    /// Adds a paragraph. Lines that begin with spaces are not rewrapped.
    mutating func paragraph(_ body: String, isFirst: Bool = true) {
        var isVerbatim = false
        text += isFirst ? ".PP\n" : ".br\n"
        for line in body.split(separator: "\n", omittingEmptySubsequences: false) {
            let isIndented = line.hasPrefix("  ")
            if isIndented != isVerbatim { text += isIndented ? ".nf\n" : ".fi\n" }
            isVerbatim = isIndented
            if line.isEmpty { text += ".PP\n" } else { self.line(Self.escaped(String(line))) }
        }
        if isVerbatim { text += ".fi\n" }
    }

    /// Adds a heading inside a subsection.
    mutating func heading(_ title: String) {
        text += ".PP\n\\fB\(Self.escaped(title))\\fR\n"
    }

    /// Adds a command line to type.
    mutating func verbatim(_ code: String) {
        text += ".PP\n.RS 4\n.nf\n"
        for line in code.split(separator: "\n") { self.line(Self.escaped(String(line))) }
        text += ".fi\n.RE\n"
    }

    /// Adds a label with its explanation beside or below it.
    mutating func entry(_ label: [HelpPage.LabelPart], _ body: String) {
        text += ".TP\n"
        line(label.map(Self.styled).joined())
        for (index, bodyLine) in body.split(separator: "\n").enumerated() {
            if index > 0 { text += ".br\n" }
            line(Self.escaped(String(bodyLine.drop { $0 == " " })))
        }
    }

    /// Adds a line of escaped text, protected from being read as a roff request.
    private mutating func line(_ escaped: String) {
        text += (escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" : "") + escaped + "\n"
    }

    private static func styled(_ part: HelpPage.LabelPart) -> String {
        switch part {
        case .literal(let text): "\\fB\(escaped(text))\\fR"
        case .placeholder(let text): "\\fI\(escaped(text))\\fR"
        // These spaces align columns on a terminal. A man page has no such columns.
        case .plain(let text): text.allSatisfy { $0 == " " } && text.count > 1 ? "" : escaped(text)
        }
    }

    /// Escapes backslashes and the characters that roff would print as other characters, so that readers can copy the text.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\e"
            case "-": escaped += "\\-"
            case "'": escaped += "\\(aq"
            case "`": escaped += "\\(ga"
            case "^": escaped += "\\(ha"
            case "~": escaped += "\\(ti"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
