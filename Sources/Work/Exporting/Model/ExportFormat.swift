package import ReqcliDefinitions

/// A format that `reqcli export` writes.
///
/// A format is one file or folder below `Formats/`, and one line in `ExportFormats.all`. Help and completions are made from this
/// list.
package protocol ExportFormat: Sendable {
    /// The name on the command line: `openapi`.
    static var name: String { get }
    /// A phrase for help: "an OpenAPI 3.1 description".
    static var summary: String { get }
    /// Writes the files. Adds a note for everything that the format can't express.
    static func write(_ source: ExportSource, _ notes: inout [ConversionNote]) -> [ExportedFile]
}

package enum ExportFormats {
    /// Every format, in the order of help.
    package static let all: [any ExportFormat.Type] = [
        OpenAPIExport.self, PostmanExport.self, HurlExport.self, HTTPFileExport.self, LocustExport.self,
        K6Export.self,
    ]
}

/// A file of an export. The first file of an export is the main file, which is written to stdout.
package struct ExportedFile: Sendable, Equatable {
    package let path: String
    package let text: String

    package init(_ path: String, _ text: String) {
        self.path = path
        self.text = text
    }
}
