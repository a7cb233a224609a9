package import ReqcliDefinitions
import ReqcliText

/// Writes a load test for k6, with the requests of one environment.
package enum K6Export: ExportFormat {
    package static let name = "k6"
    package static let summary = "a load test in JavaScript for k6"

    package static func write(_ source: ExportSource, _ notes: inout [ConversionNote]) -> [ExportedFile] {
        var writer = K6Writer(source)
        let text = writer.text()
        notes += writer.notes
        notes += source.lostFeatures(
            except: [.needs, .captures, .headers, .maxTime, .body, .json, .types, .redirects, .environments, .policy])
        return [ExportedFile("loadtest.js", text)]
    }
}
