import CommandLineKit
import Exchange
import Foundation
import HostileServing
import ReqcliAssembly
import ReqcliBasics
import ReqcliText
import RequestBuilding
import TestSupport
import Testing
import ToolSupport

@testable import Commands

/// If `--save-stub` cannot save a stub, it says so, has its own exit status, and changes no file.
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

    /// A network that must not be used.
    private static let silent = InProcess(response: { _ in
        Issue.record("a request was sent")
        return answer
    })

    @Test(
        "An error that is known in advance is reported before the request is sent",
        arguments: [
            (["--save-stub", "old"], 2, "endpoints/a.json:4:5: error: a already has a stub variant \"old\"\n"),
            (["--save-stub", "there"], 2, "error: stubs/a.there.json already exists\n"),
            (["--save-stub", "link"], 2, "error: stubs/a.link.txt already exists\n"),
            (
                ["--save-stub", "a b"], 2,
                "error: --save-stub takes a name of letters, digits, _ and -; found \"a b\"\n"
            ),
            (
                ["--save-stub", "../x"], 2,
                "error: --save-stub takes a name of letters, digits, _ and -; found \"../x\"\n"
            ),
            (
                ["--save-stub", "x", "--stub"], 2,
                "error: --save-stub and --stub contradict each other\n"
            ),
            (["--force"], 2, "error: --force can only be used together with --save or --save-stub\n"),
            (
                ["--save-stub", "x", "-e", "offline"], 2,
                "error: --save-stub needs the response of a server, but the environment offline responds from stubs\n"
            ),
        ] as [([String], Int32, String)])
    func before(_ words: [String], _ status: Int32, _ message: String) async throws {
        let workspace = try TemporaryFolder.workspace([
            "endpoints/a.json": Self.endpoint, "stubs/a.there.json": "mine",
            "environments/offline.json": #"{ "extends": "development", "stubs": { "*": "old" } }"#,
        ])
        try FileManager.default.createSymbolicLink(
            atPath: workspace.path("stubs/a.link.txt"), withDestinationPath: "nowhere")
        let contents = workspace.contents
        let run = await Self.silent.run(["send", "a"] + words, in: workspace)
        #expect(run.status == status)
        #expect(run.errors.hasPrefix(message), "\(run)")
        #expect(workspace.contents == contents)
    }

    @Test(
        "A response that cannot be saved is still printed, and the exit status is 9",
        arguments: [
            (
                Response(status: 200, headers: ["Content-Encoding": "compress"], body: Data([1, 2])),
                "its body has the Content-Encoding compress, which reqcli doesn't know"
            ),
            (
                Response(status: 200, headers: ["Content-Encoding": "gzip"], body: Data([0x1F, 0x8B, 8])),
                "its body ends before"
            ),
            (
                Response(status: 200, headers: ["Content-Encoding": "gzip"], body: Data("not gzip at all".utf8)),
                "its body does not match its Content-Encoding"
            ),
            (Response(status: 999, body: Data("odd".utf8)), "endpoints/a.json would not be valid: "),
            (Response(status: 200, body: Data(count: 64 << 20 + 1)), "its body is larger than 64 MiB"),
        ])
    func unfit(_ response: Response, _ reason: String) async throws {
        let workspace = try TemporaryFolder.workspace(endpoint: Self.endpoint)
        let contents = workspace.contents
        let run = await answering(response).run(["send", "a", "--raw", "--save-stub", "x"], in: workspace)
        #expect(run.status == 9)
        #expect(
            run.errors.contains("error: cannot save the response as the stub variant \"x\" of a: \(reason)"),
            "\(run.errors)")
        #expect(!run.outputText.isEmpty)
        #expect(workspace.contents == contents)
    }

    @Test("A failed response is not saved", arguments: [TransportError.Kind.truncated, .refused])
    func noAnswer(_ kind: TransportError.Kind) async throws {
        let workspace = try TemporaryFolder.workspace(endpoint: Self.endpoint)
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
        let cut = try await Tool.run(
            "send", "a", "--base-url", "\(server.url(""))", "--save-stub", "x", in: workspace.path)
        #expect(cut.status == 6)
        #expect(workspace.contents == contents)
    }

    @Test("Files that change while the response arrives are not overwritten")
    func changedMeanwhile() async throws {
        for (name, text, reason) in [
            ("endpoints/a.json", "{ broken", "endpoints/a.json has changed since it was read"),
            ("stubs/a.x.txt", "mine", "stubs/a.x.txt was created in the meantime"),
        ] {
            let workspace = try TemporaryFolder.workspace(["endpoints/a.json": Self.endpoint, "stubs/other": ""])
            var program = InProcess()
            program.response = { _ in
                try workspace.write(name, text)
                return Self.answer
            }
            let run = await program.run(["send", "a", "--save-stub", "x"], in: workspace)
            #expect(run.status == 9)
            #expect(run.errors.contains(reason), "\(run.errors)")
            #expect(workspace.text(name) == text)
            #expect(workspace.contents.keys.filter { $0.contains("a.x") } == (name.contains("a.x") ? [name] : []))
        }
    }

    @Test("An edit to the endpoint file while the response arrives is kept if it does not conflict")
    func editedMeanwhile() async throws {
        let workspace = try TemporaryFolder.workspace(endpoint: Self.endpoint)
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

    @Test("--force does not write through a link")
    func link() async throws {
        let workspace = try TemporaryFolder.workspace([
            "endpoints/a.json": Self.endpoint, "stubs/b": "", "outside": "mine",
        ])
        try FileManager.default.createSymbolicLink(
            atPath: workspace.path("stubs/a.x.txt"), withDestinationPath: "../outside")
        let contents = workspace.contents
        let run = await answering().run(["send", "a", "--save-stub", "x", "--force"], in: workspace)
        #expect(run.status == 9)
        #expect(run.errors.contains("stubs/a.x.txt is not a regular file"))
        #expect(workspace.contents == contents)
    }

    @Test("If any write fails, all files are left unchanged", arguments: [false, true])
    func everyFailure(_ isReplacing: Bool) async throws {
        var files = ["endpoints/a.json": Self.endpoint]
        if isReplacing { files["stubs/a.old.txt"] = "before" }
        var failures = 0
        while failures < 50 {
            let workspace = try TemporaryFolder.workspace(files)
            let contents = workspace.contents
            var program = answering()
            let count = Failing(after: failures)
            program.writing = count.writing
            let words = ["send", "a", "--save-stub", isReplacing ? "old" : "x"] + (isReplacing ? ["--force"] : [])
            let run = await program.run(words, in: workspace)
            if run.status == 0 { break }
            #expect(run.status == 9)
            #expect(run.errors.hasSuffix(": no space left on device\n"), "\(run.errors)")
            #expect(workspace.contents == contents, "after \(failures) writes")
            failures += 1
        }
        // Each file is written, each existing one is copied, and each is renamed; a new folder is created.
        // A replaced body is written twice, and so is the endpoint file.
        #expect(failures == (isReplacing ? 11 : 6))
    }

    @Test(
        "Killing the program leaves the variant and its body either both old or both new",
        arguments: ["there is none", "the body has another name", "the body has the same name", "it was killed before"])
    func killed(_ state: String) async throws {
        let variant =
            switch state {
            case "there is none": #""other": {}"#
            case "the body has another name": #""x": { "status": 201, "file": "mine.txt" }"#
            case "the body has the same name": #""x": { "status": 201, "file": "a.x.txt" }"#
            default: #""x": { "status": 201, "file": "a.x~.txt" }"#
            }
        var files = ["endpoints/a.json": #"{ "path": "/a", "stubs": { "variants": { \#(variant) } } }"#]
        for name in ["mine.txt", "a.x.txt", "a.x~.txt"] where variant.contains(name) { files["stubs/\(name)"] = "old" }
        if variant.contains("~") { files["stubs/a.x.txt"] = "half of what a run that was killed wrote" }
        var steps = 0
        var seen: Set<String> = []
        while steps < 50 {
            let workspace = try TemporaryFolder.workspace(files)
            var program = answering()
            program.writing = Failing(after: steps, isKilled: true).writing
            let run = await program.run(["send", "a", "--save-stub", "x", "--force"], in: workspace)
            let replayed = await Self.silent.run(["send", "a", "-i", "--stub", "x"], in: workspace)
            let lines = replayed.outputText.split(separator: "\n")
            seen.insert("\(replayed.status) \(lines.first ?? "") \(lines.last ?? "")")
            guard run.status != 0 else { break }
            steps += 1
        }
        let old = variant.contains("201") ? "0 HTTP/1.1 201 Created old" : "2  "
        #expect(seen == [old, "0 HTTP/1.1 200 OK body"], "after any of \(steps) steps")
        #expect(steps > 3)
    }

    @Test("The next run removes the copy of the body that a killed run left")
    func afterKilled() async throws {
        let workspace = try TemporaryFolder.workspace([
            "endpoints/a.json": #"{ "path": "/a", "stubs": { "variants": { "x": { "file": "a.x~.json" } } } }"#,
            "stubs/a.x~.json": "{}", "stubs/a.x.txt": "old", "stubs/a.xy.txt": "another",
        ])
        let run = await answering().run(["send", "a", "--save-stub", "x", "--force"], in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: workspace.path("stubs")).sorted() == [
                "a.x.txt", "a.xy.txt",
            ])
        #expect(workspace.text("stubs/a.x.txt") == "body")
    }

    @Test("A variant added while the response arrives is not replaced without --force")
    func variantMeanwhile() async throws {
        let workspace = try TemporaryFolder.workspace(endpoint: Self.endpoint)
        let text = #"{ "path": "/a", "stubs": { "variants": { "x": { "status": 204 } } } }"#
        var program = InProcess()
        program.response = { _ in
            try workspace.write("endpoints/a.json", text)
            return Self.answer
        }
        let run = await program.run(["send", "a", "--save-stub", "x"], in: workspace)
        #expect(run.status == 9)
        #expect(run.errors.contains("endpoints/a.json now has a variant of this name"), "\(run.errors)")
        #expect(workspace.text("endpoints/a.json") == text)
    }

    @Test("Ctrl-C during a response leaves the files unchanged")
    func interrupted() async throws {
        let isAsked = DispatchSemaphore(value: 0)
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
            isAsked.signal()
            connection.waitForClose()
        }
        let workspace = try TemporaryFolder.workspace(endpoint: Self.endpoint)
        let contents = workspace.contents
        let running = try Tool.start(
            ["send", "a", "--base-url", "\(server.url(""))", "--save-stub", "x"], in: workspace.path)
        // The request arrived, so the program already handles signals.
        isAsked.wait()
        running.send(signal: .interrupt)
        #expect(try await running.end().status == 130)
        #expect(workspace.contents == contents)
    }
}

