import ReqcliAssembly
import ReqcliText
import TestSupport
import Testing

@Suite(".env files")
struct DotEnvTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let variables: [String: String]
        /// `line: message`
        var problems: [String] = []
        var testDescription: String { text }
    }

    static let rows = [
        Row(text: "", variables: [:]),
        Row(text: "A=1\nB=2", variables: ["A": "1", "B": "2"]),
        Row(text: "A=1\r\nB=2\r\n", variables: ["A": "1", "B": "2"]),
        Row(text: "\u{FEFF}A=1", variables: ["A": "1"]),
        Row(text: "A=1\nA=2", variables: ["A": "2"]),
        Row(text: "# A=1\n\n  \n\t# x", variables: [:]),
        Row(text: "export A=1\nexport\tB=2", variables: ["A": "1", "B": "2"]),
        Row(text: "  A  =  a b  ", variables: ["A": "a b"]),
        Row(text: "A=", variables: ["A": ""]),
        Row(text: "A=''\nB=\"\"", variables: ["A": "", "B": ""]),
        Row(text: "A=a=b==", variables: ["A": "a=b=="]),
        Row(
            text: "A=a # comment\nB=a#b\nC=#c\nD=d\t# comment", variables: ["A": "a", "B": "a#b", "C": "#c", "D": "d"]),
        Row(text: "A= # comment", variables: ["A": ""]),
        Row(text: #"A='a # b' # c"#, variables: ["A": "a # b"]),
        Row(text: #"A='a\n$x"'"#, variables: ["A": #"a\n$x""#]),
        Row(text: #"A="a\n\t\"\\\$\x" # c"#, variables: ["A": "a\n\t\"\\$\\x"]),
        Row(text: #"A="$B and ${B}""#, variables: ["A": "$B and ${B}"]),
        Row(text: "A=é🙂", variables: ["A": "é🙂"]),
        Row(text: "_a1=x", variables: ["_a1": "x"]),
        Row(text: "A=1\nnonsense\nB=2", variables: ["A": "1", "B": "2"], problems: ["2: expected NAME=value"]),
        Row(text: "1A=1\nA-B=1\n=1", variables: [:], problems: (1...3).map { "\($0): expected NAME=value" }),
        Row(text: "A='x\nB=1", variables: ["B": "1"], problems: ["1: the quote is never closed"]),
        Row(text: #"A="x\""#, variables: [:], problems: ["1: the quote is never closed"]),
        Row(text: "A='x'y", variables: [:], problems: ["1: found text after the closing quote"]),
    ]

    @Test("A line is NAME=value as shells and their friends write it", arguments: rows)
    func parse(_ row: Row) {
        let parsed = DotEnv.parse(row.text)
        #expect(parsed.variables == row.variables)
        let file = SourceFile(name: ".env", text: row.text)
        #expect(parsed.problems.map { "\(file.position(of: $0.offset).line): \($0.message)" } == row.problems)
    }

    @Test("Any text is read without a trap")
    func fuzz() {
        for text in Self.rows.map(\.text) {
            for end in text.indices {
                _ = DotEnv.parse(String(text[..<end]))
                _ = DotEnv.parse(String(text[end...]))
            }
        }
    }
}
