import Foundation
import Rendering
import ReqcliRedaction
import RequestBuilding
import TestSupport
import Testing

/// Renders many hostile requests, runs the commands in real shells, and compares the requests that arrive with the
/// `http` format.
struct WireProof {
    let count: Int
    let seed: UInt64
    let syntax: Shell
    /// The paths of the shells; each runs every command.
    let shells: [String]
    /// The brackets that group a command of any number of lines, so that its output can be redirected.
    let enclosing: (start: String, end: String)

    private struct Expectation {
        let number: Int
        let message: RecordedRequest
        let command: String
    }

    /// The failures, case by case, with curl's error output; empty if there are none.
    func failures() async throws -> [String] {
        let server = try RecordingServer()
        let folder = try TemporaryFolder()
        var source = HostileRequests(
            random: SeededGenerator(seed: seed), origin: "http://127.0.0.1:\(server.port)", folder: folder)
        var environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": folder.path]
        var expected: [Expectation] = []
        var masked = 0
        for number in 0..<count {
            // Let other tests run too.
            await Task.yield()
            let one = try source.next(number)
            environment.merge(one.environment) { $1 }
            let (command, isMasked) = try shown(one)
            masked += isMasked ? 1 : 0
            expected.append(Expectation(number: number, message: try message(of: one), command: command))
        }
        #expect(masked < count / 3, "most secrets can be put in by the shell")
        let errors = try await ScriptRun(shells: shells, enclosing: enclosing).run(
            expected.map(\.command), environment: environment)
        let arrived = Dictionary(grouping: server.requests) { Int($0.target.dropFirst().prefix { $0.isNumber }) }
        return expected.compactMap { one in
            let got = arrived[one.number] ?? []
            let problem =
                got.count == shells.count
                ? got.compactMap { one.message.difference(from: $0) }.first : "arrived \(got.count) times"
            return problem.map { "\(one.number): \($0)\n\(one.command.prefix(3000))\n\(errors)" }
        }
    }

    /// The command as rendered, or with its secrets revealed if the shell cannot insert them.
    private func shown(_ one: HostileRequests.Case) throws -> (command: String, isMasked: Bool) {
        let format = CurlFormat(shell: syntax, isOneLine: one.isOneLine)
        let rendered = format.render(one.input)
        // The arguments of a secret's command are shown, and here they contain the value.
        let secrets = one.input.secrets.filter { if case .command = $0.source { false } else { true } }
        let redactor = Redactor(secrets.map { Redactor.Secret(label: $0.name, value: $0.value) })
        #expect(redactor.matches(in: rendered.bytes).isEmpty, "\(rendered.command)")
        if one.isOneLine { #expect(!rendered.bytes.contains(UInt8(ascii: "\n"))) }
        guard rendered.command.contains("<secret.") else { return (rendered.command, false) }
        #expect(rendered.notes.contains { $0.contains("--reveal") })
        return (format.render(revealing(one.input)).command, true)
    }

    private func message(of one: HostileRequests.Case) throws -> RecordedRequest {
        var consumed = 0
        let bytes = try HTTPFormat().render(revealing(one.input)).bytes
        let message = try #require(RecordedRequest(bytes, consumed: &consumed))
        #expect(consumed == bytes.count)
        return message
    }

    private func revealing(_ input: RenderingInput) -> RenderingInput {
        var input = input
        input.isRevealing = true
        return input
    }
}

extension RecordedRequest {
    /// curl decides the order of different headers. The order within one name must match.
    func difference(from got: RecordedRequest) -> String? {
        if method != got.method { return "method: \(method) became \(got.method)" }
        if target != got.target { return "target: \(target) became \(got.target)" }
        for name in Set((headers + got.headers).map { $0.name.lowercased() }).sorted() {
            let before = headers.filter { $0.name.lowercased() == name }
            let after = got.headers.filter { $0.name.lowercased() == name }
            if before != after { return "header \(name): \(before) became \(after)" }
        }
        return body == got.body ? nil : "body: \(body.count) bytes became \(got.body.count)"
    }
}
