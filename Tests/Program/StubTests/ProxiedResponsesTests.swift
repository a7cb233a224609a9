import Dispatch
import Exchange
import Recording
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliMocking
import ReqcliText
import RequestBuilding
import TestSupport
import Testing

@testable import Commands

/// The end of a run whose responses aren't all written.
struct ProxiedResponsesTests {
    private let folder: TemporaryFolder
    private let workspace: Workspace
    private let engine: MockEngine
    private let output = LoggedBytes()
    private let log: ServeLog

    init() throws {
        folder = try TemporaryFolder([
            "endpoints/user.json": #"""
            { "endpoints": { "get": { "path": "{{id}}", "params": { "id": { "type": "integer" } } }, "all": { "path": "all" } } }
            """#, "environments/development.json": #"{ "baseURL": "http://a.test" }"#,
        ])
        var world = Context.live().world
        world.clock = WorldClock(date: { 0 }, elapsed: { .zero }, sleep: { _ in })
        workspace = Workspace(root: folder.path, currentFolder: folder.path, files: world.files)
        guard case .found(let environment) = workspace.environment("development").value else { throw NotFound() }
        let served = try ServedEndpoints(
            workspace.endpoints().value, of: workspace, WorkspaceReading(workspace, withScenarios: false),
            in: environment,
            by: RequestPattern.Maker(workspace, in: environment, world: world, version: "test"), fileSize: { _ in nil })
        var options = MockEngine.Options()
        options.proxying = .unnamed
        engine = MockEngine(served, world: world, options: options)
        let output = output
        log = ServeLog(Output { bytes in output.add(bytes) }, isJSON: true, clock: world.clock)
    }

    private struct NotFound: Error {}

    private func answers(_ writing: FileWriting) -> ProxiedResponses {
        ProxiedResponses(
            RequestRecorder(workspace, name: "r", mayReplace: false, writing),
            ProxiedDrift(workspace: workspace, rest: nil, isStrict: false), engine, log)
    }

    private func take(_ path: String, _ answers: ProxiedResponses) throws {
        let request = IncomingRequest(method: "GET", path: path, query: nil)
        let head = ResponseHead(status: 200, headers: ["Content-Type": "text/plain"])
        answers.take(try #require(answers.copy(of: head, engine.answer(request))))
    }

    private func logged() -> String {
        log.start()
        log.end()
        return output.text
    }

    @Test("responses that can't be written in time are left, and named")
    func unfinished() async throws {
        let lock = DispatchSemaphore(value: 0)
        var writing = FileWriting.live
        writing.lockFolder = { _ in
            lock.wait()
            return {}
        }
        let answers = answers(writing)
        for path in ["/1", "/2", "/all"] { try take(path, answers) }
        await answers.end(within: .seconds(7)) { _ in }
        #expect(answers.hasFailed)
        let text = "not recorded within 7s at the end: user.all (1), user.get (2)"
        #expect(
            logged()
                == #"{"event":"unfinished","text":"\#(text)","responses":{"user.all":1,"user.get":2}}"# + "\n")
        for _ in 0..<3 { lock.signal() }
        // What was begun is finished; the rest stays as it is.
        await withCheckedContinuation { done in answers.whenSettled { done.resume() } }
        #expect(folder.text("endpoints/user.json")?.contains("r-2") == false)
    }

    @Test("an end waits for what can be written")
    func finished() async throws {
        let answers = answers(.live)
        for path in ["/1", "/2", "/all"] { try take(path, answers) }
        // The time is never over.
        let (never, feed) = AsyncStream<Void>.makeStream()
        await answers.end(within: .seconds(7)) { _ in for await _ in never {} }
        feed.finish()
        #expect(!answers.hasFailed)
        #expect(folder.text("endpoints/user.json")?.contains("r-2") == true)
        #expect(!logged().contains("unfinished"))
    }
}

private final class LoggedBytes: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    var text: String { String(decoding: bytes.withLock(\.self), as: UTF8.self) }

    func add(_ more: [UInt8]) { bytes.withLock { $0 += more } }
}
