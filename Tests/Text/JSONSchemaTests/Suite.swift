import Foundation
import ReqcliJSONSchema
import ReqcliText
import TestSupport

/// The test suite of json-schema-org, kept outside the repository.
enum Suite {
    static let folder = Repository.corpus("json-schema")
    static let isThere = FileManager.default.fileExists(atPath: folder)

    /// One value of the suite, and how it was judged.
    struct Case {
        /// The file, the group and the value, as in `optional/bignum: integer: a bignum is an integer`.
        let name: String
        let isRight: Bool
        /// Mistakes that the compiler reports in the schema.
        let problems: [String]
    }

    /// The folders of the suite by draft.
    static func folder(of draft: Draft) -> String {
        draft < .draft201909 ? "draft\(draft.name.suffix(1))" : "draft\(draft.name)"
    }

    /// Judges all cases of the files in one folder of a draft: `""`, `optional` or `optional/format`.
    static func cases(_ draft: Draft, in part: String, formats: SchemaCompiler.FormatUse) throws -> [Case] {
        let path = "\(folder)/tests/\(folder(of: draft))/\(part)"
        let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".json") }.sorted()
        return try names.flatMap { name in
            let file = try SourceFile(
                name: name, bytes: [UInt8](Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))))
            let label = (part.isEmpty ? "" : part + "/") + name.dropLast(5)
            let groups = JSONDocument.read(file).root.map { Array($0.elements) } ?? []
            return groups.flatMap { cases($0, label, draft, formats) }
        }
    }

    private static func cases(
        _ group: JSONValue, _ label: String, _ draft: Draft, _ formats: SchemaCompiler.FormatUse
    ) -> [Case] {
        var compiler = SchemaCompiler(folder: remotes, formats: formats, defaultDraft: draft)
        let compiled = group["schema"].map { compiler.compile($0) }
        let problems = compiled?.problems.map { "\($0.place?.description ?? ""): \($0.message)" } ?? []
        return (group["tests"].map { Array($0.elements) } ?? []).map { test in
            let verdict = test["data"].flatMap { compiled?.schema?.accepts($0) }
            // The report must come to the same verdict.
            let report = test["data"].flatMap { data in compiled?.schema.map { $0.failures(of: data) == nil } }
            return Case(
                name: "\(label): \(group["description"]?.string ?? ""): \(test["description"]?.string ?? "")",
                isRight: verdict == test["valid"]?.bool && verdict == report, problems: problems)
        }
    }

    /// The schemas that the suite expects at `http://localhost:1234/`.
    private static let remotes = SchemaFolder(
        uri: "http://localhost:1234/",
        read: { path throws(SchemaFolder.Problem) in
            guard let data = FileManager.default.contents(atPath: "\(folder)/remotes/\(path)") else { return nil }
            return SourceFile(name: path, bytes: [UInt8](data))
        },
        paths: { [] })
}
