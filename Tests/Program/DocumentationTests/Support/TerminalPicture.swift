/// What a terminal shows, as SVG: a dark window that is readable on light and on dark pages.
///
/// The width of every run of text is said, so that columns line up whatever font there is.
struct TerminalPicture {
    /// Told to those who don't see it.
    let title: String
    let lines: [String]
    let columns: Int

    static let cell = 8.4
    static let lineHeight = 20
    static let margin = 20
    static let bar = 34
    static let paper = "#161b22"

    var svg: String {
        Self.window(title: title, columns: columns, rows: lines.count, content: Self.elements(of: lines, row: 0))
    }

    /// An SVG of a window with a title and this content.
    ///
    /// - Parameter style: Lines of CSS that the content needs in addition.
    static func window(title: String, columns: Int, rows: Int, style: String = "", content: String) -> String {
        let width = Int(Double(columns) * cell) + 2 * margin
        let height = bar + rows * lineHeight + margin
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
            role="img" xml:space="preserve">
            <title>\(escaped(title))</title>
            <style>
            text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #d1d7de; }
            .bold { font-weight: 700; } .dim { fill: #9199a3; }
            .red { fill: #ff8e86; } .green { fill: #7ee787; } .yellow { fill: #e3b341; }
            .blue { fill: #79c0ff; } .magenta { fill: #d2a8ff; } .cyan { fill: #6fdce4; }
            \(style)</style>
            <rect x="0.5" y="0.5" width="\(width - 1)" height="\(height - 1)" rx="9" fill="\(paper)" stroke="#59616b"/>
            <circle cx="20" cy="18" r="5.5" fill="#59616b"/><circle cx="38" cy="18" r="5.5" fill="#59616b"/>\
            <circle cx="56" cy="18" r="5.5" fill="#59616b"/>
            \(content)</svg>

            """
    }

    /// The texts of lines, of which the first one is in this row.
    static func elements(of lines: [String], row: Int) -> String {
        lines.enumerated().map { index, line in
            let y = bar + (row + index + 1) * lineHeight - 4
            return runs(of: line).map { element($0, y: y) }.joined()
        }.joined()
    }

    /// Text in one style, from a column on.
    struct Run: Equatable {
        var column: Int
        var text: String
        let classes: [String]
    }

    /// The runs of a line, by the colours that it has been written with; blanks between them are left out.
    static func runs(of line: String) -> [Run] {
        var runs: [Run] = []
        var style = Style()
        var column = 0
        var rest = line[...]
        while !rest.isEmpty {
            if rest.hasPrefix("\u{1B}["), let end = rest.firstIndex(of: "m") {
                style.apply(rest[rest.index(rest.startIndex, offsetBy: 2)..<end])
                rest = rest[rest.index(after: end)...]
                continue
            }
            let text = rest.prefix { $0 != "\u{1B}" }
            rest = rest[text.endIndex...]
            let indentation = text.prefix { $0 == " " }.count
            var shown = text.dropFirst(indentation)
            while shown.last == " " { shown.removeLast() }
            if !shown.isEmpty {
                runs.append(Run(column: column + indentation, text: String(shown), classes: style.classes))
            }
            column += text.count
        }
        return runs
    }

    private static func element(_ run: Run, y: Int) -> String {
        let classes = run.classes.isEmpty ? "" : " class=\"\(run.classes.joined(separator: " "))\""
        let x = tenths(Double(margin) + Double(run.column) * cell)
        return "<text x=\"\(x)\" y=\"\(y)\" textLength=\"\(tenths(Double(run.text.count) * cell))\"\(classes)>"
            + "\(escaped(run.text))</text>\n"
    }

    static func tenths(_ value: Double) -> String { String((value * 10).rounded() / 10) }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    private struct Style {
        private var isBold = false
        private var isDim = false
        private var colour: String?

        var classes: [String] { (isBold ? ["bold"] : []) + (isDim ? ["dim"] : []) + (colour.map { [$0] } ?? []) }

        mutating func apply(_ codes: Substring) {
            let names = ["red", "green", "yellow", "blue", "magenta", "cyan"]
            for code in codes.split(separator: ";").compactMap({ Int($0) }) {
                switch code {
                case 0: self = Style()
                case 1: isBold = true
                case 2: isDim = true
                case 31...36: colour = names[code - 31]
                default: break
                }
            }
        }
    }
}
