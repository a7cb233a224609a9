import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

/// A file that an editor has only half written is told about, wherever it ends.
@Suite struct CutFileTests {
    @Test("a file that is cut off at any byte is read to its end", arguments: Fixture.all("good"))
    func cuts(fixture: Fixture) {
        for count in 0..<fixture.bytes.count { read(Array(fixture.bytes.prefix(count)), as: fixture.kind) }
    }

    @Test(
        "an object that ends at the opening quote of a key is a mistake in each kind of file",
        arguments: FormatSchema.allCases, ["\"", "'", "\"$", "$", "\"\\"])
    func keys(kind: FormatSchema, key: String) {
        for name in ["headers", "query", "params", "variables", "secrets", "with", "body", "stubs", "endpoints"] {
            let diagnostics = read(Array(#"{"\#(name)": {\#(key)"#.utf8), as: kind)
            #expect(diagnostics.contains { $0.severity == .error }, "\(name)")
        }
    }

    @discardableResult
    private func read(_ bytes: [UInt8], as kind: FormatSchema) -> [Diagnostic] {
        Fixture.decode(bytes, as: kind).diagnostics
    }
}
