import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

extension ExportFormat {
    /// A Hurl file with a file of variables for each environment.
    static let hurl = ExportFormat(
        name: "hurl", summary: "a Hurl file, and a file of variables for each environment", mode: .open,
        abilities: { _ in
            ToolAbilities(
                features: [
                    .needs, .captures, .headers, .maxTime, .body, .json, .types, .retry, .timeout, .redirects, .aws,
                ], operations: .common.union([.length, .empty]), comparesCollections: false,
                captures: Set(ToolAbilities.CaptureKind.allCases))
        }
    ) { requests, notes in
        var writer = HurlWriter(requests)
        let text = writer.text()
        notes += writer.notes
        return [ExportedFile("requests.hurl", text)] + writer.environments()
    }
}

extension TemplateDialect {
    static let hurl = TemplateDialect(
        generated: GeneratedNames.hurl.name(of:),
        literal: { text, place in
            switch place {
            case .json: text
            case .server, .url: HurlText.escaped(text, "#")
            case .header, .text: HurlText.escaped(text, "#`\"")
            }
        }, escapesBraces: true, holds: { $0.isOneTrimmedLine }, impliesContentType: true)
}
