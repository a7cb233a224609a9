import ReqcliText

extension HTMLReport {
    /// How long the cases took: percentiles, a histogram and the slowest cases. Empty if no case took time.
    func durations(_ run: RunResult) -> String {
        let durations = Durations(
            run.cases.filter { $0.outcome.attempts > 0 }.map { TimeText.milliseconds($0.outcome.duration) })
        guard let longest = durations.sorted.last, longest > 0 else { return "" }
        let facts = [50, 90, 99].map { share in
            "<li><span>p\(share)</span> \(TimeText.short(.milliseconds(durations.percentile(share))))</li>"
        }
        let slowest = run.slowest(5).map { index in
            let each = run.cases[index]
            return """
                <li><a href="#case-\(index + 1)" class="name">\(Markup.escaped(each.id))</a> \
                <span class="time">\(TimeText.short(each.outcome.duration))</span></li>
                """
        }
        return """
            <section id="durations" aria-labelledby="durations-title">
            <h2 id="durations-title">Durations</h2>
            <ul class="facts">\(facts.joined())</ul>
            \(Histogram(durations).svg)
            <h3>Slowest</h3>
            <ol>
            \(slowest.joined(separator: "\n"))
            </ol>
            </section>
            """
    }
}

/// Durations in milliseconds, of which at least one is needed for a percentile.
struct Durations {
    let sorted: [Int]

    init(_ milliseconds: [Int]) { sorted = milliseconds.sorted() }

    /// The smallest duration that is at least as long as this percentage of all durations.
    func percentile(_ share: Int) -> Int { sorted[max(0, (sorted.count * share + 99) / 100 - 1)] }
}

/// The number of durations in each step of the scale 1, 2, 5, 10 and so on.
private struct Histogram {
    private struct Bin {
        let limit: Int
        let count: Int
    }

    private let bins: [Bin]
    private let durations: Durations

    /// A single bar would be as wide as the page.
    private static let fewestBins = 5
    private static let mostLabels = 5

    init(_ durations: Durations) {
        self.durations = durations
        var bins: [Bin] = []
        var limit = 1
        var rest = durations.sorted[...]
        while !rest.isEmpty || bins.count < Self.fewestBins {
            let count = rest.prefix { $0 <= limit }.count
            rest = rest.dropFirst(count)
            if count > 0 || !bins.isEmpty { bins.append(Bin(limit: limit, count: count)) }
            limit = "\(limit)".hasPrefix("2") ? limit / 2 * 5 : limit * 2
        }
        self.bins = bins
    }

    /// The chart, whose bars and marks keep their places at every width, and whose text is never scaled.
    var svg: String {
        let label = bins.filter { $0.count > 0 }.map { "\($0.count) up to \(Self.text($0.limit))" }
        let marks = [50, 90, 99].enumerated().map { mark("p\($1)", at: durations.percentile($1), row: $0) }
        return """
            <svg class="chart" role="img" height="184" aria-label="Durations: \(label.joined(separator: ", "))">
            \(bins.indices.map(bar).joined())
            <line x1="0" x2="100%" y1="160" y2="160"/>
            \(marks.joined())
            \(bins.indices.map(labels).joined())
            </svg>
            """
    }

    private static func text(_ milliseconds: Int) -> String { TimeText.short(.milliseconds(milliseconds)) }

    private func bar(_ index: Int) -> String {
        let (share, height) = (1 / Double(bins.count), height(index))
        return """
            <rect x="\(HTMLPage.percent(share * (Double(index) + 0.06)))" y="\(160 - height)" \
            width="\(HTMLPage.percent(share * 0.88))" height="\(height)"/>
            """
    }

    private func height(_ index: Int) -> Int {
        let most = max(1, bins.map(\.count).max() ?? 1)
        return (bins[index].count * 100 + most - 1) / most
    }

    /// The count above a bar, and the limit below it.
    private func labels(_ index: Int) -> String {
        func text(_ text: String, at height: Int) -> String {
            let middle = HTMLPage.percent((Double(index) + 0.5) / Double(bins.count))
            return "<text x=\"\(middle)\" y=\"\(height)\">\(text)</text>"
        }
        let spacing = (bins.count + Self.mostLabels - 1) / Self.mostLabels
        let isLabelled = (bins.count - 1 - index).isMultiple(of: spacing)
        return (bins[index].count > 0 ? text("\(bins[index].count)", at: 155 - height(index)) : "")
            + (isLabelled ? text("≤\(Self.text(bins[index].limit))", at: 176) : "")
    }

    /// A line with its name above the bars. Each name has its own row, so that no name covers another.
    private func mark(_ name: String, at milliseconds: Int, row: Int) -> String {
        let index = bins.firstIndex { milliseconds <= $0.limit } ?? 0
        let digit = "\(bins[index].limit)".first
        let lower = Double(bins[index].limit) * (digit == "5" ? 0.4 : 0.5)
        let share = max(0, Double(milliseconds) - lower) / (Double(bins[index].limit) - lower)
        let place = (Double(index) + share) / Double(bins.count)
        let (left, anchor) = (HTMLPage.percent(place), place < 0.5 ? "start\" dx=\"4" : "end\" dx=\"-4")
        let top = 2 + row * 14
        return """
            <g class="mark"><line x1="\(left)" x2="\(left)" y1="\(top)" y2="160"/>\
            <text x="\(left)" y="\(top + 10)" text-anchor="\(anchor)">\(name)</text></g>
            """
    }
}
