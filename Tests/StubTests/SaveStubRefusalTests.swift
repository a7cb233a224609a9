import Commands
import Exchange
import Foundation
import HostileServing
import RequestBuilding
import Synchronization
import Testing

/// When `--save-stub` keeps nothing: told, with a status of its own, and every file as it was.
struct SaveStubRefusalTests {
    private static let endpoint = """
        {
          "path": "/a",
          "stubs": { "variants": {
            "old": { "json": [] } } }
        }
        """

    private static let answer = Response(status: 200, headers: ["Content-Type": "text/plain"], body: Data("body".utf8))

    private func answering(_ response: Response = answer) -> InProcess {
        var program = InProcess()
        program.response = { _ in response }
        return program
    }

    /// A network that must not be asked.
    private static let silent = InProcess(response: { _ in
        Issue.record("a request was sent")
        return answer
    })

    @Test(
        "What can be known before isn't sent at all",
        arguments: [
            (["--save-stub", "old"], 2, "endpoints/a.json:4:5: error: a has a stub variant \"old\" already\n"),
            (["--save-stub", "there"], 2, "error: stubs/a.there.json is there already\n"),
            (["--save-stub", "link"], 2, "error: stubs/a.link.txt is there already\n"),
            (
                ["--save-stub", "a b"], 2,
                "error: --save-stub takes a name of letters, digits, _ and -; found \"a b\"\n"
            ),
            (
                ["--save-stub", "../x"], 2,
                "error: --save-stub takes a name of letters, digits, _ and -; found \"../x\"\n"
            ),
            (["--save-stub", "x", "--stub"], 2, "error: --save-stub keeps a real answer, and --stub asks for none\n"),
            (["--force"], 2, "error: --force goes with --save-stub\n"),
            (
                ["--save-stub", "x", "-e", "offline"], 2,
                "error: --save-stub keeps a real answer, and offline answers from stubs\n"
            ),
        ] as [([String], Int32, String)])
    func before(_ words: [String], _ status: Int32, _ message: String) async throws {
        let workspace = try TestWorkspace([
            "endpoints/a.json": Self.endpoint, "stubs/a.there.json": "mine",
            "environments/offline.json": #"{ "extends": "development", "stubs": { "*": "old" } }"#,
        ])
        try FileManager.default.createSymbolicLink(
            atPath: workspace.path("stubs/a.link.txt"), withDestinationPath: "nowhere")
        let contents = workspace.contents
        let run = await Self.silent.run(["send", "a"] + words, in: workspace)
        #expect(run.status == status)
        #expect(run.messages.hasPrefix(message), "\(run)")
        #expect(workspace.contents == contents)
    }

