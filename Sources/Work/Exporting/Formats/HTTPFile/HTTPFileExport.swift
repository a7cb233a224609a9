import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

extension ExportFormat {
    /// A `.http` file for VS Code's REST Client and JetBrains' HTTP Client, and the files with the environments for both.
    static let httpFile = ExportFormat(
        name: "http", summary: "a .http file for VS Code and JetBrains, with files for the environments", mode: .open,
        abilities: { options in
            options[HTTPFileFlavor.self] == .jetbrains
                ? ToolAbilities(
                    features: [.needs, .captures, .headers, .body, .json, .types], operations: .common,
                    captures: [.member, .header, .match, .body, .status])
                : ToolAbilities(features: [.needs, .captures], captures: [.member, .header, .body])
        }
    ) { requests, notes in
        var writer = HTTPFileWriter(requests)
        let text = writer.text()
        notes += writer.notes
        return [ExportedFile("requests.http", text)] + writer.environments()
    }
}

/// The programs that a `.http` file is for.
package enum HTTPFileFlavor: String, CaseIterable, ExportChoice {
    case both, jetbrains, vscode

    package static let standard = Self.both
}

extension TemplateDialect {
    static func httpFile(_ flavor: HTTPFileFlavor) -> TemplateDialect {
        TemplateDialect(
            generated: { generated in
                switch (generated, flavor) {
                case (.uuid, .jetbrains): "$uuid"
                case (.uuid, _): "$guid"
                case (.timestamp, _): "$timestamp"
                case (.isoTimestamp, .jetbrains): "$isoTimestamp"
                case (.isoTimestamp, _): "$datetime iso8601"
                case (.randomInt, .jetbrains): "$random.integer(0, 999999999)"
                case (.randomInt, _): "$randomInt 0 999999999"
                }
            }, literal: { text, _ in text }, escapesBraces: false,
            holds: { $0.isOneTrimmedLine && !$0.contains("{{") },
            impliesContentType: false)
    }
}
