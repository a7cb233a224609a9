import ReqcliOpenAPI
import ReqcliText
import TestSupport
import Testing

@Suite("Descriptions of APIs")
struct DocumentTests {
    struct VersionCase: CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let version: OpenAPIVersion?

        init(_ description: String, _ text: String, _ version: OpenAPIVersion?) {
            testDescription = description
            self.text = text
            self.version = version
        }
    }

    @Test(
        "The version is told from the text, and no other is read",
        arguments: [
            VersionCase("JSON", #"{"openapi": "3.0.3"}"#, .v30),
            VersionCase("YAML", "openapi: 3.1.0", .v31),
            VersionCase("a number of YAML", "info:\n  title: x\nopenapi: 3.1", .v31),
            VersionCase("a mapping of YAML in braces", "{openapi: 3.2.0}", .v32),
            VersionCase("a byte order mark", "\u{FEFF}{\"swagger\": \"2.0\"}", .swagger),
            VersionCase("Swagger as a number", "swagger: 2.0", .swagger),
            VersionCase("an unknown version", "openapi: 4.0.0", nil),
            VersionCase("Swagger 1.2", #"{"swaggerVersion": "1.2"}"#, nil), VersionCase("a list", "[]", nil),
            VersionCase("nothing", "", nil), VersionCase("broken JSON", #"{"openapi": "3.0.3""#, nil),
        ])
    func versions(_ example: VersionCase) {
        let file = SourceFile(name: "api", text: example.text)
        let version = try? OpenAPIDocument.read(file).version
        #expect(version == example.version)
    }

    @Test("An unknown version names those that are known")
    func unknownVersion() {
        let error = #expect(throws: OpenAPIProblem.self) {
            try OpenAPIDocument.read(SourceFile(name: "api", text: "openapi: 3.3.0"))
        }
        #expect(error?.diagnostics.map(\.message) == ["unknown version of OpenAPI"])
        #expect(
            error?.diagnostics.first?.hint == "expected Swagger 2.0, OpenAPI 3.0, OpenAPI 3.1, OpenAPI 3.2")
    }

    private func document(
        _ text: String, _ files: [String: String] = [:]
    ) throws -> OpenAPIDocument {
        try OpenAPIDocument.read(SourceFile(name: "api", text: text)) { path in
            files[path].map { .success(SourceFile(name: path, text: $0)) }
                ?? .failure(OpenAPIFileProblem("there is no such file"))
        }
    }

    @Test("References lead into the document and into other files, each relative to its own file")
    func references() throws {
        var document = try document(
            "openapi: 3.1.0\na: { $ref: 'common/a.yaml#/x~1y/%7Ez/1' }\nb: { $ref: '#/a' }",
            ["common/a.yaml": "x/y: { '~z': [ 0, { $ref: ../b.json } ] }", "b.json": #"{"end": 1}"#])
        for key in ["a", "b"] { #expect(document.resolve(document.root[key])?["end"]?.number?.text == "1") }
        #expect(document.brokenReferences.isEmpty)
    }

    @Test(
        "A reference that leads nowhere is told once",
        arguments: [
            ("#/nowhere", "the target of a reference does not exist"),
            ("#anchor", "a reference to an anchor is not followed"),
            ("https://example.com/a.yaml", "a reference to another server is not followed"),
            ("a.yaml", "the file of a reference can't be read: there is no such file"),
            ("text.yaml", "the file of a reference is neither JSON nor YAML"),
            ("#/a", "more than 100 references follow each other, or they form a cycle"),
        ])
    func brokenReferences(_ reference: String, _ reason: String) throws {
        var document = try document(
            #"{"openapi": "3.1.0", "a": {"$ref": "\#(reference)"}}"#, ["text.yaml": "a: b: c"])
        #expect(document.resolve(document.root["a"]) == nil)
        #expect(document.resolve(document.root["a"]) == nil)
        #expect(document.brokenReferences.map(\.reason) == [reason])
        #expect(document.brokenReferences.first?.place.start == Position(line: 1, column: 36))
    }

    @Test("A long chain of references takes linear time and gives one message")
    func chain() throws {
        let links = (0..<100_000).map { ##""l\##($0)": {"$ref": "#/l\##($0 + 1)"}"## }.joined(separator: ", ")
        var document = try document(#"{"openapi": "3.1.0", \#(links), "l100000": {}}"#)
        for member in document.root.members.prefix(1000) { _ = document.resolve(member.value) }
        #expect(document.brokenReferences.count < 20)
        #expect(document.resolve(document.root["l99950"])?.count == 0)
    }
}
