import ReqcliText
import Testing

@Suite struct LineTests {
    @Test("every offset has the position that counting from the front gives")
    func agreesWithCounting() {
        // Line feeds at any distance, among bytes that differ from one in a bit.
        let long = (0..<20).map { String(repeating: "a", count: $0) + "\n\u{B}\u{8}\u{8A}\u{4A}bcdefghij\u{10A}\n\nx" }
        for text in ["", "\n", "a", "a\nbc\n\nd", "\r\na\r\n", "é\n👩‍🚀x\n"] + long {
            let file = SourceFile(name: "a", text: text)
            for offset in 0...text.utf8.count {
                let before = file.bytes[..<offset]
                let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
                let expected = Position(
                    line: before.count { $0 == 0x0A } + 1,
                    column: String(decoding: before[start...], as: UTF8.self).count + 1)
                #expect(file.position(of: offset) == expected, "\(text.debugDescription) \(offset)")
                #expect(file.lineRange(containing: offset).lowerBound == start)
            }
        }
    }

    @Test("many positions in a long file are found without reading it for each")
    func manyPositions() {
        let file = SourceFile(name: "a", text: String(repeating: "a\n", count: 200_000))
        for line in 0..<200_000 where file.position(of: line * 2) != Position(line: line + 1, column: 1) {
            Issue.record("line \(line + 1)")
            return
        }
    }
}
