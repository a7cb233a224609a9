import Foundation
import Importing
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

@Suite("Hostile and large descriptions")
struct OpenAPIHostileTests {
    @Test("Circles of references end in definitions and notes")
    func circles() throws {
        let made = try ImportedOpenAPI.run(
            """
            openapi: 3.1.0
            servers: [ { url: https://shop.example } ]
            paths:
              /a: { $ref: '#/paths/~1a' }
              /b: { post: {
                parameters: [ { $ref: '#/components/parameters/P' } ],
                requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/A' } } } },
                responses: { 200: { content: { application/json: { schema: { $ref: '#/components/schemas/B' } } } } } } }
            components:
              parameters: { P: { $ref: '#/components/parameters/P' } }
              schemas:
                A: { allOf: [ { $ref: '#/components/schemas/A' }, { properties: { a: { $ref: '#/components/schemas/A' } }, required: [a] } ] }
                B: { anyOf: [ { $ref: '#/components/schemas/B' }, { $ref: '#/components/schemas/C' }, { type: string } ] }
                C: { $ref: '#/components/schemas/C' }
            """
        ) { $0.stubs = .all }
        #expect(made.ids == ["b.create"])
        #expect(made.notes.filter { $0.message.contains("they form a cycle") }.count == 3)
    }

    enum Large: String, CaseIterable {
        case parameters, members, operations, schemas

        func description(_ count: Int) -> String {
            func list(_ item: (Int) -> String) -> String { (0..<count).map(item).joined(separator: ", ") }
            switch self {
            case .parameters:
                return ImportedOpenAPI.description(
                    "parameters: [ \(list { "{ name: p\($0), in: query, schema: { type: string } }" }) ]")
            case .members:
                return ImportedOpenAPI.description(
                    "requestBody: { content: { application/json: { schema: { type: object, properties: { "
                        + list { "p\($0): { type: string }" } + " } } } } }", method: "post")
            case .operations:
                return "openapi: 3.0.0\nservers: [ { url: https://shop.example } ]\npaths: { "
                    + list { "/p\($0): { get: { operationId: get\($0), tags: [t] } }" } + " }"
            case .schemas:
                return ImportedOpenAPI.description(
                    "responses: { 200: { content: { application/json: { schema: { $ref: '#/components/schemas/S0' } } } } }",
                    "components: { schemas: { "
                        + list { "S\($0): { properties: { a: { $ref: '#/components/schemas/S\($0 + 1)' } } }" } + " } }"
                )
            }
        }
    }

    @Test("The time grows with the size", arguments: Large.allCases)
    func growth(_ large: Large) throws {
        let texts = [250: large.description(250), 1000: large.description(1000)]
        let growth = try Growth.fourfold(250) { size in _ = try ImportedOpenAPI.run(texts[size] ?? "") }
        #expect(growth < 9)
    }

    @Test("Deep schemas are read")
    func depth() throws {
        let deep =
            String(repeating: #"{"type":"array","items":"#, count: 240) + "{}" + String(repeating: "}", count: 240)
        let made = try ImportedOpenAPI.run(
            #"{"openapi":"3.0.0","paths":{"/a":{"get":{"responses":{"200":{"content":{"application/json":{"schema":\#(deep)}}}}}}}}"#
        ) { $0.stubs = .all }
        #expect(made.ids == ["a.list"])
    }
}

@Suite("Descriptions of the corpora")
struct OpenAPICorpusTests {
    /// Files that are whole descriptions with operations.
    private static func files() -> [String] {
        let all = FileManager.default.enumerator(atPath: ImportedOpenAPI.corpora)?.compactMap { $0 as? String } ?? []
        return all.filter { path in
            [".json", ".yaml", ".yml"].contains { path.hasSuffix($0) } && !path.contains("invalid_")
        }.sorted()
    }

    @Test(
        "Each operation becomes an endpoint, and the workspace is valid", .enabled(if: ImportedOpenAPI.hasCorpora))
    func corpus() throws {
        var (read, operations) = (0, 0)
        for path in Self.files() {
            let whole = "\(ImportedOpenAPI.corpora)/\(path)"
            let folder = (whole as NSString).deletingLastPathComponent
            let file = SourceFile(name: path, bytes: [UInt8](try Data(contentsOf: URL(fileURLWithPath: whole))))
            guard OpenAPIImport.looksLike(file), file.bytes.count < 1 << 20 else { continue }
            let source = ImportSource([file]) { name in
                guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
                    return .failure(FileProblem(.missing))
                }
                return .success(SourceFile(name: name, bytes: [UInt8](data)))
            }
            var notes: [ConversionNote] = []
            let api = try OpenAPIImport.read(source, ImportOptions(), &notes)
            if api.requests.isEmpty { continue }
            let imported = ImportPipeline.run(api, notes, into: ImportTarget())
            let empty = Workspace(
                root: "/work", currentFolder: "/work",
                files: MemoryFiles(root: "/work", ["reqcli.json": "{}"]).fileSystem)
            let merge = try ImportMerge(imported, into: empty, replacing: false)
            let drafts = Dictionary(
                merge.files.map { ("/work/\($0.path)", $0.after) }, uniquingKeysWith: { _, last in last })
            let draft = Workspace(root: "/work", currentFolder: "/work", files: empty.files.with(drafts: drafts))
            #expect(draft.validate().diagnostics.map(\.message) == [], "\(path)")
            #expect(Set(imported.ids).count == api.requests.count, "\(path)")
            read += 1
            operations += imported.ids.count
        }
        #expect(read > 150)
        #expect(operations > 500)
    }
}
