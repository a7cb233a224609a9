import Exchange
import Foundation
import ReqcliBasics
import ReqcliNetworking
import RequestBuilding
import TestSupport
import Testing

/// `diff` compares calls of the history.
struct HistoryDiffTests {
    @Test("diff compares two calls of the history, by their numbers or the last two of an endpoint")
    func diff() async throws {
        let ids = Mutex(0)
        var scene = try HistoryScene()
        scene.respond = { _ in
            let id = ids.withLock { id in
                id += 1
                return id
            }
            return Response(
                status: id == 3 ? 404 : 200, headers: ["Content-Type": "application/json"],
                body: Data(#"{"id": \#(id), "name": "Ada"}"#.utf8))
        }
        for _ in 0..<3 { _ = await scene.run("send", "user.get", "id=7", "-Q") }
        let sent = scene.requests.count
        let numbers = await scene.run("diff", "1", "2")
        #expect(numbers.status == 1, "\(numbers)")
        #expect(numbers.outputText.hasPrefix("user.get   call 1 200"), "\(numbers)")
        #expect(numbers.outputText.hasSuffix("    $.id   call 1 1   call 2 2\n"), "\(numbers)")
        let last = await scene.run("diff", "--last", "user.get", "--ignore", "$.id")
        #expect(last.status == 1 && last.outputText.contains("status   call 2 200   call 3 404"), "\(last)")
        #expect(await scene.run("diff", "2", "2").status == 0)
        #expect(scene.requests.count == sent, "nothing is sent")
    }

    @Test(
        "diff says which call there is not",
        arguments: [
            (["1", "9"], "there is no call 9 in the history"),
            (["--last", "user.get"], "the history has only one call of user.get"),
            (["--last", "user.login"], "the history has no call of user.login"),
            (["--last", "1", "2"], "--last takes one endpoint"),
            (["--last", "user.get", "-e", "staging"], "--last takes one endpoint"),
            (
                ["1", "2", "-H", "A: b"],
                "--header can only be used for new requests, but these calls are from the history"
            ),
        ])
    func diffWithoutCalls(_ words: [String], _ message: String) async throws {
        let scene = try HistoryScene()
        _ = await scene.run("send", "user.get", "id=7", "-Q")
        let run = await scene.run(["diff"] + words)
        #expect(run.status == 2 && run.errors.contains(message), "\(run)")
    }
}
