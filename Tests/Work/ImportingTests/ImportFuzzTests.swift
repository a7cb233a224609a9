import Foundation
import Importing
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

/// Damaged sources of every format.
struct ImportFuzzTests {
    private static let count = RandomInputs.count(600)
    private static let seed = ProcessInfo.processInfo.environment["REQCLI_FUZZ_SEED"].flatMap { UInt64($0) } ?? 7

    struct Format: CustomTestStringConvertible {
        let format: any ImportFormat.Type
        let file: String
        /// Sources that are read without a problem.
        let good: [String]
        /// What is put into sources.
        let pieces: [String]

        var testDescription: String { format.name }
    }

    static let formats: [Format] =
        TextFormatTests.formats.map { text in
            let cases =
                switch text.format.name {
                case "hurl": HurlFormatTests.requests + HurlFormatTests.responses
                case "http": HTTPFileFormatTests.cases
                default: BrunoFormatTests.cases
                }
            return Format(
                format: text.format, file: text.file, good: cases.flatMap(\.files).map(\.text), pieces: text.pieces)
        } + [
            Format(
                format: CurlImport.self, file: "curl.txt", good: CurlReaderTests.commands.map(\.source),
                pieces: CurlCorpusTests.pieces + ["^\"", "^", "$'", "`", "\u{2019}", "\\\n", "--json {}", "%"]),
            Format(format: PostmanImport.self, file: "a.json", good: [HostileFormatTests.postman], pieces: json),
            Format(
                format: PostmanImport.self, file: "a.yaml",
                good: (PostmanFolderTests.cases.flatMap(\.files) + HostileFormatTests.postmanFolder).map(\.text),
                pieces: yaml + ["$kind: http-request\n", "items:\n", "- key: a\n", "type: bearer\n", "content: |-\n"]),
            Format(
                format: InsomniaImport.self, file: "a.json", good: [HostileFormatTests.insomnia, InsomniaTests.v4],
                pieces: json + ["{% response 'body', 'r1', '$.a' %}", "{%", "%}", "{{ _.a", "['a']", "\"_id\": \"r1\""]),
            Format(
                format: InsomniaImport.self, file: "a.yaml",
                good: [InsomniaTests.v5, HostileFormatTests.insomniaYAML]
                    + InsomniaTests.templates.flatMap(\.files).map(\.text),
                pieces: yaml + [
                    "{% uuid %}", "{% ", " %}", "{{ _.a }}", "children:\n", "authentication: {type: basic}\n",
                ]),
            Format(format: HARImport.self, file: "a.har", good: [HostileFormatTests.har], pieces: json),
            Format(
                format: OpenAPIImport.self, file: "api.yaml",
                good: [OpenAPIFormatTests.bodies, OpenAPIFormatTests.responses].flatMap(\.self).map {
                    ImportedOpenAPI.description($0.operation, method: $0.method, $0.rest)
                } + OpenAPIParameterTests.cases.map { ImportedOpenAPI.description($0.operation, path: $0.path) },
                pieces: json + [
                    "$ref: '#/paths'", "$ref: '#'", "{}", "''", "type: array", "properties:", "allOf: [ {} ]",
                    "nullable: true", "in: header", "-9223372036854775808", "\n      ", "- ", "&a ", "*a", "|", "? ",
                ]),
        ]

    private static let yaml = json + ["\n  ", "\n- ", ": ", "&a ", "*a", "|", "? ", "'", "- {name: a, value: b}\n"]

    private static let json = [
        "{{", "}}", "null", "[]", "{}", "\"\"", "1e999", "9223372036854775807", "\\u0000", ":x", "//", "?", "&", "=",
        "é",
        "true", "\\", "\"", ",",
    ]

    @Test("A damaged source gives files or a diagnostic, and each place is inside it", arguments: formats)
    func damaged(_ format: Format) throws {
        var generator = SeededGenerator(seed: Self.seed)
        let pieces = format.pieces.map { Array($0.utf8) }
        let good = format.good.map { Array($0.utf8) }
        var imported = 0
        for number in 0..<Self.count {
            var bytes: [UInt8] = []
            if number.isMultiple(of: 3) {
                for _ in 0..<Int.random(in: 1...16, using: &generator) {
                    bytes += pieces.randomElement(using: &generator) ?? []
                }
            } else {
                bytes = try #require(good.randomElement(using: &generator))
                for _ in 0..<Int.random(in: 1...5, using: &generator) { bytes.damage(pieces, using: &generator) }
            }
            var options = ImportOptions()
            options.isExact = number.isMultiple(of: 5)
            options.takesAll = number.isMultiple(of: 2)
            options.stubs = options.takesAll ? .all : .examples
            options.shell = format.format == CurlImport.self ? [nil, "sh", "cmd", "powershell"][number % 4] : nil
            let file = SourceFile(name: format.file, bytes: bytes, isSecret: true)
            do throws(ImportProblem) {
                let result = try ImportedSource(format.format, [file], options: options)
                imported += 1
                let isRight =
                    result.workspace.ids.count == result.workspace.requests.count
                    && result.workspace.notes.allSatisfy { ($0.place?.range.upperBound ?? 0) <= bytes.count }
                #expect(isRight, "\(number): \(String(decoding: bytes, as: UTF8.self))")
            } catch {
                #expect(
                    !error.diagnostics.isEmpty
                        && error.diagnostics.allSatisfy { ($0.place?.range.upperBound ?? 0) <= bytes.count },
                    "\(number): \(String(decoding: bytes, as: UTF8.self))")
            }
        }
        #expect(imported > Self.count / 20)
    }
}

extension [UInt8] {
    /// Changes a few bytes: puts in a piece, takes some out, repeats some, or replaces a text in quotes or one byte.
    fileprivate mutating func damage(_ pieces: [[UInt8]], using generator: inout SeededGenerator) {
        guard !isEmpty else { return }
        let start = Int.random(in: 0..<count, using: &generator)
        let end = Swift.min(count, start + Int.random(in: 0...12, using: &generator))
        let piece = pieces.randomElement(using: &generator) ?? []
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: insert(contentsOf: piece, at: start)
        case 1: replaceSubrange(start..<end, with: piece)
        case 2: removeSubrange(start..<end)
        case 3: insert(contentsOf: self[start..<end], at: start)
        case 4:
            // Texts stay texts, so that readers see what is in them.
            guard let open = self[start...].firstIndex(of: 0x22),
                let close = self[(open + 1)...].firstIndex(of: 0x22)
            else { return }
            replaceSubrange(open + 1..<close, with: piece)
        default: self[start] = UInt8.random(in: 0...255, using: &generator)
        }
    }
}
