package import ReqcliDefinitions
import ReqcliText

/// Writes a `.http` file for VS Code's REST Client and JetBrains' HTTP Client, and the files with the environments for both.
package enum HTTPFileExport: ExportFormat {
    package static let name = "http"
    package static let summary = "a .http file for VS Code and JetBrains, with files for the environments"

    package static func write(_ source: ExportSource, _ notes: inout [ConversionNote]) -> [ExportedFile] {
        var writer = HTTPFileWriter(source)
        let text = writer.text()
        notes += writer.notes
        let carried: Set<Feature> =
            source.options.flavour == .jetbrains ? [.captures, .headers, .body, .json, .types] : [.captures]
        notes += source.lostFeatures(except: carried.union([.needs]))
        return [ExportedFile("requests.http", text)] + writer.environments()
    }

    static func dialect(_ flavour: ExportOptions.Flavour) -> TemplateDialect {
        TemplateDialect(
            generated: { generated in
                switch (generated, flavour) {
                case (.uuid, .jetbrains): "$uuid"
                case (.uuid, _): "$guid"
                case (.timestamp, _): "$timestamp"
                case (.isoTimestamp, .jetbrains): "$isoTimestamp"
                case (.isoTimestamp, _): "$datetime iso8601"
                case (.randomInt, .jetbrains): "$random.integer(0, 999999999)"
                case (.randomInt, _): "$randomInt 0 999999999"
                }
            }, literal: { text, _ in text }, escapesBraces: false, holds: { $0.isOneTrimmedLine && !$0.contains("{{") },
            captures: { flavour == .jetbrains ? JetBrainsScript.value(of: $0) != nil : HTTPFileReference($0) != nil },
            impliesContentType: false, hasDisabledParts: false)
    }
}
