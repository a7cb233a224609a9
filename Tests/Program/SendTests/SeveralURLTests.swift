import TestSupport
import Testing
import ToolSupport

/// Ranges and lists in typed URLs.
struct SeveralURLTests {
    @Test(
        "ranges and lists in a typed URL are a request each, in order, as in curl",
        arguments: [
            ("/a[1-3]", ["/a1", "/a2", "/a3"]), ("/{x,y/z}/[08-10:2]", ["/x/08", "/x/10", "/y/z/08", "/y/z/10"]),
            ("/[a-c]?p=[1-2]", ["/a?p=%5B1-2%5D", "/b?p=%5B1-2%5D", "/c?p=%5B1-2%5D"]), ("/[7-7]", ["/7"]),
            // What may be anything else is sent as it is.
            ("/{id}", ["/%7Bid%7D"]), ("/a[id]", ["/a%5Bid%5D"]),
            (#"/?q={"a":1,"b":2}"#, ["/?q=%7B%22a%22:1,%22b%22:2%7D"]),
            ("/?f={a,b}", ["/?f=%7Ba,b%7D"]), ("/?a[]=1", ["/?a%5B%5D=1"]), ("/[1-", ["/%5B1-"]),
            ("/%5B1-3%5D", ["/%5B1-3%5D"]),
        ])
    func sent(_ path: String, _ targets: [String]) async throws {
        let server = try RecordingServer()
        let workspace = try ToolWorkspace([:])
        let url = "127.0.0.1:\(server.port)\(path)"
        let run = try await Tool.run([url, "-Q", "X-A:1"], in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        #expect(server.requests.map(\.target) == targets)
        let rendered = try await Tool.run(["render", "--one-line", url], in: workspace)
        #expect(rendered.outputText.split(separator: "\n").count == targets.count, "\(rendered)")
    }

    @Test(
        "a range in a word after the URL is sent as it is",
        arguments: [["range=[a-z]"], ["ids={1,2}"], ["q==[1-3]"], ["X-A:[1-2]"]])
    func words(_ words: [String]) async throws {
        let server = try RecordingServer()
        for start in [[], ["POST"]] {
            let run = try await Tool.run(
                start + ["127.0.0.1:\(server.port)/s"] + words + ["-Q"], in: try ToolWorkspace([:]))
            #expect(run.status == 0, "\(run.errors)")
        }
        #expect(server.requests.count == 2)
    }

    @Test("each request of a range gets the body from a pipe")
    func pipedBody() async throws {
        let server = try RecordingServer()
        let workspace = try ToolWorkspace([:])
        let line = #"printf '{"a":1}' | "$1" POST "127.0.0.1:$2/[1-3]" -Q"#
        let run = try await Tool.run(
            ["-c", line, "bash", Tool.path, "\(server.port)"], in: workspace.folder.path, program: ["bash"]
        )
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            server.requests.map { String(decoding: $0.body, as: UTF8.self) } == Array(repeating: #"{"a":1}"#, count: 3))
    }

    @Test("each response goes to its own file, and an error of one doesn't stop the others")
    func files() async throws {
        let server = try RecordingServer()
        let workspace = try ToolWorkspace([:])
        let run = try await Tool.run(["127.0.0.1:\(server.port)/[1-2]/{a,b}", "-o", "x-#2-#1"], in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        #expect(workspace.files.filter { $0.hasPrefix("x-") }.sorted() == ["x-a-1", "x-a-2", "x-b-1", "x-b-2"])
        let closed = try await Tool.run(["http://127.0.0.1:{9,\(server.port)}/last", "-Q"], in: workspace)
        #expect(closed.status == 6 && server.requests.last?.target == "/last", "\(closed.errors)")
    }

    @Test(
        "an option for one request is refused before anything is sent",
        arguments: ["--watch", "--save=a.b", "--save-stub=c"])
    func refused(_ option: String) async throws {
        let server = try RecordingServer()
        let run = try await Tool.run(
            ["127.0.0.1:\(server.port)/[1-3]", option], in: try ToolWorkspace([:]))
        #expect(run.status == 2 && run.errors.contains("takes one request; the URL stands for 3"), "\(run.errors)")
        #expect(server.requests.isEmpty)
    }
}
