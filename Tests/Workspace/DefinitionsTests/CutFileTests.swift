import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

/// A file that an editor has only half written is told about, wherever it ends.
@Suite struct CutFileTests {
    @Test("a file that is cut off at any byte is read to its end", arguments: Fixture.all("good"))
    func cuts(fixture: Fixture) {
        Self.eachCut(of: fixture.bytes) { read($0, as: fixture.kind) }
    }

    /// Calls a function with the file cut off at each byte. Members and items that are whole before the cut make no difference to how
    /// its end is read, and are left out: the time would grow with the square of the size. Every 101st cut keeps all that is before
    /// it, and in `make fuzz` each one.
    private static func eachCut(of bytes: [UInt8], _ body: ([UInt8]) -> Void) {
        var kept: [UInt8] = []
        /// Where in what is kept the members of each open object or list begin.
        var starts: [Int] = []
        /// Where the members begin that a comma has ended.
        var ended: Int?
        var isInString = false
        var isEscaped = false
        for (count, byte) in bytes.enumerated() {
            body(RandomInputs.areMany || count % 101 == 0 ? Array(bytes[..<count]) : kept)
            if let start = ended, !byte.isJSONWhitespace {
                kept.removeSubrange(start...)
                ended = nil
            }
            kept.append(byte)
            if isInString {
                if byte == UInt8(ascii: "\""), !isEscaped { isInString = false }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): starts.append(kept.count)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = starts.popLast()
            case UInt8(ascii: ","): ended = starts.last
            default: break
            }
        }
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
