import Checking
import Foundation
import ReqcliText

/// A chart with its values as a table, as inline SVG.
struct LoadPlot {
    struct Line {
        let name: String
        /// The class of the line in the stylesheet.
        let style: String
        /// The points; nil where nothing was measured.
        let points: [Double?]
    }

    let id: String
    let title: String
    let lines: [Line]
    /// The column of the horizontal axis: its title, and a text for each point.
    let axis: (title: String, texts: [String])
    var isOfBars = false
    /// The value as text.
    let text: (Double) -> String

    private static let width = 720.0
    private static let height = 200.0
    private static let left = 64.0
    private static let right = 704.0
    private static let bottom = 176.0

    private var count: Int { axis.texts.count }
    private var top: Double { max(lines.flatMap { $0.points.compactMap(\.self) }.max() ?? 0, 1e-9) }

    var markup: String {
        let legend = lines.map { "<span class=\"\($0.style)\">■ \(Markup.escaped($0.name))</span>" }.joined(
            separator: " ")
        return """
            <section aria-labelledby="\(id)">
            <h2 id="\(id)">\(title)</h2>
            <p class="legend">\(legend)</p>
            <svg class="plot" role="img" viewBox="0 0 \(Int(Self.width)) \(Int(Self.height))" aria-label="\(title)">
            \(grid)\(lines.map(isOfBars ? bars : path).joined())
            </svg>
            <details><summary>Values</summary>
            \(Self.table([axis.title] + lines.map(\.name), rows))
            </details>
            </section>
            """
    }

    private var rows: [[String]] {
        axis.texts.indices.map { index in [axis.texts[index]] + lines.map { $0.points[index].map(text) ?? "–" } }
    }

    private func x(_ index: Int, of count: Int) -> Double {
        Self.left + (Self.right - Self.left) * Double(index) / Double(max(1, count))
    }

    private func y(_ value: Double) -> Double { Self.bottom - (Self.bottom - 8) * value / top }

    /// A coordinate with at most one digit after the point.
    private func number(_ value: Double) -> String {
        let (whole, rest) = Int((value * 10).rounded()).quotientAndRemainder(dividingBy: 10)
        return rest == 0 ? "\(whole)" : "\(whole).\(rest)"
    }

    private var grid: String {
        let levels = (0...4).map { step in
            let value = top * Double(step) / 4
            let y = number(y(value))
            return """
                <line x1="\(Int(Self.left))" x2="\(Int(Self.right))" y1="\(y)" y2="\(y)"/>\
                <text x="\(Int(Self.left) - 6)" y="\(y)" class="level">\(step == 0 ? "0" : Markup.escaped(text(value)))</text>
                """
        }
        let step = max(1, (count + 7) / 8)
        let slots = isOfBars ? count : count - 1
        let ticks = stride(from: 0, to: count, by: step).map { index in
            "<text x=\"\(number(x(index, of: slots)))\" y=\"\(Int(Self.height) - 6)\">\(Markup.escaped(axis.texts[index]))</text>"
        }
        return levels.joined() + ticks.joined()
    }

    private func path(_ line: Line) -> String {
        var runs: [[(x: Double, y: Double)]] = [[]]
        for (index, point) in line.points.enumerated() {
            if let point {
                runs[runs.count - 1].append((x(index, of: count - 1), y(point)))
            } else if runs.last?.isEmpty == false {
                runs.append([])
            }
        }
        return runs.filter { !$0.isEmpty }.map { run in
            // A single point needs a length to be seen.
            let points = (run.count == 1 ? run + [(run[0].x + 0.1, run[0].y)] : run).map {
                "\(number($0.x)),\(number($0.y))"
            }
            return "<polyline class=\"\(line.style)\" points=\"\(points.joined(separator: " "))\"/>"
        }.joined()
    }

    private func bars(_ line: Line) -> String {
        let width = (Self.right - Self.left) / Double(max(1, count))
        return line.points.enumerated().map { index, point in
            guard let point, point > 0 else { return "" }
            let top = min(y(point), Self.bottom - 1)
            return """
                <rect class="\(line.style)" x="\(number(x(index, of: count)))" y="\(number(top))" \
                width="\(number(max(1, width - 1)))" height="\(number(max(1, Self.bottom - top)))"/>
                """
        }.joined()
    }

    static func table(_ header: [String], _ rows: [[String]]) -> String {
        let head = header.map { "<th scope=\"col\">\(Markup.escaped($0))</th>" }.joined()
        let body = rows.map { row in
            "<tr><th scope=\"row\">\(Markup.escaped(row[0]))</th>"
                + zip(header, row).dropFirst().map {
                    "<td data-label=\"\(Markup.escaped($0))\">\(Markup.escaped($1))</td>"
                }.joined() + "</tr>"
        }
        return "<table>\n<thead><tr>\(head)</tr></thead>\n<tbody>\n\(body.joined(separator: "\n"))\n</tbody>\n</table>"
    }
}
