import ReqcliAssembly
import ReqcliBasics
import ReqcliRedaction
import Testing

@testable import Calling
@testable import Checking

@Suite("Runs of more than a thousand cases")
struct LongRunTests {
    /// A file in memory.
    private final class Memory: Sendable {
        let bytes = Mutex<[UInt8]>([])

        var file: ExchangeFile {
            ExchangeFile(
                append: { added in self.bytes.withLock { $0 += added } },
                read: { range in self.bytes.withLock { Array($0[range]) } }, problem: { nil })
        }
    }

    private static let files = [
        "endpoints/a.json": """
        {"path": "/a/{{id}}", "params": {"id": {"type": "integer"}}, "expect": {"status": 200}}
        """
    ]

    private static let rows = "id\n" + (1...1010).map { "\($0)\n" }.joined()

    private static func stage() -> Stage {
        Stage { call, _ in
            let id = call.arguments.first?.source.shown ?? ""
            return .answer(id.hasSuffix("7") ? 500 : 200, #"{"id": \#(id), "word": "hush-\#(id)"}"#)
        }
    }

    private static func run(_ keeping: ExchangeKeeping) async throws -> RunResult {
        try await stage().run(
            files, options: RunOptions(jobs: .fixed(1), exchanges: keeping), data: rows)
    }

    @Test("have the same reports, whether or not requests and responses are in a file", arguments: ReportKind.allCases)
    func sameReports(_ kind: ReportKind) async throws {
        let memory = Memory()
        let filed = try await Self.run(.inFile(memory.file))
        let whole = try await Self.run(.inMemory)
        #expect(filed.cases.last?.outcome.exchange == nil)
        #expect(whole.cases.last?.outcome.exchange != nil)
        let isFiled = memory.bytes.withLock { !$0.isEmpty }
        #expect(isFiled)
        #expect(kind.report.text(of: filed) == kind.report.text(of: whole))
    }

    @Test("keep no requests and responses that no report shows")
    func nothingKept() async throws {
        let run = try await Self.run(.nothing)
        #expect(run.cases.allSatisfy { $0.outcome.exchange == nil })
        #expect(run.count(.failed) == 101)
    }

    @Test("mask secrets that become known after a response was written to the file")
    func lateSecrets() async throws {
        var run = try await Self.run(.inFile(Memory().file))
        #expect(JSONReport().text(of: run).contains("hush-1005"))
        run.exchanges?.redactor = Redactor([Redactor.Secret(label: "secret.word", value: "hush-1005")])
        let text = JSONReport().text(of: run)
        #expect(!text.contains("hush-1005"))
        #expect(text.contains("<secret.word>"))
        #expect(text.contains("HTTP 200"))
    }
}
