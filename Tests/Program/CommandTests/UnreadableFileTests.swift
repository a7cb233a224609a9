import CommandLineKit
import Commands
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

struct UnreadableFileTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Made when it is needed: a test's arguments are described byte by byte.
        let content: @Sendable () -> MemoryFiles.Content
        let message: String
    }

    private static let cases = [
        Case(
            testDescription: "no permission", content: { .problem(.denied) },
            message: ": error: cannot read the file: permission denied"),
        Case(
            testDescription: "a directory", content: { .problem(.isDirectory) },
            message: ": error: cannot read the file: it is a directory"),
        Case(
            testDescription: "a broken link", content: { .problem(.brokenLink) },
            message: ": error: cannot read the file: it is a link to a file that doesn't exist"),
        Case(
            testDescription: "a pipe", content: { .problem(.notRegular) },
            message: ": error: cannot read the file: it is not a regular file"),
        Case(
            testDescription: "a failing disk", content: { .problem(.system("input/output error")) },
            message: ": error: cannot read the file: input/output error"),
        Case(
            testDescription: "17 MiB", content: { .bytes(Array(repeating: 0x20, count: 17 << 20)) },
            message: ": error: cannot read the file: it is larger than 16 MiB"),
        Case(
            testDescription: "empty", content: { .bytes([]) },
            message: ":1:1: error: the file is empty; expected a JSON value"),
        Case(
            testDescription: "binary", content: { .bytes([0x7F, 0x45, 0x4C, 0x46, 0, 1]) },
            message: ":1:1: error: this is a binary file, not JSON (byte 4 is zero)"),
    ]

    @Test("A file that can't be read is one line, in every command that needs it", arguments: cases)
    func oneLine(_ unreadable: Case) async {
        let files = MemoryFiles(["/work/endpoints/bad.json": unreadable.content()])
        for words in [["validate"], ["list"], ["show", "bad"]] {
            let messages = Written()
            let status = await Program.run(words, in: .test(files: files.fileSystem, messages: messages.output))
            #expect(status == .broken, "\(words)")
            #expect(messages.text == "endpoints/bad.json\(unreadable.message)\n1 error in 1 file\n", "\(words)")
        }
    }
}
