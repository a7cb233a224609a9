package import ReqcliDefinitions
import ReqcliText

/// Writes a load test for Locust, with the requests of one environment.
package enum LocustExport: ExportFormat {
    package static let name = "locust"
    package static let summary = "a load test in Python for Locust"

    package static func write(_ source: ExportSource, _ notes: inout [ConversionNote]) -> [ExportedFile] {
        var writer = LocustWriter(source)
        let text = writer.text()
        notes += writer.notes
        notes += source.lostFeatures(
            except: [.needs, .captures, .headers, .maxTime, .body, .json, .types, .redirects, .environments, .policy])
        return [ExportedFile("locustfile.py", text)]
    }
}
