import Importing
import ReqcliText
import TestSupport
import Testing

@Suite("Hostile shell texts")
struct HostileTests {
    static let pieces = [
        "curl ", "'", "\"", "\\", "\n", "\r\n", "$(", "${", "$'", "`", ")", "}", "^", "^\"", "^\n\n", "%A%", "%",
        "<<E\n", "E\n",
        "<<<", "<(", "|", "&", "2>", "> x", "echo -e ", "printf '%s' ", "cat ", "@'\n", "\n'@", "$env:A ", "\\u", "\\x",
        "é", "\0",
        "\u{201C}", "{", ",", " ", "A=", "\\c", "PS C:\\>", "C:\\>", "fetch(", "$ ",
    ]

    @Test("Damaged texts are read to their end, and places stay inside", arguments: ShellDialect.allCases)
    func damaged(_ dialect: ShellDialect) {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<4_000 {
            var text: [UInt8] = []
            for _ in 0..<Int.random(in: 0...20, using: &generator) {
                text += Array((Self.pieces.randomElement(using: &generator) ?? "").utf8)
                if Int.random(in: 0...7, using: &generator) == 0 {
                    text.append(UInt8.random(in: 0...255, using: &generator))
                }
            }
            let file = SourceFile(name: "x", bytes: text)
            let script = ShellScript.read(file, dialect: Bool.random(using: &generator) ? dialect : nil)
            let words = script.commands.flatMap { $0.words + $0.assignments.map(\.value) }
            let places = words.flatMap { $0.parts.map(\.place) + [$0.place] } + script.problems.compactMap(\.place)
            #expect(places.allSatisfy { 0 <= $0.range.lowerBound && $0.range.upperBound <= text.count })
            for word in words {
                let boundaries = word.indices.filter { (word[$0] ?? 0) < 0x80 }
                let index = boundaries.randomElement(using: &generator) ?? word.startIndex
                let halves = (ShellWord(word[..<index]), ShellWord(word[index...]))
                #expect(halves.0.count + halves.1.count == word.count)
            }
        }
    }

    @Test("Time grows with the length, whatever the text repeats", arguments: pieces)
    func linear(_ piece: String) {
        for dialect in ShellDialect.allCases {
            let factor = Growth.fourfold(4_000 / piece.utf8.count) { count in
                _ = ShellScript.read(
                    SourceFile(name: "x", text: String(repeating: piece, count: count)), dialect: dialect)
            }
            #expect(factor < 9, "\(dialect)")
        }
    }
}
