import Rendering
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// A sequence diagram as SVG: the calls of a scenario from the top to the bottom, each to the group of its endpoint.
struct SequencePicture {
    private struct Call {
        let request: String
        let response: String
        /// When and how often the call is made; empty for a single call.
        let circumstances: String
        let group: Int
    }

    private let title: String
    private var groups: [String] = []
    private var calls: [Call] = []
    /// The number of calls before those that clean up.
    private let cleanupStart: Int

    /// - Parameter endpoint: The endpoint with an id; nil if the workspace has none.
    init(_ scenario: LocatedScenario, _ endpoint: (String) -> LocatedEndpoint?) {
        title = scenario.id
        cleanupStart = scenario.definition.steps.count
        for step in scenario.definition.all {
            let id = step.endpoint?.value ?? ""
            let called = endpoint(id)
            let group = called?.folder ?? id
            if !groups.contains(group) { groups.append(group) }
            let expected = (step.expectation ?? called?.expectation(in: ""))?.status?.value.map(\.text)
            let captures = (step.captures + (called?.definition.captures ?? [])).map(\.name)
            let status = expected?.joined(separator: ", ") ?? "2xx"
            calls.append(
                Call(
                    request: "\(step.label): \(called?.method ?? "") \(called?.path(in: nil) ?? id)",
                    response: status + (captures.isEmpty ? "" : " → " + captures.joined(separator: ", ")),
                    circumstances: step.circumstances.joined(separator: "; "),
                    group: groups.firstIndex(of: group) ?? 0))
        }
    }

    // The sizes are in pixels, and the width of a letter is that of the font in the style sheet.
    private static let (margin, spacing, top, rowHeight, letter) = (60, 220, 52, 64, 7.3)

    private func x(_ lifeline: Int) -> Int { Self.margin + lifeline * Self.spacing }

    var svg: String {
        var y = Self.top
        var rows = ""
        for (index, call) in calls.enumerated() {
            if index == cleanupStart {
                rows += line("line", x(0), y + 4, x(groups.count)) + text("soft", 8, y + 18, "cleanup", Self.spacing)
                y += 28
            }
            if !call.circumstances.isEmpty {
                rows += text("soft", x(0) + 8, y + 14, call.circumstances, x(call.group + 1) - x(0))
                y += 16
            }
            rows += row(call, y)
            y += Self.rowHeight
        }
        let (width, height) = (x(groups.count) + 130, y + 8)
        let lifelines = (["caller"] + groups).enumerated().map { index, name in
            """
            <path class="line" d="M\(x(index)) 36V\(height - 4)"/>\
            <rect class="box" x="\(x(index) - 55)" y="8" width="\(index == 0 ? 110 : 180)" height="28" rx="4"/>
            \(text("", x(index) - 47, 26, name, index == 0 ? 110 : 180))
            """
        }
        return """
            <svg role="img" aria-label="\(HTMLText.text("\(title): \(calls.count) calls"))" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)">
            \(lifelines.joined(separator: "\n"))
            \(rows)</svg>
            """
    }

    /// The arrow of a request with its text, and below it the arrow of the response.
    private func row(_ call: Call, _ y: Int) -> String {
        let (start, end) = (x(0), x(call.group + 1))
        let (sent, received) = (y + 22, y + 48)
        return """
            \(text("", start + 8, sent - 6, call.request, end - start))\
            \(line("arrow", start, sent, end))<path class="arrow" d="M\(end - 7) \(sent - 4)l7 4l-7 4"/>
            \(text("soft", start + 12, received - 6, call.response, end - start))\
            \(line("arrow reply", start, received, end))<path class="arrow" d="M\(start + 7) \(received - 4)l-7 4l7 4"/>

            """
    }

    private func line(_ style: String, _ start: Int, _ y: Int, _ end: Int) -> String {
        "<path class=\"\(style)\" d=\"M\(start) \(y)H\(end)\"/>"
    }

    /// A text that is cut if it would be wider than its place.
    private func text(_ style: String, _ x: Int, _ y: Int, _ text: String, _ width: Int) -> String {
        let shown = TerminalText.truncated(
            HTMLText.masked(harmlessLine(text)), to: Int(Double(width - 20) / Self.letter))
        let attribute = style.isEmpty ? "" : " class=\"\(style)\""
        return "<text\(attribute) x=\"\(x)\" y=\"\(y)\">\(Markup.escaped(shown))</text>"
    }
}
