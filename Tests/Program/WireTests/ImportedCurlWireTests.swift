import Foundation
import TestSupport
import Testing
import ToolSupport

/// Curl commands from the wild, and the endpoints that `import curl` makes of them, are the same on the wire.
struct ImportedCurlWireTests {
    static let corpus = Repository.corpus("curl-commands")
    static let isThere = FileManager.default.fileExists(atPath: corpus) && Tool.path(of: "curl") != nil

    /// Commands that are refused, with the reason.
    static let refused = [
        "j_data_priority_than_f.sh": "has no form and data at once",
        "redirect_command_data.sh": "needs the output of a program",
        "redirect_command_url_query.sh": "needs the output of a program",
    ]
    /// Notes that say why a request differs.
    static let reasons = [
        "not converted", "not part of an endpoint", "is not supported", "removes the line breaks of a file",
        "sent as a file",
        "several files", "headers that a browser adds", "leaves out the data of -d", "is a shell variable",
    ]

    @Test(
        "Commands from the wild send the same request once they are imported, or a note says what differs",
        .enabled(if: isThere, "not run: there is no curl or no \(corpus); set REQCLI_CORPORA to the folder above it"),
        .timeLimit(.minutes(10)), arguments: [true, false])
    func wildCommands(isExact: Bool) async throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.corpus).filter { $0.hasSuffix(".sh") }
        var failures: [String] = []
        var (equal, total) = (0, 0)
        for name in names.sorted() where Self.refused[name] == nil {
            let text = try String(contentsOfFile: "\(Self.corpus)/\(name)", encoding: .utf8)
            let outcome = try await compare(text, isExact: isExact)
            total += outcome.count
            equal += outcome.equal
            if let failure = outcome.failure { failures.append("\(name): \(failure)") }
        }
        #expect(failures.isEmpty, "\(failures.count) failures\n\(failures.joined(separator: "\n"))")
        #expect(equal * 100 >= total * (isExact ? 96 : 85), "\(equal) of \(total) requests are equal")
    }

    private struct Outcome {
        var count = 0
        var equal = 0
        var failure: String?
    }

    private static let variables = ["DO_API_TOKEN": "secret-of-do", "MYVARIABLE": "a \"b\""]

    /// The file of a note such as `there is no file "a.txt"`, if it is one of a folder of ours.
    private static func missingFile(_ note: String) -> String? {
        let parts = note.split(separator: "\"")
        return parts.count > 1 && note.hasPrefix("there is no file") && !parts[1].hasPrefix("/")
            ? String(parts[1]) : nil
    }

    private func compare(_ text: String, isExact: Bool) async throws -> Outcome {
        // The servers of the corpus speak plain HTTP here.
        let text = text.replacing("https://", with: "http://")
        let server = try RecordingServer()
        let workspace = try ToolWorkspace([".gitignore": ".env\n", "endpoints/.keep": "", "command.sh": text])
        let address = "::127.0.0.1:\(server.port)"
        let shim = """
            curl() { command curl -sS -q "$@" --connect-to \(address) -o /dev/null --max-time 5; }
            """
        var words = ["import", "curl", "command.sh", "--json", "--save-secrets"]
        if isExact { words.append("--exact") }
        let imported = try await Tool.run(words, in: workspace, environment: Self.variables)
        guard imported.status == 0,
            let report = try JSONSerialization.jsonObject(with: Data(imported.output)) as? [String: Any],
            let ids = report["endpoints"] as? [String], let notes = report["notes"] as? [[String: Any]]
        else {
            return Outcome(failure: "not imported\n\(imported.outputText)\(imported.errors)")
        }
        let reasons = notes.compactMap { $0["message"] as? String }
        for file in notes.compactMap({ $0["detail"] as? String }).compactMap(Self.missingFile) {
            try workspace.write(file, "content of \(file)")
        }
        _ = try await Tool.run(
            ["-c", shim + "\n" + text], in: workspace.path(""), variables: Self.variables, program: ["/bin/bash"])
        let expected = server.requests
        for id in ids {
            let run = try await Tool.run(
                ["send", id, "--connect-to", address, "--timeout", "5", "-o", "body", "--yes"]
                    + (text.contains("--compressed") ? [] : ["--raw"]),
                in: workspace,
                environment: Self.variables)
            // A file that isn't here, or standard input.
            let isIncomplete = run.errors.contains("there is no file \"/") || run.errors.contains("needs the param")
            if isIncomplete || expected.isEmpty && run.errors.contains("the proxy ") { return Outcome() }
            if run.status > 1 { return Outcome(count: expected.count, failure: "\(id): \(run.errors)\n\(reasons)") }
        }
        var outcome = Outcome(count: expected.count)
        let sent = Array(server.requests.dropFirst(expected.count))
        let pairs = zip(expected, sent).filter { Self.plain($0, isExact) == Self.plain($1, isExact) }
        outcome.equal = pairs.count
        let isExplained = reasons.contains { reason in Self.reasons.contains { reason.contains($0) } }
        if pairs.count < max(expected.count, sent.count), !isExplained {
            let lists = [expected, sent].map { $0.map { Self.plain($0, isExact).description }.joined(separator: "\n") }
            outcome.failure = "\(lists[0])\n\(lists[1])\n\(reasons)"
        }
        return outcome
    }

    /// The request without what every sender says differently.
    private static func plain(_ request: RecordedRequest, _ isExact: Bool) -> [String] {
        var own: Set = ["user-agent", "accept", "content-length", "expect", "transfer-encoding"]
        // Both ask for what their libraries decode.
        if request.values("Accept-Encoding").first?.hasPrefix("deflate, gzip") == true { own.insert("accept-encoding") }
        let boundary = request.values("Content-Type").first?.split(separator: "boundary=").dropFirst().first
        func text(_ text: String) -> String { boundary.map { text.replacing($0, with: "BOUNDARY") } ?? text }
        let headers = request.headers.filter { !own.contains($0.name.lowercased()) }
            .map { "\(isExact ? $0.name : $0.name.lowercased()): \(text($0.value))" }.sorted()
        let target = isExact ? request.target : request.target.removingPercentEncoding ?? request.target
        let body = text(String(decoding: request.body, as: UTF8.self))
        let isForm = request.values("Content-Type") == ["application/x-www-form-urlencoded"]
        if isExact { return [request.method, target] + headers + [body] }
        if isForm, request.body.first != UInt8(ascii: "{") {
            return [request.method, target] + headers + [body.removingPercentEncoding ?? body]
        }
        let json = try? JSONSerialization.jsonObject(with: Data(request.body), options: .fragmentsAllowed)
        let sorted = json.flatMap {
            try? JSONSerialization.data(withJSONObject: $0, options: [.sortedKeys, .fragmentsAllowed])
        }
        return [request.method, target] + headers + [sorted.map { String(decoding: $0, as: UTF8.self) } ?? body]
    }
}
