import CommandLineKit
import Glibc
import ReqcliBasics
import ReqcliText
import TestSupport
import Testing

@testable import Commands

struct OutputTests {
    @Test("After the first failure nothing more is written, and the failure is remembered")
    func failure() {
        let writes = Mutex(0)
        let output = Output { bytes throws(Output.Problem) in
            writes.withLock { $0 += 1 }
            if bytes == [2] { throw .failed("no space left on device") }
        }
        #expect(output.write([1]))
        #expect(!output.write([2]))
        #expect(!output.write([3]))
        #expect(!output.isOpen)
        #expect(output.problem == .failed("no space left on device"))
        #expect(writes.withLock { $0 } == 2)
    }

    @Test("Results that can't be written end the program with 9 and a message, whatever else it found")
    func failedWrite() async {
        let full = Output { _ throws(Output.Problem) in throw .failed("no space left on device") }
        for words in [["--version"], ["help"], ["list"], ["validate"]] {
            let files = Samples.files(adding: words == ["list"] ? ["/work/endpoints/bad.json": "["] : [:])
            let messages = Written()
            let context = Context.test(files: files.fileSystem, output: full, messages: messages.output)
            #expect(await Program.run(words, in: context) == .outputFailed, "\(words)")
            #expect(messages.text.hasSuffix("error: cannot write the output: no space left on device\n"))
        }
    }

    @Test("Only what goes to /dev/null is read by nobody")
    func discarded() throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/log"
        for (path, isDiscarded) in [("/dev/null", true), ("/dev/zero", false), (file, false)] {
            let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
            defer { close(descriptor) }
            #expect(Output(descriptor: descriptor).isDiscarded == isDiscarded, "\(path)")
        }
        #expect(!Output { _ in }.isDiscarded)
    }

    @Test("A reader that has gone is no error and gets no message")
    func closedPipe() async {
        let messages = Written()
        let context = Context.test(
            files: Samples.files().fileSystem, output: Output { _ throws(Output.Problem) in throw .closed },
            messages: messages.output)
        #expect(await Program.run(["list"], in: context) == .success)
        #expect(messages.text.isEmpty)
    }

    @Test("Columns fit their cells; a far wider one pushes its row's rest aside")
    func columns() {
        var columns = Columns()
        columns.add("a", "bb", "c")
        columns.add("aaa", "b", "日本")
        columns.add("a very long first cell", "b", "")
        #expect(
            columns.lines(width: 30).map(\.plain) == ["a    bb  c", "aaa  b   日本", "a very long first cell  b"])
    }

    @Test(
        "A word is quoted for a shell where it has to be",
        arguments: [
            ("user.get", "user.get"), ("a=b", "a=b"), ("", "''"), ("San Francisco", "'San Francisco'"),
            ("it's", #"'it'\''s'"#), ("$HOME", "'$HOME'"), ("=ls", "'=ls'"), ("~/a", "'~/a'"), ("é", "'é'"),
            ("a\nb", "'a\nb'"),
        ])
    func shellWord(_ word: String, _ quoted: String) {
        #expect(ShellQuoting.quoted(word) == quoted)
    }
}
