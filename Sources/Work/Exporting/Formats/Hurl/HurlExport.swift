package import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// A Hurl file with a file of variables for each environment.
package enum HurlExport: ExportFormat {
    package static let name = "hurl"
    package static let summary = "a Hurl file, and a file of variables for each environment"

    package static func write(_ source: ExportSource, _ notes: inout [ConversionNote]) -> [ExportedFile] {
        var writer = HurlWriter(source)
        let text = writer.text()
        notes += writer.notes
        notes += source.lostFeatures(
            except: [.needs, .captures, .headers, .maxTime, .body, .json, .types, .retry, .timeout, .redirects])
        return [ExportedFile("requests.hurl", text)] + writer.environments()
    }

    static let dialect = TemplateDialect(
        generated: { generated in
            switch generated {
            case .uuid: "newUuid"
            case .isoTimestamp: "newDate"
            case .timestamp, .randomInt: nil
            }
        },
        literal: { text, place in
            switch place {
            case .json: text
            case .url: HurlText.escaped(text, "#")
            case .header, .text: HurlText.escaped(text, "#`\"")
            }
        },
        escapesBraces: true, holds: { $0.isOneTrimmedLine }, captures: { HurlResponseWriter.query($0) != nil },
        impliesContentType: true,
        hasDisabledParts: false)
}
