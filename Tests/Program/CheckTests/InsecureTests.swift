import Foundation
import TestSupport
import Testing
import ToolSupport

/// A run that accepts any certificate warns about it, once and in every report.
@Suite struct InsecureTests {
    private static let message = "certificates are not checked in the environment development: any server could respond"
    private static let kinds = ["junit", "tap", "json", "html", "github"]

    private static func workspace(_ tls: String, endpoint: String = "") throws -> ToolWorkspace {
        let stubs = #""stubs": {"variants": {"ok": {"json": {"t": 1}}}}"#
        return try ToolWorkspace([
            "endpoints/a.json": """
            {"endpoints": {"one": {"path": "/", "expect": {"status": 200}, \(stubs)},
             "two": {"path": "/{{l.t}}", "needs": {"l": "a.login"}, "expect": {"status": 200}, \(stubs)\(endpoint)},
             "login": {"path": "/login", "capture": {"t": {"json": "$.t"}}, \(stubs)}}}
            """, "environments/development.json": #"{"baseURL": "https://localhost:1"\#(tls)}"#,
        ])
    }

    private static let cases: [(description: String, tls: String, endpoint: String)] = [
        ("in the environment", #", "tls": {"insecure": true}"#, ""),
        ("in an endpoint that waits for a capture", "", #", "tls": {"insecure": true}"#),
    ]

    @Test("A run with TLS checks turned off warns once on stderr and in each report", arguments: cases.indices)
    func warns(_ index: Int) async throws {
        let each = Self.cases[index]
        let workspace = try Self.workspace(each.tls, endpoint: each.endpoint)
        let reports = Self.kinds.flatMap { ["--report", "\($0)=report.\($0)"] }
        let run = try await Tool.run(["check", "--stub"] + reports, in: workspace)
        #expect(run.status == 0, "\(each.description): \(run.outputText) \(run.errors)")
        #expect(run.errors.components(separatedBy: "warning: \(Self.message)").count == 2, "\(run.errors)")
        #expect(run.outputText.components(separatedBy: "warning: \(Self.message)").count == 2, "\(run.outputText)")
        for kind in Self.kinds {
            let text = workspace.read("report.\(kind)").map { String(decoding: $0, as: UTF8.self) } ?? ""
            #expect(text.contains(Self.message), "\(each.description), \(kind): \(text)")
        }
    }

    @Test("send warns even if only a needed request accepts any certificate")
    func needed() async throws {
        let stubs = #""stubs": {"variants": {"ok": {"json": {"t": 1}}}}"#
        let workspace = try ToolWorkspace([
            "endpoints/a.json": #"{"path": "/{{l.t}}", "needs": {"l": "login"}, \#(stubs)}"#,
            "endpoints/login.json":
                #"{"path": "/login", "tls": {"insecure": true}, "capture": {"t": {"json": "$.t"}}, \#(stubs)}"#,
            "environments/development.json": #"{"baseURL": "https://localhost:1"}"#,
        ])
        let run = try await Tool.run(["send", "a", "--stub"], in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.errors.contains("warning: the certificates of the servers that a needs are not checked"),
            "\(run.errors)")
    }

    @Test("A run that checks certificates prints no warning")
    func silent() async throws {
        let run = try await Tool.run(["check", "--stub"], in: try Self.workspace(""))
        #expect(run.status == 0)
        #expect(!(run.outputText + run.errors).contains("warning"))
    }
}