    @Test(
        "An answer that can't be kept is printed all the same, and the status is 9",
        arguments: [
            (
                Response(status: 200, headers: ["Content-Encoding": "br"], body: Data([1, 2])),
                "its body is coded as br"
            ),
            (
                Response(status: 200, headers: ["Content-Encoding": "gzip"], body: Data("no".utf8)),
                "its body ends before"
            ),
            (
                Response(status: 200, headers: ["Content-Encoding": "gzip"], body: Data("not gzip at all".utf8)),
                "its body is not what its Content-Encoding says"
            ),
            (Response(status: 999, body: Data("odd".utf8)), "endpoints/a.json would be broken: "),
            (Response(status: 200, body: Data(count: 64 << 20 + 1)), "its body is larger than 64 MiB"),
        ])
    func unfit(_ response: Response, _ reason: String) async throws {
        let workspace = try TestWorkspace(endpoint: Self.endpoint)
        let contents = workspace.contents
        let run = await answering(response).run(["send", "a", "--save-stub", "x"], in: workspace)
        #expect(run.status == 9)
        #expect(
            run.messages.hasPrefix("error: the answer can't be saved as the stub variant \"x\" of a: \(reason)"),
            "\(run.messages)")
        #expect(!run.output.isEmpty)
        #expect(workspace.contents == contents)
    }

    @Test("A failed answer is none to keep", arguments: [TransportError.Kind.truncated, .refused])
    func noAnswer(_ kind: TransportError.Kind) async throws {
        let workspace = try TestWorkspace(endpoint: Self.endpoint)
        let contents = workspace.contents
        var program = InProcess()
        program.response = { _ in throw TransportError(kind, target: "a.test") }
        let run = await program.run(["send", "a", "--save-stub", "x"], in: workspace)
        #expect(run.status == 6)
        #expect(workspace.contents == contents)
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
        }
        let cut = try Reqcli.run("send", "a", "--base-url", "\(server.url(""))", "--save-stub", "x", in: workspace.path)
        #expect(cut.status == 6)
        #expect(workspace.contents == contents)
    }

    @Test("Files that change while the answer is on its way are not overwritten")
    func changedMeanwhile() async throws {
        for (name, text, reason) in [
            ("endpoints/a.json", "{ broken", "endpoints/a.json has changed meanwhile"),
            ("stubs/a.x.txt", "mine", "stubs/a.x.txt has come up meanwhile"),
        ] {
            let workspace = try TestWorkspace(["endpoints/a.json": Self.endpoint, "stubs/other": ""])
            var program = InProcess()
            program.response = { _ in
                try workspace.write(name, text)
                return Self.answer
            }
            let run = await program.run(["send", "a", "--save-stub", "x"], in: workspace)
            #expect(run.status == 9)
            #expect(run.messages.contains(reason), "\(run.messages)")
            #expect(workspace.text(name) == text)
            #expect(workspace.contents.keys.filter { $0.contains("a.x") } == (name.contains("a.x") ? [name] : []))
        }
    }

    @Test("A change to the endpoint file meanwhile that still fits is kept")
    func editedMeanwhile() async throws {
        let workspace = try TestWorkspace(endpoint: Self.endpoint)
        var program = InProcess()
        program.response = { _ in
            try workspace.write("endpoints/a.json", #"{ "path": "/a", "description": "new" }"#)
            return Self.answer
        }
        let run = await program.run(["send", "a", "--save-stub", "x"], in: workspace)
        #expect(run.status == 0)
        #expect(
            workspace.text("endpoints/a.json")?.hasPrefix(#"{ "path": "/a", "description": "new", "stubs": "#) == true)
    }

    @Test("With --force a link is not written through")
    func link() async throws {
        let workspace = try TestWorkspace(["endpoints/a.json": Self.endpoint, "stubs/b": "", "outside": "mine"])
        try FileManager.default.createSymbolicLink(
            atPath: workspace.path("stubs/a.x.txt"), withDestinationPath: "../outside")
        let contents = workspace.contents
        let run = await answering().run(["send", "a", "--save-stub", "x", "--force"], in: workspace)
        #expect(run.status == 9)
        #expect(run.messages.contains("stubs/a.x.txt is not a regular file"))
        #expect(workspace.contents == contents)
    }

    @Test("Whichever write fails, no file is another than before", arguments: [false, true])
    func everyFailure(_ isReplacing: Bool) async throws {
        var files = ["endpoints/a.json": Self.endpoint]
        if isReplacing { files["stubs/a.old.txt"] = "before" }
        var failures = 0
        while failures < 50 {
            let workspace = try TestWorkspace(files)
            let contents = workspace.contents
            var program = answering()
            let count = Failing(after: failures)
            program.writing = count.writing
            let words = ["send", "a", "--save-stub", isReplacing ? "old" : "x"] + (isReplacing ? ["--force"] : [])
            let run = await program.run(words, in: workspace)
            if run.status == 0 { break }
            #expect(run.status == 9)
            #expect(run.messages.hasSuffix(": no space left on device\n"), "\(run.messages)")
            #expect(workspace.contents == contents, "after \(failures) writes")
            failures += 1
        }
        // Two new files, one or two copies of old ones, two renames; the folder and the first file's name where it is new.
        #expect(failures == (isReplacing ? 6 : 7))
    }

    @Test("Ctrl-C in the middle of an answer leaves the files as they were")
    func interrupted() throws {
        let isAsked = DispatchSemaphore(value: 0)
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
            isAsked.signal()
            connection.waitForClose()
        }
        let workspace = try TestWorkspace(endpoint: Self.endpoint)
        let contents = workspace.contents
        let running = try Reqcli.start(
            ["send", "a", "--base-url", "\(server.url(""))", "--save-stub", "x"], in: workspace.path,
            // Commands that run inside this process have it ignore the signal, which a child would go on doing.
            under: ["--default-signal=INT"])
        // Whoever has asked is past the point from which on signals are taken.
        isAsked.wait()
        running.process.interrupt()
        #expect(try running.end().status == 130)
        #expect(workspace.contents == contents)
    }
}

/// Writes for real so many times, then the disk is full.
private final class Failing: Sendable {
    private let left: Mutex<Int>

    init(after count: Int) { left = Mutex(count) }

    private func spend() throws(WritingProblem) {
        let isFull = left.withLock { left in
            left -= 1
            return left < 0
        }
        if isFull { throw WritingProblem("no space left on device") }
    }

    /// Tidying up still works: it takes no room.
    var writing: FileWriting {
        FileWriting(
            makeFolder: { [self] path throws(WritingProblem) in
                try spend()
                try FileWriting.live.makeFolder(path)
            },
            makeFile: { [self] path, bytes throws(WritingProblem) in
                try spend()
                try FileWriting.live.makeFile(path, bytes)
            },
            moveFolder: FileWriting.live.moveFolder,
            replaceFile: { [self] path, newPath throws(WritingProblem) in
                // What brings an old file back needs no room.
                if !path.hasSuffix(".old") { try spend() }
                try FileWriting.live.replaceFile(path, newPath)
            },
            remove: FileWriting.live.remove)
    }
}
