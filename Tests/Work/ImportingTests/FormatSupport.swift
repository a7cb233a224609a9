import Importing
import ReqcliDefinitions
import ReqcliText

/// A source as it is imported into an empty workspace.
struct ImportedSource {
    let workspace: ImportedWorkspace
    /// `3:5: lost: what is lost (its name)`.
    let notes: [String]

    init(
        _ format: any ImportFormat.Type, _ texts: String..., options: ImportOptions = ImportOptions(),
        target: ImportTarget = ImportTarget()
    ) throws(ImportProblem) {
        let files = texts.enumerated().map { SourceFile(name: "source\($0)", text: $1, isSecret: true) }
        try self.init(format, files, options: options, target: target)
    }

    init(
        _ format: any ImportFormat.Type, _ files: [SourceFile], options: ImportOptions = ImportOptions(),
        target: ImportTarget = ImportTarget()
    ) throws(ImportProblem) {
        var notes: [ConversionNote] = []
        let api = try format.read(ImportSource(files), options, &notes)
        workspace = ImportPipeline.run(api, notes, into: target)
        self.notes = workspace.notes.map { note in
            let start = note.place?.start
            let place = start.map { "\($0.line):\($0.column): " } ?? ""
            return "\(place)\(note.kind.rawValue): \(note.text)"
        }
    }

    var text: [String: String] { workspace.text }

    /// Everything that is written or shown.
    var everything: String {
        (text.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" } + notes
            + workspace.secrets.map { "\($0.name) \($0.variable)" }).joined(separator: "\n")
    }
}
