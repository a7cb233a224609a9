import Foundation
import HostileServing
import TestSupport
import Testing
import ToolSupport

/// Lists over several responses.
@Suite struct PageTests {
    /// A server that answers by the request's target.
    private static func server(_ respond: @escaping @Sendable (String, HostileConnection) -> Void) throws
        -> HostileServer
    {
        try HostileServer { connection in
            while let request = connection.readRequest() {
                respond(String(request.line.split(separator: " ")[1]), connection)
            }
        }
    }

    private func send(
        _ flags: [String] = [], pages: String? = nil, path: String = "/",
        _ respond: @escaping @Sendable (String, HostileConnection) -> Void
    ) async throws -> (run: ToolRun, targets: [String], workspace: ToolWorkspace) {
        let server = try Self.server(respond)
        defer { server.stop() }
        let described = pages.map { ", \"pages\": \($0)" } ?? ""
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)",
            endpoint: "{\"path\": \"\(path)\", \"headers\": {\"Authorization\": \"Bearer x\"}\(described)}")
        let run = try await Tool.run(["send", "it", "--paginate"] + flags, in: workspace)
        let targets = server.requests.map { String($0.line.split(separator: " ")[1]) }
        #expect(server.requests.allSatisfy { $0.values("Authorization") == ["Bearer x"] })
        return (run, targets, workspace)
    }

    @Test("without pages, lists go on by the link with rel=next, and items keep their bytes")
    func link() async throws {
        let (run, targets, _) = try await send { target, connection in
            switch target {
            case "/":
                connection.respond(
                    200, ["Link: </last>; rel=\"last\", <?page=2>; rel=\"x Next\""], body: "[1.0, {\"b\" : 1}]")
            case "/?page=2": connection.respond(200, ["Link: <a/../?page=3>; title=\"a, b\"; rel=next"], body: "[]")
            default: connection.respond(200, ["Link: </>; rel=first"], body: " [ \"\\u00e9\" ] ")
            }
        }
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(targets == ["/", "/?page=2", "/?page=3"])
        #expect(run.outputText == "[\n1.0,\n{\"b\" : 1},\n\"\\u00e9\"\n]\n")
    }

    @Test(
        "pages says where the items and the next page are",
        arguments: [
            (#"{"items": "$.data", "next": {"json": "$.next", "query": "cursor"}}"#, "/?cursor=a%26b"),
            (#"{"items": "$.data[*]", "next": {"json": "$.url"}}"#, "/two?x=%20y"),
            (#"{"items": "$.data", "next": {"count": "page"}}"#, "/?page=2"),
        ])
    func described(_ pages: String, _ second: String) async throws {
        let (run, targets, _) = try await send(pages: pages) { target, connection in
            switch target {
            case "/", "/?page=1":
                connection.respond(body: #"{"data": [{"n": 1}, 2], "next": "a&b", "url": "two?x= y"}"#)
            case "/?page=3": connection.respond(body: #"{"data": []}"#)
            default: connection.respond(body: #"{"data": [3, 4], "next": null, "url": ""}"#)
            }
        }
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(run.outputText == "[\n{\"n\": 1},\n2,\n3,\n4\n]\n")
        #expect(targets.dropFirst().first == second, "\(targets)")
    }

    @Test("pages are counted from the number in the query, up to one without items")
    func count() async throws {
        let (run, targets, _) = try await send(["-q", "page=4"], pages: #"{"next": {"count": "page", "from": 0}}"#) {
            $1.respond(body: $0 == "/?page=6" ? "[]" : "[1]")
        }
        #expect(run.outputText == "[\n1,\n1\n]\n" && targets == ["/?page=4", "/?page=5", "/?page=6"])
        let (empty, _, _) = try await send(pages: #"{"next": {"count": "page", "from": 0}}"#) { $1.respond(body: "[]") }
        #expect(empty.outputText == "[]\n" && empty.status == 0)
    }

    @Test("pages are counted in a query that is written as text, too")
    func countInText() async throws {
        let (run, targets, _) = try await send(
            pages: #"{"next": {"count": "page", "from": 0}}"#, path: #"/", "query": "flag&page=4&q=a+b"#
        ) { $1.respond(body: $0.contains("page=6") ? "[]" : "[1]") }
        #expect(run.outputText == "[\n1,\n1\n]\n", "\(run.errors)")
        #expect(targets == (4...6).map { "/?flag&page=\($0)&q=a+b" })
    }

    @Test("--select applies to each page")
    func selection() async throws {
        let pages = #"{"items": "$.data", "next": {"json": "$.next"}}"#
        for (flags, output) in [
            (["-s", "$.data[*].n"], "1\n2\n"), (["-s", "$.data[*].n", "--json"], "[\n1,\n2\n]\n"),
        ] {
            let (run, _, _) = try await send(flags, pages: pages) {
                $1.respond(body: $0 == "/" ? #"{"data": [{"n": 1}], "next": "/b"}"# : #"{"data": [{"n": 2}]}"#)
            }
            #expect(run.status == 0 && run.outputText == output, "\(run.errors)")
        }
        let (run, _, _) = try await send(["-s", "$.none"], pages: pages) { $1.respond(body: #"{"data": []}"#) }
        #expect(run.status == 1 && run.output.isEmpty)
    }

    @Test("no page of another origin is asked for, and no credential goes there")
    func otherOrigin() async throws {
        let other = try Self.server { $1.respond(body: "[]") }
        defer { other.stop() }
        for target in ["http://127.0.0.1:\(other.port)/", "//localhost:\(other.port)/", "https://127.0.0.1/"] {
            let (run, _, _) = try await send { $1.respond(200, ["Link: <\(target)>; rel=next"], body: "[1]") }
            #expect(run.status == 1 && run.errors.contains("which is another origin"), "\(run.errors)")
            // The list doesn't end, so that no reader takes it for whole.
            #expect(run.outputText == "[\n1")
        }
        #expect(other.requests.isEmpty)
    }

    @Test(
        "a list that isn't whole is said to be, and isn't ended",
        arguments: [
            ("[2]", "200", "</>; rel=next", 1, "which was already read"),
            ("oh", "500", "", 5, "page 2 failed: the response is 500"),
            ("[]", "404", "", 4, "page 2 failed: the response is 404"),
            ("{}", "200", "", 1, "page 2 is an object, not a list"),
            ("[2", "200", "", 1, "page 2 is not JSON"),
            ("[2]", "200", "<gopher://x>; rel=next", 1, "no valid URL for the next page: it leads to gopher:"),
        ])
    func failures(_ body: String, _ status: String, _ link: String, _ exit: Int32, _ message: String) async throws {
        let (run, _, workspace) = try await send(["-o", "list.json"]) { target, connection in
            if target == "/" {
                connection.respond(200, ["Link: </2>; rel=next"], body: "[1]")
            } else {
                connection.respond(Int(status) ?? 0, ["Link: \(link)"], body: body)
            }
        }
        #expect(run.status == exit && run.errors.contains(message), "\(run.errors)")
        #expect(workspace.files.isEmpty)
    }

    @Test("a first page that fails is shown like any response")
    func firstFails() async throws {
        let (run, _, _) = try await send { $1.respond(503, body: "later") }
        #expect(run.status == 5 && run.outputText == "later")
    }

    @Test("after --max-pages, more to come is status 1")
    func limit() async throws {
        let respond: @Sendable (String, HostileConnection) -> Void = { target, connection in
            let page = Int(target.split(separator: "=").last ?? "1") ?? 1
            connection.respond(200, page < 3 ? ["Link: <?p=\(page + 1)>; rel=next"] : [], body: "[\(page)]")
        }
        let (short, targets, _) = try await send(["--max-pages", "2"], respond)
        #expect(short.status == 1 && short.outputText == "[\n1,\n2\n]\n" && targets.count == 2)
        #expect(short.errors.contains("--max-pages 2"))
        let (whole, _, _) = try await send(["--max-pages", "3"], respond)
        #expect(whole.status == 0 && whole.outputText == "[\n1,\n2,\n3\n]\n")
    }

    @Test("flags that contradict --paginate are refused")
    func contradictions() async throws {
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:1")
        for flags in [["--json"], ["--max-events", "1"], ["--for", "1"], ["--headers"], ["--save-stub", "a"]] {
            #expect(try await Tool.run(["send", "it", "--paginate"] + flags, in: workspace).status == 2)
        }
        #expect(try await Tool.run(["send", "it", "--max-pages", "2"], in: workspace).status == 2)
    }
}
