import Testing

@testable import Generating

@Suite struct CodeLinesTests {
    @Test("comments keep their words however deep they stand", arguments: [0, 20, 28, 29, 30, 31, 200])
    func deep(level: Int) {
        var lines = CodeLines(level: level)
        lines.document(["One word after another"])
        lines.remark("One word after another")
        let indentation = String(repeating: " ", count: level * 4)
        #expect(lines.lines == ["\(indentation)/// One word after another", "\(indentation)// One word after another"])
    }
}
