import Glibc
import HostileServing
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

    @Test("several requests that may change something need a yes or --yes; one, and those that change nothing, don't")
    func confirmed() async throws {
        let server = try RecordingServer()
        let workspace = try ToolWorkspace([:])
        let url = "127.0.0.1:\(server.port)/[1-3]"
        for words in [["DELETE", url], [url, "a=1"], ["POST", url], ["--no-input", "PUT", url, "a=1"]] {
            let run = try await Tool.run(words, in: workspace)
            #expect(run.status == 2 && run.errors.contains("pass --yes"), "\(words): \(run)")
        }
        #expect(server.requests.isEmpty)
        for (answer, count) in [("n", 0), ("y", 3)] {
            let terminal = try PseudoTerminal()
            let process = try Tool.start(
                ["DELETE", url, "-Q"], in: workspace, input: terminal.program, output: .descriptor(terminal.program),
                errors: .descriptor(terminal.program))
            #expect(await terminal.shows("The URL stands for 3 DELETE requests. Send them? [y/N] "))
            terminal.type(answer + "\n")
            let run = try await process.end()
            #expect(run.status == (count == 0 ? 8 : 0) && server.requests.count == count, "\(run)")
        }
        for words in [
            ["DELETE", url, "--yes"], ["DELETE", "127.0.0.1:\(server.port)/1"], ["HEAD", url],
            ["render", "DELETE", url],
        ] {
            let run = try await Tool.run(words, in: workspace)
            #expect(run.status == 0, "\(words): \(run)")
        }
        #expect(server.requests.count == 10)
    }

    @Test("each request of a range gets the body from a pipe")
    func pipedBody() async throws {
        let server = try RecordingServer()
        let workspace = try ToolWorkspace([:])
        let line = #"printf '{"a":1}' | "$1" POST "127.0.0.1:$2/[1-3]" -Q --yes"#
        let run = try await Tool.run(
            ["-c", line, "bash", Tool.path, "\(server.port)"], in: workspace.folder.path, program: ["bash"]
        )
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            server.requests.map { String(decoding: $0.body, as: UTF8.self) } == Array(repeating: #"{"a":1}"#, count: 3))
    }

    @Test("--jobs sends several at the same time, and the output keeps their order")
    func parallel() async throws {
        let arrived = Locked(0)
        // Nothing is answered before all are there, and the first one is answered last.
        let answered = Locked(0)
        let server = try HostileServer { connection in
            guard let request = connection.readRequest() else { return }
            arrived.withLock { $0 += 1 }
            wait(until: { arrived.withLock { $0 } == 4 })
            let number = Int(String(request.line.dropFirst("GET /".count).prefix(1))) ?? 0
            wait(until: { answered.withLock { $0 } == 4 - number })
            connection.respond(number == 3 ? 404 : 200, body: "\(number)\n")
            answered.withLock { $0 += 1 }
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace([:])
        let run = try await Tool.run(["127.0.0.1:\(server.port)/[1-4]", "--jobs", "4"], in: workspace)
        #expect(run.status == 4 && run.outputText == "1\n2\n3\n4\n", "\(run)")
        #expect(run.errors.contains("404"), "\(run.errors)")
        let jar = try await Tool.run(
            ["127.0.0.1:\(server.port)/[1-4]", "--jobs", "2", "--cookie-jar", "jar"], in: workspace)
        #expect(jar.status == 2 && jar.errors.contains("--cookie-jar"), "\(jar.errors)")
    }

    @Test("no more than --jobs are sent at the same time; by default, one")
    func limit() async throws {
        for (words, limit) in [([], 1), (["-j", "3"], 3)] {
            let (now, most) = (Locked(0), Locked(0))
            let server = try HostileServer { connection in
                while connection.readRequest() != nil {
                    let count = now.withLock { now in
                        now += 1
                        return now
                    }
                    most.withLock { $0 = max($0, count) }
                    now.withLock { $0 -= 1 }
                    connection.respond(200, body: "x")
                }
            }
            defer { server.stop() }
            let run = try await Tool.run(
                ["127.0.0.1:\(server.port)/[1-40]"] + words, in: try ToolWorkspace([:]))
            #expect(run.status == 0 && run.outputText == String(repeating: "x", count: 40), "\(run.errors)")
            #expect(server.requests.count == 40 && most.withLock { $0 } <= limit)
        }
    }

    @Test("a password is asked for once, for all requests of a range", arguments: ["1", "3"])
    func asked(_ jobs: String) async throws {
        let server = try RecordingServer()
        let terminal = try PseudoTerminal()
        let tool = try Tool.start(
            ["127.0.0.1:\(server.port)/[1-3]", "-Q", "-a", "ada", "-j", jobs], in: try ToolWorkspace([:]),
            input: terminal.program, errors: .descriptor(terminal.program))
        #expect(await terminal.shows("assword"))
        terminal.type("s3cret-word\n")
        let run = try await tool.end()
        let text = await terminal.finalText()
        #expect(run.status == 0 && text.ranges(of: "assword").count == 1, "\(text)")
        #expect(
            server.requests.map { $0.values("Authorization") }
                == Array(repeating: ["Basic YWRhOnMzY3JldC13b3Jk"], count: 3))
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

/// Waits until a condition is true that another connection changes.
private func wait(until isTrue: () -> Bool) {
    let end = ContinuousClock.now + .seconds(20)
    while !isTrue(), ContinuousClock.now < end { usleep(1000) }
}
