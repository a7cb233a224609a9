import Definitions
import SourceText
import TerminalText

extension EndpointPage {
    /// The request's body, under a title that names its kind.
    static func body(_ body: Body?) -> Section {
        guard let body else { return Section(title: "", lines: []) }
        switch body.content {
        case .json(let value): return block("Body (JSON)", value.source.pretty)
        case .text(let text): return block("Body (text)", text.source)
        case .file(let path): return block("Body (a file)", path.source)
        case .base64(let bytes): return block("Body (bytes)", "\(bytes.value.count) of them")
        case .form(let fields):
            return block(
                "Body (form)",
                fields.flatMap { field in
                    (field.value.value.value ?? []).map { "\(field.name)=\($0.shown)" }
                }.joined(separator: "\n"))
        case .multipart(let parts):
            return block("Body (multipart)", parts.map { "\($0.name)=\($0.value.shown)" }.joined(separator: "\n"))
        case .graphQL(let query, let variables, _):
            let variables = variables.map { "\n" + $0.source.pretty } ?? ""
            return block("Body (GraphQL)", query.source + variables)
        }
    }

    private static func block(_ title: String, _ text: String) -> Section {
        let lines = TerminalText.harmless(text, keepingLines: true).split(separator: "\n")
        return Section(title: title, lines: lines.map { Styled("  " + TerminalText.expandingTabs($0)) })
    }
}

extension Body.Part {
    fileprivate var shown: String {
        switch source {
        case .value(let value): value.shown
        case .file(let path): "the file \(path.source)"
        case nil: ""
        }
    }
}

extension ValueTemplate {
    /// On one line, as a person reads it.
    var shown: String {
        guard case .choice(let choice) = self else { return source.plainText }
        let cases = choice.cases.map { "\($0.name) → \($0.value.shown)" }
        let otherwise = choice.otherwise.map { ["otherwise → \($0.shown)"] } ?? []
        return "by \(choice.subject.source): " + (cases + otherwise).joined(separator: ", ")
    }
}
