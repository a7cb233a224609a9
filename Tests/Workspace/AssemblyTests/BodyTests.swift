import ReqcliAssembly
import ReqcliDefinitions
import ReqcliNetworking
import ReqcliText
import RequestBuilding
import TestSupport
import Testing

@Suite("Bodies")
struct BodyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let written: String
        let body: String
        let type: String
        var testDescription: String { written }
    }

    static let rows = [
        Row(
            written: #"{"json": {"b": 1.0, "a": [null, "é\n"]}}"#, body: #"{"b":1.0,"a":[null,"é\n"]}"#,
            type: "application/json"),
        Row(written: #"{"json": null}"#, body: "null", type: "application/json"),
        Row(written: #"{"json": "x"}"#, body: "\"x\"", type: "application/json"),
        Row(written: #"{"text": "a\r\nb é"}"#, body: "a\r\nb é", type: "text/plain; charset=utf-8"),
        Row(written: #"{"text": ""}"#, body: "", type: "text/plain; charset=utf-8"),
        Row(
            written: #"{"form": {"a b": "c&d", "e": ["1", 2, true], "empty": "", "gone": null, "é": "+"}}"#,
            body: "a%20b=c%26d&e=1&e=2&e=true&empty=&%C3%A9=%2B", type: "application/x-www-form-urlencoded"),
        Row(
            written: #"{"form": {"\\{{a}}": 1, "{b}": 2}}"#, body: "%7B%7Ba%7D%7D=1&%7Bb%7D=2",
            type: "application/x-www-form-urlencoded"),
        Row(
            written: #"{"json": {"\\{{a}}": {"b\\\\{{": 1}}}"#, body: #"{"{{a}}":{"b\\{{":1}}"#,
            type: "application/json"),
        Row(written: #"{"file": "data.bin"}"#, body: "<data.bin>", type: "application/octet-stream"),
        Row(written: #"{"base64": "aGk="}"#, body: "hi", type: "application/octet-stream"),
        Row(
            written:
                #"{"graphql": {"query": "query Q($id: ID!) { user(id: $id) { name }}", "variables": {"id": 5}, "operationName": "Q"}}"#,
            body: #"{"query":"query Q($id: ID!) { user(id: $id) { name }}","variables":{"id":5},"operationName":"Q"}"#,
            type: "application/json"),
        Row(written: #"{"graphql": {"query": "{ a }"}}"#, body: #"{"query":"{ a }"}"#, type: "application/json"),
    ]

    @Test("Each kind is sent as it is meant, with the type that follows from it", arguments: rows)
    func kind(_ row: Row) throws {
        var scenario = Scenario(#"{"method": "POST", "body": \#(row.written)}"#)
        scenario.files["data.bin"] = "bytes"
        let wire = try scenario.wire()
        #expect(wire.body == row.body)
        // GraphQL has a media type of its own to ask for.
        #expect(wire.headers.filter { !$0.hasPrefix("Accept: ") } == ["Content-Type: \(row.type)"])
    }

    @Test("Bytes that are no text go as they are")
    func base64() throws {
        let assembled = try Scenario(#"{"body": {"base64": "AP/+gA=="}}"#).assembled()
        #expect(assembled.request.body == .data(Data([0, 0xFF, 0xFE, 0x80])))
    }

    @Test(
        "A Content-Type of an environment or of a group's defaults goes out only with a body, an endpoint's own always",
        arguments: [
            ("{}", []),
            (#"{"body": {"base64": "aGk="}}"#, ["Content-Type: application/octet-stream"]),
            (#"{"headers": {"Content-Type": "c/d"}}"#, ["Content-Type: c/d"]),
            (#"{"body": {"base64": "aGk="}, "environments": {"env": {"body": null}}}"#, []),
        ])
    func sharedContentType(_ endpoint: String, _ headers: [String]) throws {
        let type = #""headers": {"Content-Type": "a/b"}"#
        let environment = #"{"baseURL": "http://h", \#(type)}"#
        #expect(try Scenario(endpoint, environment: environment).wire().headers == headers)
        #expect(try Scenario(endpoint, defaults: "{\(type)}").wire().headers == headers)
    }

    @Test("A body given by flag has the Content-Type that the environment gives")
    func sharedContentTypeOfFlag() throws {
        var scenario = Scenario(
            environment: #"{"baseURL": "http://h", "headers": {"Content-Type": "a/b"}}"#)
        scenario.overrides = [CommandLineOverride(.body(text: "{}"), flag: "--body")]
        #expect(try scenario.wire().headers == ["Content-Type: a/b"])
    }

    @Test("A part with a list is sent once for each of its elements, those that are absent left out")
    func repeatedParts() throws {
        var scenario = Scenario(
            #"""
            {"params": {"o": {"type": "string", "required": false}},
             "body": {"multipart": {"files": [{"file": "a"}, {"file": "b"}], "tag": ["x", "{{o}}", 2], "none": []}}}
            """#)
        scenario.files["a"] = "a"
        scenario.files["b"] = "b"
        let parts = try scenario.assembled().parts()
        #expect(parts.map(\.content) == ["<a>", "<b>", "x", "2"])
        #expect(
            parts.map { $0.head[0] } == [
                "Content-Disposition: form-data; name=\"files\"; filename=\"a\"",
                "Content-Disposition: form-data; name=\"files\"; filename=\"b\"",
                "Content-Disposition: form-data; name=\"tag\"", "Content-Disposition: form-data; name=\"tag\"",
            ])
    }

    @Test("A multipart body has its parts in the file's order, files streamed")
    func multipart() throws {
        var scenario = Scenario(
            #"""
            {"params": {"name": {"type": "string"}},
             "body": {"multipart": {
               "who": "{{name}}", "age": 36, "json": {"text": "{}", "contentType": "application/json"},
               "photo": {"file": "img/a.png"},
               "other": {"file": "img/b", "filename": "c.txt", "contentType": "text/plain"}}}}
            """#, "name=Ada")
        scenario.files["img/a.png"] = "png"
        scenario.files["img/b"] = "b"
        let assembled = try scenario.assembled()
        let parts = try assembled.parts()
        #expect(
            parts.map { $0.head + [$0.content] } == [
                ["Content-Disposition: form-data; name=\"who\"", "Ada"],
                ["Content-Disposition: form-data; name=\"age\"", "36"],
                ["Content-Disposition: form-data; name=\"json\"", "Content-Type: application/json", "{}"],
                [
                    "Content-Disposition: form-data; name=\"photo\"; filename=\"a.png\"",
                    "Content-Type: image/png", "<img/a.png>",
                ],
                [
                    "Content-Disposition: form-data; name=\"other\"; filename=\"c.txt\"", "Content-Type: text/plain",
                    "<img/b>",
                ],
            ])
        #expect(assembled.request.body?.data == nil)
    }

    @Test("A file is seen from the workspace's root, and named as it can be read from the current folder")
    func filePath() throws {
        let cases = [
            ("data.bin", "/w", "data.bin"), ("data.bin", "/w/sub", "../data.bin"), ("sub/x", "/w/sub", "x"),
            ("../out", "/w", "/out"), ("~/home.bin", "/w", "/home/ada/home.bin"), ("/etc/data", "/w", "/etc/data"),
            ("data.bin", "/elsewhere/a/b/c/d", "/w/data.bin"),
        ]
        for (written, folder, expected) in cases {
            var scenario = Scenario(#"{"body": {"file": "\#(written)"}}"#)
            scenario.folder = folder
            scenario.otherFiles = [
                "/w/data.bin": [1], "/w/sub/x": [1], "/out": [1], "/home/ada/home.bin": [1], "/etc/data": [1],
            ]
            scenario.stub = { world in
                world.stub(variables: ["HOME": "/home/ada"])
                world.permits = { _, _ in .granted }
            }
            #expect(try scenario.wire().body == "<\(expected)>", "\(written) from \(folder)")
        }
    }

    @Test("All files that are missing are told at once")
    func missingFiles() throws {
        let scenario = Scenario(
            #"{"body": {"multipart": {"a": {"file": ⟦⟧"x"}, "b": "1", "c": {"file": ⟦⟧"y/{{name}}"}}}}"#,
            environment: #"{"baseURL": "http://h", "variables": {"name": "z"}}"#)
        let failure = try scenario.failure()
        #expect(failure.places == scenario.marks)
        #expect(
            failure.definitions.map(\.message) == [
                "there is no file \"x\" to send", "there is no file \"y/z\" to send",
            ])
    }

    struct Typed: Sendable, CustomTestStringConvertible {
        let name: String
        var environment = ""
        var defaults = ""
        var endpoint = #""body": {"json": 1}"#
        var overlay: String?
        let expected: [String]
        var testDescription: String { name }
    }

    @Test(
        "The Content-Type that a body implies beats earlier layers and gives way beside it and later",
        arguments: [
            Typed(name: "alone", expected: ["Content-Type: application/json"]),
            Typed(
                name: "an environment's header loses", environment: #""headers": {"content-type": "text/x"}"#,
                expected: ["Content-Type: application/json"]),
            Typed(
                name: "a group's header loses", defaults: #""headers": {"Content-Type": "text/x"}"#,
                expected: ["Content-Type: application/json"]),
            Typed(
                name: "a header beside it wins",
                endpoint: #""body": {"json": 1}, "headers": {"content-type": "text/x"}"#,
                expected: ["content-type: text/x"]),
            Typed(
                name: "wherever it is written",
                endpoint: #""headers": {"content-type": "text/x"}, "body": {"json": 1}"#,
                expected: ["content-type: text/x"]),
            Typed(
                name: "null beside it removes it", endpoint: #""body": {"json": 1}, "headers": {"Content-Type": null}"#,
                expected: []),
            Typed(
                name: "a header in a later layer wins", overlay: #"{"headers": {"Content-Type": "text/x"}}"#,
                expected: ["Content-Type: text/x"]),
            Typed(
                name: "a later body has its own", overlay: #"{"body": {"text": "x"}}"#,
                expected: ["Content-Type: text/plain; charset=utf-8"]),
            Typed(
                name: "a later body beats the header beside the earlier one",
                endpoint: #""body": {"json": 1}, "headers": {"Content-Type": "text/x"}"#,
                overlay: #"{"body": {"text": "x"}}"#, expected: ["Content-Type: text/plain; charset=utf-8"]),
            Typed(name: "it goes with its body", overlay: #"{"body": null}"#, expected: []),
            Typed(
                name: "a header that is written out stays when the body goes",
                endpoint: #""body": {"json": 1}, "headers": {"Content-Type": "text/x"}"#, overlay: #"{"body": null}"#,
                expected: ["Content-Type: text/x"]),
            Typed(
                name: "without a body the environment's header is not sent",
                environment: #""headers": {"Content-Type": "text/x"}"#, endpoint: "", expected: []),
        ])
    func contentType(_ row: Typed) throws {
        let environment = [#""baseURL": "http://h""#, row.environment].filter { !$0.isEmpty }.joined(separator: ", ")
        let wire = try Scenario(
            "{\(row.endpoint)}", environment: "{\(environment)}", defaults: "{\(row.defaults)}", overlay: row.overlay
        ).wire()
        #expect(wire.headers == row.expected)
    }
}
