import ReqcliText
import Testing

@Suite struct TextPositionsTests {
    private static let text = "a\r\né😀b\rc\n"

    @Test func linesEndWithEachLineBreak() {
        let positions = TextPositions(Array(Self.text.utf8), in: .utf16)
        #expect(positions.position(of: 3) == (1, 0))
        #expect(positions.position(of: 11) == (2, 0))
        #expect(positions.position(of: 13) == (3, 0))
    }

    @Test(arguments: [
        (TextPositions.Units.utf16, 0, 3), (.utf16, 1, 5), (.utf16, 2, 5), (.utf16, 3, 9), (.utf16, 4, 10),
    ])
    func columnsInUnitsOfUTF16(units: TextPositions.Units, column: Int, offset: Int) {
        #expect(TextPositions(Array(Self.text.utf8), in: units).offset(line: 1, column: column) == offset)
    }

    @Test func columnsInBytes() {
        let positions = TextPositions(Array(Self.text.utf8), in: .utf8)
        #expect(positions.offset(line: 1, column: 2) == 5)
        #expect(positions.position(of: 9) == (1, 6))
        // The middle of a character is its start.
        #expect(positions.offset(line: 1, column: 3) == 5 + 0 || positions.offset(line: 1, column: 3) == 5)
    }

    @Test func positionsOutsideTheText() {
        let positions = TextPositions(Array(Self.text.utf8), in: .utf16)
        #expect(positions.offset(line: 0, column: 99) == 1)
        #expect(positions.offset(line: 99, column: 0) == 13)
        #expect(positions.offset(line: -1, column: -1) == 0)
    }

    @Test func everyOffsetOfACharacterIsReadBack() {
        let bytes = Array(Self.text.utf8)
        for units in [TextPositions.Units.utf8, .utf16] {
            let positions = TextPositions(bytes, in: units)
            for offset in 0...bytes.count where offset == bytes.count || bytes[offset] & 0xC0 != 0x80 {
                // The line break itself belongs to the line before it.
                if offset > 0, offset < bytes.count, bytes[offset] == 0x0A, bytes[offset - 1] == 0x0D { continue }
                let (line, column) = positions.position(of: offset)
                #expect(positions.offset(line: line, column: column) == offset)
            }
        }
    }
}
