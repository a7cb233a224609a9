import Rendering
import ReqcliDefinitions
import ReqcliText

/// An endpoint for a person to read: a heading, followed by a section for each part of its definition.
struct EndpointPage {
    let endpoint: LocatedEndpoint
    /// The width to which lines are wrapped; nil if there is no terminal.
    let width: Int?

    var lines: [Styled] {
        let facts = EndpointFacts(endpoint, EndpointSource(endpoint))
        let sections = (facts.request + facts.rest).map { ($0.title, lines($0.content)) }
        let call = ("Try", [Styled("  " + harmlessLine(ExampleCall(endpoint).line), .green)])
        return heading + (sections + [call]).flatMap { title, lines in ["", Styled(title, .bold)] + lines }
    }

    /// The lines of a section. The last cell of each row is wrapped.
    private func lines(_ content: EndpointFacts.Section.Content) -> [Styled] {
        switch content {
        case .rows(let rows):
            var columns = Columns()
            for row in rows { columns.add(row) }
            return columns.lines(indent: 2, width: width, overflow: .wrapped)
        case .block(let text):
            let lines = TerminalText.harmless(text, keepingLines: true).split(separator: "\n")
            return lines.map { Styled("  " + TerminalText.expandingTabs($0)) }
        }
    }

    private var heading: [Styled] {
        let summary = endpoint.definition.summary.map { [Styled(harmlessLine($0))] } ?? []
        let tags =
            endpoint.tags.isEmpty ? "" : "  " + endpoint.tags.map { "tag:\(harmlessLine($0))" }.joined(separator: " ")
        return [Styled(endpoint.id, [.bold, .cyan])] + summary + [
            Styled("\(endpoint.method) \(harmlessLine(endpoint.path(in: nil)))"),
            Styled(endpoint.definition.place.lineText, .dim) + Styled(tags, .dim),
        ]
    }
}

extension Place {
    /// `endpoints/user.json:12`, which editors and terminals know how to open.
    var lineText: String { "\(file.name):\(start.line)" }
}
