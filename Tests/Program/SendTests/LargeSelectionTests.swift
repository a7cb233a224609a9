import HostileServing
import Testing
import ToolSupport

/// `--select` in a JSON text of more than a megabyte, which isn't kept whole.
struct LargeSelectionTests {
    private static let filler = String(
        repeating: #"{"name":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"},"#, count: 40_000)

    private func select(_ path: String, _ body: String, _ flags: [String] = []) async throws -> ToolRun {
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n")
            connection.send(Array(body.utf8))
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)", endpoint: #"{ "path": "/" }"#)
        return try await Tool.run(["send", "it", "--select", path] + flags, in: workspace)
    }

    @Test("values before and after the filler are selected")
    func selected() async throws {
        let body = #"{"a":{"b":[1,{"c":2}]},"list":[\#(Self.filler){"name":"last"}],"z":"end"}"#
        #expect(try await select("$.z", body).outputText == "end\n")
        #expect(try await select("$.a.b[1]", body).outputText == #"{"c":2}"# + "\n")
        #expect(try await select("$.list[40000].name", body).outputText == "last\n")
        #expect(try await select("$.list[?@.name == 'last']", body, ["--json"]).outputText.contains(#""name": "last""#))
    }

    @Test("a path that finds nothing says what is there")
    func nothing() async throws {
        let run = try await select("$.list[*].id", #"{"list":[\#(Self.filler){"name":"last"}],"z":1}"#)
        #expect(run.status == 1)
        #expect(run.errors.contains("finds nothing: the object there has name"), "\(run.errors)")
        let other = try await select("$.x.y", #"{"a":1,"list":[\#(Self.filler)2],"z":1}"#)
        #expect(other.errors.contains("finds nothing: the object there has a, list, z"), "\(other.errors)")
    }

    @Test("a text that is not JSON selects nothing")
    func broken() async throws {
        let early = try await select("$.z", #"{"z":1,"list":[\#(Self.filler)2"#)
        #expect(early.status == 1 && early.outputText == "")
        #expect(early.errors.contains("the body is not JSON: it ends too early"), "\(early.errors)")
        let wrong = try await select("$.z", #"{"z":1,"list":[\#(Self.filler)nul],"y":2}"#)
        #expect(wrong.status == 1 && wrong.outputText == "")
        #expect(wrong.errors.contains("the body is not JSON: it has an error at byte "), "\(wrong.errors)")
    }
}
