import Foundation
import Importing
import ReqcliDefinitions
import ReqcliText
import TestSupport

/// Imports of descriptions, as the program lays them out.
enum ImportedOpenAPI {
    /// A description with one operation, in YAML.
    ///
    /// - Parameters:
    ///   - operation: The members of the operation, from the first column on.
    ///   - rest: Further members of the description.
    static func description(_ operation: String, path: String = "/things", method: String = "get", _ rest: String = "")
        -> String
    {
        let indented = operation.split(separator: "\n", omittingEmptySubsequences: false).map { "      " + $0 }
            .joined(separator: "\n")
        return """
            openapi: 3.1.0
            info: { title: Shop }
            servers: [ { url: https://shop.example } ]
            paths:
              \(path):
                \(method):
            \(indented)
            \(rest)
            """
    }

    static func run(
        _ text: String, files: [String: String] = [:], url: String? = nil, target: ImportTarget = ImportTarget(),
        _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws(ImportProblem) -> ImportedWorkspace {
        var options = ImportOptions()
        change(&options)
        var notes: [ConversionNote] = []
        let source = ImportSource([SourceFile(name: "api.yaml", text: text)], url: url) { path in
            files[path].map { .success(SourceFile(name: path, text: $0)) } ?? .failure(FileProblem(.missing))
        }
        let api = try OpenAPIImport.read(source, options, &notes)
        return ImportPipeline.run(api, notes, into: target)
    }

    /// The definition of the only endpoint, as JSON on one line, and the notes with their places.
    static func endpoint(_ text: String, files: [String: String] = [:]) throws -> (json: String, notes: [String]) {
        let result = try run(text, files: files)
        let endpoint = result.groups.first?.endpoints.first?.value
        return (endpoint?.compact ?? "", result.notes.map(\.shown))
    }

    static let corpora = Repository.corpus("openapi")
    static let hasCorpora = FileManager.default.fileExists(atPath: corpora)
}

extension ConversionNote {
    /// The note as messages show it, without the file's name.
    var shown: String {
        let position = place?.start
        return "\(position?.line ?? 0):\(position?.column ?? 0) \(kind.rawValue): \(text)"
    }
}
