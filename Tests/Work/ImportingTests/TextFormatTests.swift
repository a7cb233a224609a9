import Importing
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

/// What must hold for every format of text files.
@Suite("Text formats")
struct TextFormatTests {
    struct Format: CustomTestStringConvertible {
        let format: any ImportFormat.Type
        let file: String
        /// Pieces of which hostile sources are made.
        let pieces: [String]

        var testDescription: String { format.name }
    }

    static let formats = [
        Format(
            format: HurlImport.self, file: "a.hurl",
            pieces: [
                "GET http://h/a\n", "HTTP 200\n", "[Asserts]\n", "[Captures]\n", "[Options]\n", "[Query]\n", "{", "}",
                "[",
                "\"", "`", "```", "{{", "}}", "x: y\n", "jsonpath \"$.a\" == 1\n", "\\", "\\u{1", "<a>", "</a>", "<!--",
                "hex,",
                "base64,", ";", "file,", "#", "\n", " ", "é", "not ", "count ", "9999999999999999999", "variable: a=",
                "/", "$",
                "variables {",
            ]),
        Format(
            format: HTTPFileImport.self, file: "a.http",
            pieces: [
                "GET http://h/a\n", "###\n", "### x\n", "# @name x\n", "@a = b\n", "@a={{x.response.body.$.b}}\n", "{{",
                "}}",
                "> {%", "%}", "< ./x\n", "<@ x\n", "\n", " ", "x: y\n", "?a=b",
                "Content-Type: multipart/form-data; boundary=B\n",
                "--B\n", "--B--\n", "Content-Disposition: form-data; name=\"a\"\n", "{\"a\":",
                "client.test(\"a\", function() {",
                "});", "client.global.set(\"a\", response.body.b);", "$", "é", "GRAPHQL ", "Authorization: Basic a b\n",
                "# @prompt",
                "GET ", "HTTP/1.1", "{{$processEnv ", "# @timeout 99999999999999999999\n",
            ]),
        Format(
            format: BrunoImport.self, file: "a.bru",
            pieces: [
                "meta {\n", "get {\n", "  url: http://h/a/:b?c=d\n", "}\n", "headers {\n", "  ~a: b\n", "  a: '''\n",
                "'''\n",
                "body:json {\n", "{\"a\": {{b}}}", "assert {\n", "  res.body.a: eq 1\n", "  res.body: length -1\n",
                "tests {\n",
                "test(\"a\", function() {", "});", "expect(res.body.a).to.eql(1);", "vars:secret [\n", "]\n",
                "params:query {\n",
                "params:path {\n", "\n", "{{", "}}", "  body: json\n", "  auth: basic\n", "auth:basic {\n",
                "  \"a:b\": c\n", "~", "é",
                "docs {\n", "  @file(a|b)\n", "body:multipart-form {\n", "vars:post-response {\n", "  t: res.body.t\n",
            ]),
    ]

    @Test("Time grows with the length, whatever a source repeats", arguments: formats)
    func linear(_ format: Format) {
        for start in ["", format.pieces[0], format.pieces[0] + format.pieces[1]] {
            for piece in format.pieces {
                let factor = Growth.fourfold(400) { count in
                    let text = start + String(repeating: piece, count: count)
                    var notes: [ConversionNote] = []
                    _ = try? format.format.read(
                        ImportSource([SourceFile(name: format.file, text: text)]), ImportOptions(), &notes)
                }
                #expect(factor < 10, "\(start)\(piece)")
            }
        }
    }

    @Test("Each request of a random source is there", arguments: formats)
    func complete(_ format: Format) throws {
        var generator = SeededGenerator(seed: 3)
        let parts: [(request: (Int) -> String, extras: [String])] = [
            (
                { "GET http://h/p\($0)\n" },
                [
                    "X: 1\n", "[Query]\na: b\n", "{\"a\": \"GET http://h/b\\nHTTP 200\"}\n",
                    "```\nGET http://h/c\n```\n", "HTTP 200\n",
                    "HTTP *\n[Asserts]\nbody contains \"GET http://h\"\n", "\n", "# GET http://h/c\n",
                    "<a>\nGET http://h/b\n</a>\n",
                ]
            ),
            (
                { "### r\($0)\nGET http://h/p\($0)\n" },
                [
                    "X: 1\n", "\n", "{\"a\":\n\"GET http://h/b\"}\n", "> {%\nclient.log(1)\n%}\n", "> {%\n",
                    "# @name a\n", "< ./f\n",
                    "  &a=b\n", "// x\n",
                ]
            ),
        ]
        guard let index = Self.formats.firstIndex(where: { $0.format == format.format }), index < 2 else { return }
        for _ in 0..<300 {
            var text = ""
            var count = 0
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                text += parts[index].request(count)
                count += 1
                let extras = (0..<Int.random(in: 0...1, using: &generator)).compactMap { _ in
                    parts[index].extras.randomElement(using: &generator)
                }
                text += extras.joined()
            }
            let result = try ImportedSource(format.format, [SourceFile(name: format.file, text: text)])
            #expect(result.workspace.ids.count == count && Set(result.workspace.ids).count == count, "\(text)")
        }
    }

    static let marks: [(name: String, text: String, format: String)] = [
        ("stdin", "# a\nGET http://h/a\nHTTP 200\n", "hurl"), ("stdin", "POST http://h\n[FormParams]\na: b\n", "hurl"),
        ("a.hurl", "GET http://h/a\n", "hurl"), ("stdin", "GET http://h/a HTTP/1.1\nX: y\n", "http"),
        ("stdin", "@a = b\nGET {{a}}/x\n", "http"), ("stdin", "### Get\nGET http://h\n", "http"),
        ("a.rest", "GET http://h\n\n< {}\nHTTP/1.1 200 OK\n", "http"), ("stdin", "curl http://h\n", "curl"),
        ("stdin", "meta {\n  name: a\n}\n", "bruno"), ("c/bruno.json", "{}", "bruno"),
        ("http-client.env.json", "{}", "http"), ("a.yaml", "# x\n\n---\n  swagger: \"2.0\"\n  info: {}\n", "openapi"),
    ]

    @Test("A format is told by a clear mark", arguments: marks)
    func mark(_ name: String, _ text: String, _ format: String) {
        let found = ImportFormats.all.first { $0.looksLike(SourceFile(name: name, text: text)) }
        #expect(found?.name == format)
    }

    @Test(
        "A text without a mark is of no format",
        arguments: ["", "hello", "GET well soon", "{}", "#!/bin/sh\nls\n", "a: b\n", "a:\n  openapi: 3.1.0\n"])
    func noMark(_ text: String) {
        let found = ImportFormats.all.first { $0.looksLike(SourceFile(name: "stdin", text: text)) }
        #expect(found == nil)
    }
}
