import Foundation
import Rendering
import RequestBuilding
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The proof of the renderer is not its text but the wire: the command is run, and what arrives is compared with what
/// the `http` format says.
@Suite struct CurlWireTests {
    /// More of them, with another seed, is fuzzing: `WIRE_CASES=100000 WIRE_SEED=7`.
    private static let count = ProcessInfo.processInfo.environment["WIRE_CASES"].flatMap { Int($0) } ?? 2000
    private static let seed = ProcessInfo.processInfo.environment["WIRE_SEED"].flatMap { UInt64($0) } ?? 1

    @Test(
        "the rendered command puts on the wire what the http format says, and shows no secret",
        .enabled(if: Program.path(of: "curl") != nil, "curl is not installed"),
        .timeLimit(.minutes(60)),
        arguments: ["dash", "bash"].filter { Program.path(of: $0) != nil })
    func sameOnTheWire(shell: String) throws {
        let server = try RecordingServer()
        let folder = try TemporaryFolder()
        var source = HostileRequests(
            random: SplitMix(seed: Self.seed), origin: "http://127.0.0.1:\(server.port)", folder: folder)
        var script = ""
        var environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": folder.path]
        var expected: [(number: Int, message: RecordedRequest, command: String)] = []
        var masked = 0
        for number in 0..<Self.count {
            let one = try source.next(number)
            environment.merge(one.environment) { $1 }
            var rendered = one.format.render(one.input)
            for secret in one.input.secrets {
                // A command's own argv is shown; the test's names its secret.
                if case .command = secret.source { continue }
                #expect(!rendered.command.contains(secret.value), "\(secret.name) in \(rendered.command)")
            }
            var revealed = one.input
            revealed.isRevealing = true
            if rendered.command.contains("<secret.") {
                // Masked on purpose: the note says so, and --reveal gives the command that works.
                #expect(rendered.notes.contains { $0.contains("--reveal") })
                masked += 1
                rendered = one.format.render(revealed)
            }
            if one.format.isOneLine { #expect(!rendered.command.utf8.contains(UInt8(ascii: "\n"))) }
            var consumed = 0
            let bytes = try HTTPFormat().render(revealed).bytes
            let message = try #require(RecordedRequest(bytes, consumed: &consumed))
            #expect(consumed == bytes.count)
            expected.append((number, message, rendered.command))
            script += "{ \(rendered.command)\n} >>out 2>>err </dev/null\necho \"\(number) $?\" >>status\n"
        }
        let path = try folder.write("script", Array(script.utf8))
        let outcome = try Program.run(#require(Program.path(of: shell)), [path], environment: environment, in: folder)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(!folder.files.contains { $0.contains("canary") }, "nothing in a value runs")
        #expect(masked < Self.count / 3, "most secrets can be put in by the shell")

        let arrived = Dictionary(grouping: server.requests) { Int($0.target.dropFirst().prefix { $0.isNumber }) }
        var failures = 0
        for one in expected {
            let got = arrived[one.number] ?? []
            if got.count == 1, let difference = Self.difference(one.message, got[0]) {
                failures += 1
                if failures <= 5 { Issue.record("\(one.number): \(difference)\n\(one.command.prefix(3000))") }
            } else if got.count != 1 {
                failures += 1
                if failures <= 5 {
                    Issue.record("\(one.number) arrived \(got.count) times\n\(one.command.prefix(3000))")
                }
            }
        }
        #expect(failures == 0)
        if failures > 0 { Issue.record("stderr: \(String(decoding: folder.read("err").prefix(3000), as: UTF8.self))") }
    }

    /// Header order among different names is curl's own; within one name it counts.
    private static func difference(_ expected: RecordedRequest, _ got: RecordedRequest) -> String? {
        if expected.method != got.method { return "method: \(expected.method) became \(got.method)" }
        if expected.target != got.target { return "target: \(expected.target) became \(got.target)" }
        let names = Set((expected.headers + got.headers).map { $0.name.lowercased() })
        for name in names.sorted() {
            let before = expected.headers.filter { $0.name.lowercased() == name }
            let after = got.headers.filter { $0.name.lowercased() == name }
            if before != after { return "header \(name): \(before) became \(after)" }
        }
        if expected.body != got.body {
            return
                "body: \(expected.body.count) bytes \(expected.body.prefix(60)) became \(got.body.count) \(got.body.prefix(60))"
        }
        return nil
    }
}
