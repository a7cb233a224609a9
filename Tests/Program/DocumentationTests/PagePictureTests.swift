import Foundation
import ReqcliBasics
import Testing
import ToolSupport

/// The pictures of HTML pages in the documentation are of the pages that the program writes.
@Suite struct PagePictureTests {
    /// A case of the pictured runs: its name, its usual duration in milliseconds, and the days on which it failed.
    private static let cases: [(name: String, duration: Int, failedOn: Set<Int>)] = [
        ("auth.login", 62, []), ("cart.checkout", 240, [3, 5, 6, 10]), ("orders.create", 118, []),
        ("orders.list", 41, [12]), ("products.search", 180, []), ("users.get", 23, [4]), ("users.update", 75, []),
    ]

    private static func report(day: Int) -> String {
        var start = 0
        let cases = Self.cases.enumerated().map { index, each in
            let duration =
                each.duration + (day * 7 + index * 11) % 13 * each.duration / 40 + (index == 4 ? day * 14 : 0)
            defer { start += duration * 2 / 3 }
            let hasFailed = each.failedOn.contains(day)
            let opening = index < 3 ? (0.6, 9.2, 24.8) : (0, 0, 0)
            let failure = """
                {"subject": "$.orders[0].total", "expected": "a number", "actual": "\\"19.90\\"", "file": "endpoints/orders.json", \
                "line": 9, "column": 7}
                """
            return """
                {"id": "\(each.name)", "file": "endpoints/\(each.name.prefix { $0 != "." }).json", "line": 4, "column": 5,
                 "verdict": "\(hasFailed ? "failed" : "passed")", "attempts": 1, "startMs": \(start), "durationMs": \(duration),
                 "failures": [\(hasFailed ? failure : "")],
                 "request": {"method": "GET", "url": "https://shop.example.com", "curl": "curl https://shop.example.com/orders"},
                 "response": {"status": 200, "head": "HTTP 200 OK", "body": "{}", "bodySize": 2, "timings": {
                   "nameLookup": \(opening.0), "connect": \(opening.1), "tls": \(opening.2),
                   "firstByte": \(duration * 4 / 5), "total": \(duration)}}}
                """
        }
        return """
            {"format": "reqcli.check", "environment": "staging", "server": "https://shop.example.com",
             "commit": "\(String(repeating: "\(day / 2 + 1)3f2a91c", count: 5))", "startedAt": "2026-06-\(day < 10 ? "0" : "")\(day)T08:00:00Z",
             "durationMs": 900, "cases": [\(cases.joined(separator: ",\n"))]}
            """
    }

    @Test(
        "A picture of a page is of the page as it is now; REQCLI_RECORD=1 takes it again",
        arguments: [
            ("report", ["merge", "runs/12.json", "--report", "html=page.html"], "#durations"),
            ("trend", ["trend", "runs", "-o", "page.html"], "header"),
        ])
    func page(_ name: String, _ words: [String], _ top: String) async throws {
        let reports = (1...12).map { ("runs/\($0).json", Self.report(day: $0)) }
        let workspace = try ToolWorkspace(Dictionary(uniqueKeysWithValues: reports))
        let run = try await Tool.run(["report"] + words, in: workspace)
        #expect(run.errors == "")
        let hash = SHA256.hash(try #require(workspace.read("page.html"))).map { String($0, radix: 16) }.joined()
        let path = "\(Page.root)/docs/images/\(name).png"
        if ProcessInfo.processInfo.environment["REQCLI_RECORD"] == "1", let node = Tool.path(of: "node") {
            let taken = try await Tool.run(
                "\(Page.root)/Tests/browser/picture.mjs", "file://\(workspace.path("page.html"))", path, "880", "720",
                hash, top,
                in: workspace.path(""),
                variables: ["PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": workspace.path("")], program: [node])
            #expect(taken.status == 0, "\(taken.errors)")
        }
        let picture = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(picture.count < 90_000)
        #expect(picture.range(of: Data(hash.utf8)) != nil, "run `make docs` and look at the picture")
    }
}
