import CommandLineKit
import JSONRPC
import ReqcliText
import TestSupport
import Testing

@testable import Commands

/// The parts of `mcp` that start no process: the table of tools, words of command lines, revisions, masks and sizes.
@Suite struct AgentTests {
    private func value(_ json: String) throws -> JSONValue {
        try #require(JSONDocument.read(SourceFile(name: "test", text: json)).validRoot)
    }

    private func words(_ tool: String, _ arguments: String) throws -> [String] {
        let tool = try #require(AgentTool.all.first { $0.name == tool })
        return try ToolWords(tool, try value(arguments)).words(root: "/shop", environments: ["staging", "local"])
    }

    // MARK: Tools

    @Test("Each tool is a command that accepts the words, and the list of tools is small")
    func table() throws {
        for tool in AgentTool.all where tool.command != nil {
            var given: [String] = []
            for argument in tool.arguments where argument.name != "offset" {
                let example =
                    switch argument.kind {
                    case .text: argument.name == "env" ? "\"local\"" : "\"user.get\""
                    case .texts: "[\"user\"]"
                    case .values: "{\"id\":[1,\"-x\"]}"
                    case .count: "1"
                    }
                given.append("\"\(argument.name)\":\(example)")
            }
            let line = try words(tool.name, "{\(given.joined(separator: ","))}")
            guard case .run(let parsed) = try Program.spec.read(line).1.get() else {
                Issue.record("\(tool.name) is no command")
                continue
            }
            #expect(parsed.command.name == tool.command)
            #expect(parsed.givenOptions.map(\.name).contains("json"))
        }
        let list = OrderedJSON.object(["tools": .array(AgentTool.all.map(\.json))])
        #expect(AgentProtocol.complete(list, mayBeKept: true).compact.utf8.count < 8 << 10)
    }

    @Test("A tool that can change something says so, and is offered only where changes are allowed")
    func effects() {
        let offered = AgentTool.offered(allowingChanges: false)
        #expect(!offered.contains { $0.name == "change" })
        #expect(AgentTool.offered(allowingChanges: true).contains { $0.name == "change" })
        for tool in AgentTool.all {
            let text = tool.json.compact
            #expect(text.contains("\"readOnlyHint\":\(tool.name != "change")"))
            #expect(text.contains("\"openWorldHint\":\(["send", "change"].contains(tool.name))"))
        }
    }

