import CommandLineKit
import Commands
import ReqcliText
import TestSupport
import Testing

/// Questions for missing params.
struct AskingTests {
    private static let endpoint = #"""
        {
          "path": "/{{n}}/{{unit}}",
          "params": {
            "n": { "type": "integer", "minimum": 1, "maximum": 9, "example": 7, "description": "How many" },
            "unit": { "type": "string" }
          }
        }
        """#

    @Test("a question says the type, the limits and an example, and is asked again after a wrong answer")
    func again() async {
        let files = Samples.files(adding: ["/work/endpoints/it.json": Self.endpoint])
        let run = await TypedRequestTests.run(
            ["render", "--one-line", "it"], files, answers: ["x", "0", "7", "m"])
        #expect(run.status == .success && run.output.contains("/7/m"), "\(run)")
        let question = "n (How many; integer; 1 to 9; such as 7): "
        #expect(run.messages.split(separator: question, omittingEmptySubsequences: false).count == 4, "\(run.messages)")
        for found in [#"n takes a whole number; found "x""#, #"found "0""#, "unit: "] {
            #expect(run.messages.contains(found), "\(found) in \(run.messages)")
        }
    }

    @Test("Ctrl-D ends the questions, and the missing params are an error")
    func end() async {
        let files = Samples.files(adding: ["/work/endpoints/it.json": Self.endpoint])
        let run = await TypedRequestTests.run(["render", "it"], files, answers: ["x"])
        #expect(run.status == .usage && run.messages.contains("needs the param \"n\""), "\(run)")
    }
}
