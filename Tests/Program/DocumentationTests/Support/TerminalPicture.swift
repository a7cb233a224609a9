/// What a terminal shows, as SVG: a dark window that is readable on light and on dark pages.
///
/// The width of every run of text is said, so that columns line up whatever font there is.
struct TerminalPicture {
    /// Told to those who don't see it.
    let title: String
    let lines: [String]
    let columns: Int

    private static let cell = 8.4
    private static let lineHeight = 20
    private static let margin = 20
    private static let bar = 34

    var svg: String {
        let width = Int(Double(columns) * Self.cell) + 2 * Self.margin
        let height = Self.bar + lines.count * Self.lineHeight + Self.margin
        var svg = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
            role="img" xml:space="preserve">
            <title>\(Self.escaped(title))</title>
            <style>
            text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #d1d7de; }
            .bold { font-weight: 700; } .dim { fill: #9199a3; }
            .red { fill: #ff8e86; } .green { fill: #7ee787; } .yellow { fill: #e3b341; }
            .blue { fill: #79c0ff; } .magenta { fill: #d2a8ff; } .cyan { fill: #6fdce4; }
            </style>
            <rect x="0.5" y="0.5" width="\(width - 1)" height="\(height - 1)" rx="9" fill="#161b22" stroke="#59616b"/>
            <circle cx="20" cy="18" r="5.5" fill="#59616b"/><circle cx="38" cy="18" r="5.5" fill="#59616b"/>\
            <circle cx="56" cy="18" r="5.5" fill="#59616b"/>

            """
        for (index, line) in lines.enumerated() {
            let y = Self.bar + (index + 1) * Self.lineHeight - 4
            for run in Self.runs(of: line) { svg += Self.element(run, y: y) }
        }
        return svg + "</svg>\n"
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

    private static func tenths(_ value: Double) -> String { String((value * 10).rounded() / 10) }

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