    @Test("Limits are the same after they were a word of a command line, and damaged ones are refused")
    func rules() throws {
        var rule = AgentRule()
        rule.pins = ["/w/environments/staging.json": "ab", "/w/.env": ""]
        rule.methods = ["PUT"]
        rule.endpoints = ["auth.login": "POST"]
        rule.files = ["/w/endpoints/auth.json": "cd"]
        rule.reading = "cart.get"
        let read = try #require(AgentRule(reading: rule.word))
        #expect(read.word == rule.word)
        #expect(read.pins == rule.pins && read.endpoints == rule.endpoints && read.reading == "cart.get")
        for word in ["", "{", "[]", "send"] { #expect(AgentRule(reading: word) == nil) }
    }

    @Test("Words of an agent are never options, and the environment is one of the server's")
    func wordsOfCalls() throws {
        let fixed = ["--json", "--no-color", "--workspace=/shop"]
        #expect(
            try words("render", #"{"endpoint":"user.get","params":{"id":"--reveal","names":["-o","x"],"n":1.50}}"#)
                == ["render"] + fixed + [
                    "--env=staging", "--", "user.get", "id=--reveal", "names=-o", "names=x", "n=1.50",
                ])
        #expect(try words("list", #"{"select":["--trust"]}"#) == ["list"] + fixed + ["--", "--trust"])
        #expect(try words("show", #"{"id":"-x"}"#) == ["show"] + fixed + ["--", "-x"])
        #expect(try words("explain", #"{"endpoint":"a","env":"local"}"#).contains("--env=local"))
    }

    @Test(
        "What would be another request, option or environment is refused",
        arguments: [
            ("render", "{}", "render needs \"endpoint\""),
            ("render", #"{"endpoint":"https://h"}"#, "is not an endpoint's id"),
            ("render", #"{"endpoint":"/users"}"#, "is not an endpoint's id"),
            ("render", #"{"endpoint":"a","params":{"id@":"/etc/passwd"}}"#, "is not the name of a param"),
            ("render", #"{"endpoint":"a","params":{"--reveal":1}}"#, "is not the name of a param"),
            ("render", #"{"endpoint":"a","params":{"Accept:":"x"}}"#, "is not the name of a param"),
            ("render", #"{"endpoint":"a","params":[1]}"#, "must be an object"),
            ("render", #"{"endpoint":"a","params":{"id":"x\u0000y"}}"#, "NUL"),
            ("render", #"{"endpoint":"a","env":"production"}"#, "does not allow the environment \"production\""),
            ("render", #"{"endpoint":"a","reveal":true}"#, "render has no argument \"reveal\""),
            ("list", #"{"select":"user"}"#, "must be a list of strings"),
            ("list", #"{"offset":-1}"#, "must be an integer"),
            ("validate", "[]", "must be an object"),
        ])
    func refusals(tool: String, arguments: String, message: String) throws {
        let problem = #expect(throws: ToolProblem.self) { try words(tool, arguments) }
        #expect(problem?.message.contains(message) == true, "\(problem?.message ?? "")")
    }

    // MARK: Revisions

    @Test("A version in a request is known or refused with those that are; without one, initialize comes first")
    func revisions() throws {
        var revisions = AgentProtocol()
        func request(_ version: String) throws -> JSONValue {
            try value(#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"\#(version)"}}"#)
        }
        #expect(try revisions.isNamed(in: try request("2026-07-28"), of: "tools/list"))
        let unknown = #expect(throws: RPCError.self) {
            try revisions.isNamed(in: try request("2027-01-01"), of: "tools/list")
        }
        #expect(unknown?.code == -32022)
        #expect(
            unknown?.json.compact.contains(
                #""data":{"supported":["2026-07-28","2025-11-25","2025-06-18"],"requested":"2027-01-01"}"#) == true)
        #expect(throws: RPCError.self) { try revisions.isNamed(in: nil, of: "tools/list") }
        #expect(try !revisions.isNamed(in: nil, of: "ping"))
        for (asked, agreed) in [
            ("2025-06-18", "2025-06-18"), ("2024-11-05", "2025-11-25"), ("2025-11-25", "2025-11-25"),
        ] {
            let answer = revisions.initialize(try value(#"{"protocolVersion":"\#(asked)"}"#))
            #expect(answer.compact.hasPrefix(#"{"protocolVersion":"\#(agreed)""#))
        }
        #expect(try !revisions.isNamed(in: nil, of: "tools/list"))
    }

    // MARK: Masks

    @Test(
        "What looks like a secret is masked, placeholders and masks stay",
        arguments: [
            (#"{"password":"hunter2"}"#, #"{"password":"<password>"}"#),
            (#"{"password":"{{secret.password}}"}"#, #"{"password":"{{secret.password}}"}"#),
            (#"{"password":"{{a}}hunter2{{b}}"}"#, #"{"password":"<password>"}"#),
            (#"{"name":"Cookie","value":"a=b"}"#, #"{"name":"Cookie","value":"<Cookie>"}"#),
            (
                #"{"name":"Authorization","value":"Bearer <secret.token>"}"#,
                #"{"name":"Authorization","value":"Bearer <secret.token>"}"#
            ),
            (
                #"{"part":"header Authorization","values":[{"value":"Bearer abc","origin":"x"}],"shadowed":[{"value":"Basic eA=="}]}"#,
                #"{"part":"header Authorization","values":[{"value":"<Authorization>","origin":"x"}],"shadowed":[{"value":"<Authorization>"}]}"#
            ),
            (#"{"text":"{\"password\":\"hunter2\"}"}"#, #"{"text":"{\"password\":\"<password>\"}"}"#),
            (#"{"url":"https://h/?access_token=abc123def456"}"#, #"{"url":"https://h/?access_token=<access_token>"}"#),
            (#"{"id":"user.get","method":"GET"}"#, #"{"id":"user.get","method":"GET"}"#),
        ])
    func masks(json: String, masked: String) throws {
        #expect(AgentMasks.masked(OrderedJSON(try value(json))).compact == masked)
    }

    // MARK: Results

    private func content(_ result: OrderedJSON) throws -> JSONValue {
        try #require(try value(result.compact)["structuredContent"])
    }

    @Test("A large result is its shape and a call, with which all of it is read in parts")
    func largeResults() throws {
        var results = AgentResults(size: AgentResults.smallestSize, prefix: "abc")
        let large = OrderedJSON.object(["items": .array((0..<500).map { .object(["id": .int($0), "name": "\"é\""]) })])
        let outline = results.result(large)
        #expect(outline.compact.utf8.count < AgentResults.smallestSize)
        #expect(try content(outline)["call"]?.string == "abc-1")
        #expect(outline.compact.contains("\"shape\""))
        var text = ""
        var offset: Int? = 0
        while let from = offset {
            let part = results.read("abc-1", select: nil, offset: from)
            #expect(part.compact.utf8.count < AgentResults.smallestSize)
            let content = try content(part)
            text += content["text"]?.string ?? ""
            offset = content["next"].flatMap { Int($0.numberText) }
        }
        #expect(text == large.compact)
        #expect(
            try content(results.read("abc-1", select: "$.items[3].id", offset: nil))["value"]?.numberText == "3")
        #expect(
            try content(results.read("abc-1", select: "$.items[1:3].id", offset: nil))["value"]?.text == "[1,2]")
        for (id, path) in [("abc-2", nil), ("abc-1", "items"), ("abc-1", "$.no")] {
            #expect(results.read(id, select: path, offset: nil).compact.contains(#""isError":true"#))
        }
    }

    @Test("Pages follow each other without gaps, also with an entry that is too large alone")
    func pages() throws {
        var results = AgentResults(size: AgentResults.smallestSize, prefix: "abc")
        var entries = (0..<200).map { OrderedJSON.object(["id": .string("user.\($0)")]) }
        var seen = 0
        while seen < entries.count {
            let page = results.page(entries, from: seen, adding: [])
            #expect(page.compact.utf8.count < AgentResults.smallestSize)
            let content = try content(page)
            #expect(content["entries"]?.elements.first(where: { _ in true })?["id"]?.string == "user.\(seen)")
            let next = content["next"].flatMap { Int($0.numberText) }
            #expect(next ?? entries.count > seen)
            seen = next ?? entries.count
        }
        #expect(results.page(entries, from: 201, adding: []).compact.contains(#""isError":true"#))
        entries = [.string(String(repeating: "x", count: 9000)), "small"]
        #expect(try content(results.page(entries, from: 0, adding: []))["call"]?.string == "abc-1")
    }

    @Test("The last 100 large results are kept")
    func keptResults() throws {
        var results = AgentResults(size: AgentResults.smallestSize, prefix: "abc")
        for index in 0..<101 {
            _ = results.result(.object(["text": .string(String(repeating: "x", count: 5000 + index))]))
        }
        #expect(results.read("abc-1", select: nil, offset: nil).compact.contains(#""isError":true"#))
        #expect(results.read("abc-2", select: nil, offset: nil).compact.contains(#""isError":false"#))
    }
}
