import ReqcliText
import Testing

struct DiagnosticCollectorTests {
    private let a = SourceFile(name: "a.json", text: "0123456789")
    private let b = SourceFile(name: "b.json", text: "0123456789")

    private func problem(
        _ message: String, _ file: SourceFile, _ offset: Int, _ severity: Diagnostic.Severity = .error,
        code: Diagnostic.Code = "test.code"
    ) -> Diagnostic {
        Diagnostic(severity, code: code, message, at: Place(file, offset..<offset + 1))
    }

    @Test("Files come in the order in which they were met, places from top to bottom")
    func order() {
        var collector = DiagnosticCollector()
        collector.add(problem("b5", b, 5))
        collector.add(problem("a7", a, 7))
        collector.add(problem("b2", b, 2))
        collector.add(Diagnostic(code: "c", "a as a whole", at: nil, fileName: "a.json"))
        collector.add(problem("a7 again", a, 7))
        collector.add(problem("a1", a, 1))
        #expect(collector.sorted.map(\.message) == ["b2", "b5", "a as a whole", "a1", "a7", "a7 again"])
    }

    @Test("One problem found on two roads is told once")
    func duplicates() {
        var collector = DiagnosticCollector()
        collector.add(contentsOf: [problem("x", a, 1), problem("x", a, 1)])
        // The same file, read a second time.
        collector.add(problem("x", SourceFile(name: "a.json", text: "0123456789"), 1))
        #expect(collector.diagnostics.count == 1)
        collector.add(contentsOf: [
            problem("y", a, 1), problem("x", a, 2), problem("x", b, 1), problem("x", a, 1, code: "other.code"),
        ])
        #expect(collector.diagnostics.count == 5)
    }

    @Test("Warnings are no errors")
    func counts() {
        var collector = DiagnosticCollector()
        #expect(collector.isEmpty)
        collector.add(problem("w", a, 1, .warning))
        #expect(!collector.hasErrors)
        #expect(!collector.isEmpty)
        collector.add(problem("e", a, 2))
        #expect(collector.hasErrors)
    }

    @Test("The summary counts errors, warnings and files")
    func summary() {
        let (error, warning) = (problem("e", a, 1), problem("w", b, 1, .warning))
        #expect(DiagnosticRenderer.summary([]) == nil)
        #expect(DiagnosticRenderer.summary([error]) == "1 error in 1 file")
        #expect(DiagnosticRenderer.summary([error, problem("f", a, 2)]) == "2 errors in 1 file")
        #expect(DiagnosticRenderer.summary([warning]) == "1 warning in 1 file")
        #expect(DiagnosticRenderer.summary([error, warning, warning]) == "1 error, 2 warnings in 2 files")
    }

    @Test("The JSON form has code, place, hint and notes, and leaves out what isn't there")
    func json() {
        let file = SourceFile(name: "f.json", text: "{\n  \"é\": 1}")
        let place = Place(file, 4..<8)
        let whole = Diagnostic(
            .warning, code: "key.unknown", "unknown", at: place, hint: "remove it", notes: [.init("see", at: place)])
        let range = #"{"start":{"line":2,"column":3},"end":{"line":2,"column":6}}"#
        #expect(
            OrderedJSON(whole).compact
                == #"{"severity":"warning","code":"key.unknown","message":"unknown","file":"f.json","range":\#(range),"#
                + #""hint":"remove it","notes":[{"message":"see","file":"f.json","range":\#(range)}]}"#)
        #expect(
            OrderedJSON(Diagnostic(code: "a.b", "m", at: nil)).compact
                == #"{"severity":"error","code":"a.b","message":"m"}"#)
    }

    @Test("A reader's problem becomes a diagnostic with the place that explains it")
    func fromReader() throws {
        let diagnostic = try #require(read("{\"a\":[1}").diagnostics.first)
        #expect(diagnostic.code == .jsonSyntax)
        #expect(diagnostic.place?.description == "test.json:1:8")
        #expect(diagnostic.notes.map(\.place.description) == ["test.json:1:6"])
    }
}
