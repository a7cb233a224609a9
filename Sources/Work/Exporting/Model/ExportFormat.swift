import ReqcliAssembly
package import ReqcliDefinitions

/// A format that `reqcli export` writes.
///
/// A format is one folder below `Formats/`, and one line in `all`. Help and completions are made from this list.
package struct ExportFormat: Sendable {
    /// The name on the command line: `openapi`.
    package let name: String
    /// A phrase for help: "an OpenAPI 3.1 description".
    package let summary: String
    /// Writes the files; none if there is nothing to write. Adds a note for what is lost.
    private let files: @Sendable (ExportSource, inout [ConversionNote]) -> [ExportedFile]

    /// A format of requests.
    ///
    /// - Parameters:
    ///   - mode: Which values are left open in the requests.
    ///   - abilities: What the files can express. Everything else is noted.
    ///   - write: Writes the files; none if no request can be written. Adds a note for what only the format itself knows to be lost.
    init(
        name: String, summary: String, mode: OpenCalls.Mode,
        abilities: @escaping @Sendable (ExportOptions) -> ToolAbilities,
        write: @escaping @Sendable (ExportedRequests, inout [ConversionNote]) -> [ExportedFile]
    ) {
        self.init(name: name, summary: summary) { source, notes in
            let requests = ExportedRequests(source, mode, abilities(source.options))
            var own = requests.notes
            let files = requests.all.isEmpty ? [] : write(requests, &own)
            notes += own + source.lostFeatures(except: requests.abilities.features)
            return files
        }
    }

    /// A format that shows the definitions themselves.
    init(
        name: String, summary: String,
        files: @escaping @Sendable (ExportSource, inout [ConversionNote]) -> [ExportedFile]
    ) {
        self.name = name
        self.summary = summary
        self.files = files
    }

    /// Every format, in the order of help.
    package static let all: [ExportFormat] = [.openAPI, .postman, .hurl, .httpFile, .locust, .k6, .html]

    /// The files of an export; none if there is no request to export.
    package func export(_ source: ExportSource, _ notes: inout [ConversionNote]) -> [ExportedFile] {
        var own: [ConversionNote] = []
        let files = files(source, &own)
        // Each note may quote a request, whose stand-ins only this module knows.
        notes += own.map { note in
            ConversionNote(
                note.kind, StandIn.shown(note.message), note.detail.map(StandIn.shown), at: note.place)
        }
        return files
    }
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
