package import ReqcliDefinitions
import ReqcliText

/// A Postman collection 2.1 with a file for each environment.
package enum PostmanExport: ExportFormat {
    package static let name = "postman"
    package static let summary = "a Postman collection 2.1, and a file for each environment"

    package static func write(_ source: ExportSource, _ notes: inout [ConversionNote]) -> [ExportedFile] {
        var writer = PostmanWriter(source)
        let collection = writer.collection()
        notes += writer.notes
        notes += source.lostFeatures(
            except: [.redirects, .needs, .captures, .headers, .maxTime, .body, .json, .types])
        return [ExportedFile("collection.json", collection.pretty + "\n")]
            + writer.environments().map { ExportedFile("\($0.name).postman_environment.json", $0.file.pretty + "\n") }
    }

    static let dialect = TemplateDialect(
        generated: { generated in
            switch generated {
            case .uuid: "$guid"
            case .timestamp, .isoTimestamp, .randomInt: generated.rawValue
            }
        }, literal: { text, _ in text }, escapesBraces: false, holds: { !$0.isEmpty && !$0.contains("{{") },
        captures: { PostmanTestWriter.value(of: $0) != nil },
        impliesContentType: true, hasDisabledParts: true)
}
