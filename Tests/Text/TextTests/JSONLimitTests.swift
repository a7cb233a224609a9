import ReqcliText
import Testing

/// Input that is too much, or no text at all, is one clear error and never a crash.
struct JSONLimitTests {
    private func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    @Test("512 levels are read, the 513th is refused at its bracket")
    func depth() {
        #expect(read(nested(512)).problems == [])
        let tooDeep = read(nested(513)).problems
        #expect(tooDeep.map(\.code) == [.jsonDepth])
        #expect(tooDeep.map(\.message) == ["the nesting is deeper than 512 levels"])
        #expect(tooDeep.map(\.range) == [512..<513])
    }

    @Test("Objects count as levels too, and closed ones no longer do")
    func depthOfObjects() {
        let objects = String(repeating: #"{"a":"#, count: 3) + "1" + String(repeating: "}", count: 3)
        #expect(read(objects, depth: 3).problems == [])
        #expect(read(objects, depth: 2).problems.map(\.code) == [.jsonDepth])
        #expect(read("[[],[],[[]]]", depth: 3).problems == [])
    }

    @Test("100,000 brackets are one error", arguments: ["[", "{", #"{"a":"#, "[{\"a\":", "]", "}", "[}"])
    func manyBrackets(_ bracket: String) {
        let document = read(String(repeating: bracket, count: 100_000))
        #expect(!document.problems.isEmpty)
        #expect(document.problems.count <= 20)
    }

    @Test("A tree deeper than any stack is read where the limit allows it")
    func deepTree() {
        let document = read(nested(200_000), depth: 200_000)
        #expect(document.problems == [])
        #expect(document.root?.range == 0..<400_000)
    }

    @Test("Reading stops after twenty problems, also inside one string")
    func problemLimit() {
        #expect(read("[" + String(repeating: "x,", count: 1000)).problems.count == 20)
        #expect(read("[\"" + String(repeating: "\u{1}", count: 1000) + "\"]").problems.count == 20)
        #expect(read("[" + String(repeating: "//\n", count: 1000)).problems.count == 20)
        #expect(read("[x,x,x]", problems: 2).problems.count == 2)
    }

    static let unreadableFiles: [(Named<[UInt8]>, Diagnostic.Code, String)] = [
        (Named("nothing", []), .jsonSyntax, "the file is empty; expected a JSON value"),
        (Named("blanks", [0x20, 0x0A]), .jsonSyntax, "the text is empty; expected a JSON value"),
        (Named("UTF-16, big end first", [0xFE, 0xFF, 0x00, 0x7B]), .jsonEncoding, "the file is UTF-16"),
        (Named("UTF-16, little end first", [0xFF, 0xFE, 0x7B, 0x00]), .jsonEncoding, "the file is UTF-16"),
        (
            Named("a program", [0x7F, 0x45, 0x4C, 0x46, 0x02, 0x01, 0x00]), .jsonEncoding,
            "this is a binary file, not JSON (byte 6 is zero)"
        ),
        (
            Named("a NUL before the text", [0x00, 0x7B, 0x7D]), .jsonEncoding,
            "this is a binary file, not JSON (byte 0 is zero)"
        ),
    ]

    @Test("A file that is no JSON text is one error", arguments: unreadableFiles)
    func unreadable(_ bytes: Named<[UInt8]>, _ code: Diagnostic.Code, _ message: String) {
        let document = read(bytes.value)
        #expect(document.problems.map(\.code) == [code])
        #expect(document.problems.map(\.message) == [message])
        #expect(document.root == nil)
    }

    @Test("A byte order mark is an error of its own; the text behind it is read all the same")
    func byteOrderMark() {
        let document = read([0xEF, 0xBB, 0xBF] + Array("[tru]".utf8))
        #expect(document.problems.map(\.code) == [.jsonEncoding, .jsonSyntax])
        #expect(document.root?.range == 3..<8)
    }

    @Test("Invalid UTF-8 is told once, at its first byte")
    func invalidOnce() {
        let document = read(Array("[\"".utf8) + [0x80, 0x41, 0xFF] + Array("\"]".utf8))
        #expect(document.problems.map(\.message) == ["the file is not valid UTF-8 (byte 0x80)"])
        #expect(document.problems.map(\.range) == [2..<3])
    }
}