/// Writes this many times, and then fails as if the disk was full, or as if the program was killed, which
/// cleans up nothing.
private final class Failing: Sendable {
    private let left: Mutex<Int>
    private let isKilled: Bool

    init(after count: Int, isKilled: Bool = false) {
        left = Mutex(count)
        self.isKilled = isKilled
    }

    private var isDead: Bool { isKilled && left.withLock { $0 < 0 } }

    private func spend() throws(WritingProblem) {
        let isFull = left.withLock { left in
            left -= 1
            return left < 0
        }
        if isFull { throw WritingProblem("no space left on device") }
    }

    /// Removing files still works on a full disk.
    var writing: FileWriting {
        FileWriting(
            makeFolder: { [self] path throws(WritingProblem) in
                try spend()
                try FileWriting.live.makeFolder(path)
            },
            moveFolder: FileWriting.live.moveFolder,
            stageFile: { [self] path, kind throws(WritingProblem) in
                let file = try FileWriting.live.stageFile(path, kind)
                let isCopy = Mutex(false)
                return StagedFile(
                    write: { [self] bytes throws(WritingProblem) in
                        // Restoring an old file needs no space.
                        let old = FileManager.default.contents(atPath: path)
                        isCopy.withLock { $0 = old.map(Array.init) == Array(bytes) }
                        try spend()
                        try file.write(bytes)
                    },
                    finish: { [self] () throws(WritingProblem) in
                        if !isCopy.withLock(\.self) || isKilled { try spend() }
                        try file.finish()
                    }, discard: { [self] in if !isDead { file.discard() } })
            },
            remove: { [self] path in if !isDead { FileWriting.live.remove(path) } })
    }
}
