import Testing

@testable import ReqcliText

struct JSONTapeTests {
    @Test("A text of any length keeps its place", arguments: [0, 1, 1 << 27 - 2, 1 << 27 - 1, 1 << 27, 1 << 31])
    func length(_ length: Int) {
        var tape = JSONTape()
        tape.append(.string, 7..<7 + length, isKey: true, hasEscapes: false)
        tape.append(.number, 9..<9 + length, isKey: false, hasEscapes: true)
        #expect(tape.range(0) == 7..<7 + length)
        #expect(tape.range(1) == 9..<9 + length)
        #expect(tape.kind(0) == .string && tape.isKey(0) && !tape.hasEscapes(0))
        #expect(tape.kind(1) == .number && !tape.isKey(1) && tape.hasEscapes(1))
    }
}
