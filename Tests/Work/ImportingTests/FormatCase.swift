import Importing
import ReqcliText
import Testing

/// A source of a format, and the files and notes that become of it.
struct FormatCase: CustomTestStringConvertible {
    let testDescription: String
    /// Names and texts of the files.
    let files: [(name: String, text: String)]
    let written: [String: String]
    let notes: [String]

    init(
        _ description: String, _ files: [(name: String, text: String)], _ written: [String: String],
        notes: [String] = []
    ) {
        testDescription = description
        self.files = files
        self.written = written
        self.notes = notes
    }

    /// Reads the source, and compares what is written and noted.
    func check(_ format: any ImportFormat.Type) throws {
        let sources = files.map { SourceFile(name: $0.name, text: $0.text, isSecret: true) }
        let result = try ImportedSource(format, sources)
        #expect(result.text == written)
        #expect(result.notes == notes)
    }
}
