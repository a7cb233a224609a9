import Foundation
import TestSupport
import Testing
import ToolSupport

/// Values that a tool generates under names of its own come back from an import and an export.
@Suite struct GeneratedValueTests {
    @Test(
        "a source comes back from an import and an export",
        arguments: [
            (["postman"], "c.json", postman, [#"?id={{$guid}}&n={{$randomInt}}&at={{$isoTimestamp}}""#, postmanBody]),
            (
                ["http"], "c.http",
                "GET http://h/a?id={{$guid}}&n={{$randomInt 1 7}}\nA: {{$timestamp -7 d}}\nB: {{$datetime rfc1123}}\nC: {{$timestamp}}\nD: {{$datetime iso8601 2 h}}\nE: {{$datetime iso8601}}\nF: {{$randomInt 0 999999999}}\n",
                [
                    "?id={{$guid}}&n={{$randomInt 1 7}}\n", "\nA: {{$timestamp -7 d}}\n",
                    "\nB: {{$datetime rfc1123}}\n",
                    "\nC: {{$timestamp}}\n", "\nD: {{$datetime iso8601 2 h}}\n", "\nE: {{$datetime iso8601}}\n",
                    "\nF: {{$randomInt 0 999999999}}\n",
                ]
            ),
            (
                ["http", "--flavor", "jetbrains"], "c.http",
                "GET http://h/a\nA: {{$random.uuid}}\nB: {{$random.hexadecimal(9)}}\nC: {{$random.integer(5, 9)}}\nD: {{$isoTimestamp}}\nE: {{$random.integer()}}\nF: {{$timestamp}}\n",
                [
                    "\nA: {{$uuid}}\n", "\nB: {{$random.hexadecimal(9)}}\n", "\nC: {{$random.integer(5, 9)}}\n",
                    "\nD: {{$isoTimestamp}}\n", "\nE: {{$random.integer()}}\n", "\nF: {{$timestamp}}\n",
                ]
            ),
            (
                ["hurl"], "c.hurl", "GET http://h/a/{{newUuid}}\nA: {{newDate}}\n",
                ["GET {{baseUrl}}/a/{{newUuid}}\n", "A: {{newDate}}\n"]
            ),
        ] as [([String], String, String, [String])])
    func comesBack(words: [String], name: String, source: String, parts: [String]) async throws {
        let workspace = try ToolWorkspace([name: source, "environments/development.json": #"{"baseURL": "http://h"}"#])
        let read = try await Tool.run(["import", words[0], name, "--into", "."], in: workspace)
        #expect(read.status == 0, "\(read.errors)")
        let run = try await Tool.run(["export"] + words, in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        for part in parts { #expect(run.outputText.contains(part), "\(part)\n\(run.outputText)") }
        #expect(!run.errors.contains("has functions") && !run.errors.contains("can't generate"), "\(run.errors)")
    }

    private static let postmanBody =
        #""raw": "{\n  \"n\": {{$randomInt}},\n  \"s\": \"{{$randomPassword}} {{$randomAlphaNumeric}}\",\n  \"t\": {{$timestamp}}\n}""#
    private static let postman = #"""
        {"info": {"name": "c", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}, "item": [
         {"name": "a", "request": {"method": "POST", "url": "http://h/a?id={{$randomUUID}}&n={{$randomInt}}&at={{$isoTimestamp}}",
          "header": [{"key": "Content-Type", "value": "application/json"}],
          "body": {"mode": "raw", "raw": "{\"n\": {{$randomInt}}, \"s\": \"{{$randomPassword}} {{$randomAlphaNumeric}}\", \"t\": {{$timestamp}}}"}}}]}
        """#

    @Test(
        "a function that means the same as a tool's value is written as this value",
        arguments: [
            ("postman", ["{{$isoTimestamp}}", "{{$timestamp}}", "{{$randomInt}}"], 1),
            ("http", ["{{$datetime iso8601}}", "{{$timestamp}}", "{{$randomInt 0 1001}}"], 1),
            ("hurl", ["{{newDate}}"], 2), ("k6", ["isoTimestamp", "timestamp"], 2),
        ])
    func sameMeaning(format: String, parts: [String], notes: Int) async throws {
        let workspace = try ToolWorkspace([
            "endpoints/a.json": #"""
            {"path": "a", "headers": {"A": "{{ $now  |  iso }}", "B": "{{$now | unix}}", "C": "{{$random.int 0  1000}}", "D": "{{$random.hex 4}}"},
             "expect": {"headers": {"C": "{{$random.int 0 1000}}"}}}
            """#, "environments/development.json": #"{"baseURL": "http://h"}"#,
        ])
        let run = try await Tool.run(["export", format], in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        for part in parts { #expect(run.outputText.contains(part), "\(part)\n\(run.outputText)") }
        let functions = run.errors.split(separator: "\n").filter { $0.contains("has functions") }
        #expect(functions.count == notes, "\(run.errors)")
        guard format != "http" else { return }
        #expect(run.errors.contains("conditions with a generated value are not converted"), "\(run.errors)")
    }
}
