import CommandLineKit
import Commands
import ReqcliAssembly
import ReqcliText
import TestSupport
import Testing

/// Standard input as the body of a typed request.
struct PipedBodyTests {
    @Test(
        "a pipe is the body of a typed POST, PUT or PATCH without members, and of nothing else",
        arguments: [
            (["POST", "http://h"], true), (["put", "http://h", "a==1", "X-A:b"], true), (["PATCH", "/x"], true),
            (["http://h"], false), (["GET", "http://h"], false), (["DELETE", "http://h"], false),
            (["POST", "http://h", "a=1"], false), (["POST", "http://h", "--body", "x"], false),
            (["POST", "http://h", "--form"], false), (["ping"], false),
        ])
    func pipe(_ words: [String], _ isSent: Bool) async {
        let files = Samples.files(adding: ["/work/environments/development.json": #"{ "baseURL": "http://h" }"#])
        let run = await TypedRequestTests.run(
            ["render", "--one-line"] + words, files, input: #"{"a": 1}"#, piped: .bytes)
        #expect(run.status == .success, "\(run)")
        let isThere =
            run.output.contains(#"-H 'Content-Type: application/json'"#)
            && run.output.contains(#"--data-raw '{"a": 1}'"#)
        #expect(isThere == isSent, "\(run)")
    }

    @Test("an empty pipe and /dev/null are no body, and a silent pipe is waited for with a note")
    func emptyPipe() async {
        let files = MemoryFiles([:], currentFolder: "/work")
        for (input, piped, isNoted) in [("", PipedInput.end, false), ("x", .nothing, false), ("", .silence, true)] {
            let run = await TypedRequestTests.run(
                ["render", "--one-line", "POST", "http://h"], files, input: input, piped: piped)
            #expect(run.status == .success && !run.output.contains("--data-raw"), "\(run)")
            #expect(run.messages.contains("waiting for standard input") == isNoted, "\(run)")
        }
    }

    /// The runs that are not refused for their standard input are refused for `CI`, so that no run starts.
    @Test("--watch can't read a pipe again for each run, and needs none")
    func watch() async {
        let files = MemoryFiles([:], currentFolder: "/work")
        for (piped, isRefused) in [(PipedInput.bytes, true), (.file(isBegun: false), true), (.nothing, false)] {
            let run = await TypedRequestTests.run(
                ["POST", "http://h/x", "--watch"], files, piped: piped, variables: ["CI": "1"])
            let reason = isRefused ? "--watch cannot read standard input" : "but CI is set"
            #expect(run.messages.contains(reason), "\(run)")
            #expect(run.status == .usage, "\(run)")
        }
    }
}
