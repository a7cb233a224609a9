import ReqcliJSONSchema
import ReqcliText
import TestSupport
import Testing

/// A folder of schemas in memory, which notes the files that are read.
func folder(_ files: [String: String], reading: @escaping @Sendable (String) -> Void = { _ in }) -> SchemaFolder {
    SchemaFolder(
        read: { path throws(SchemaFolder.Problem) in
            reading(path)
            return files[path].map { SourceFile(name: "schemas/\(path)", text: $0) }
        },
        paths: { files.keys.sorted() })
}

func value(_ text: String, name: String = "answer.json") throws -> JSONValue {
    let document = JSONDocument.read(SourceFile(name: name, text: text))
    #expect(document.problems == [])
    return try #require(document.root)
}

func compiled(_ schema: String, files: [String: String] = [:]) throws -> JSONSchema {
    var compiler = SchemaCompiler(folder: folder(files))
    let (schema, problems) = compiler.compile(try value(schema, name: "user.json"))
    #expect(problems.map(\.message) == [])
    return try #require(schema)
}

/// A problem as a test compares it: its severity, message and hint.
func lines(_ problems: [Diagnostic]) -> [String] {
    problems.map { "\($0.severity.rawValue): \($0.message)" + ($0.hint.map { " | \($0)" } ?? "") }
}
