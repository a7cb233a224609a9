import Commands
import ReqcliText
import TestSupport
import Testing

/// `--quiet` after commands that tell what they did.
struct QuietTests {
    @Test(
        "with --quiet, commands tell only what is wrong, and do the same",
        arguments: [["validate"], ["init", "new"], ["schema", "endpoint"], ["env", "use", "development"]],
        ["--quiet", "-Q"])
    func success(_ words: [String], _ flag: String) async {
        let (loud, quiet) = (Samples.files(adding: [:]), Samples.files(adding: [:]))
        let told = await TypedRequestTests.run(words, loud, variables: ["HOME": "/home"])
        let run = await TypedRequestTests.run(words + [flag], quiet, variables: ["HOME": "/home"])
        #expect(run.status == told.status && !(told.output + told.messages).isEmpty, "\(told)")
        #expect(run.messages.isEmpty, "\(run)")
        // A result is no summary.
        #expect(run.output == (words[0] == "schema" ? told.output : ""), "\(run)")
        #expect(loud.paths == quiet.paths)
    }

    @Test("with --quiet, problems are reported as before")
    func problems() async {
        let files = Samples.files(adding: ["/work/endpoints/bad.json": #"{"metod": "GET"}"#])
        let told = await TypedRequestTests.run(["validate"], files)
        #expect(told.status == .broken)
        let run = await TypedRequestTests.run(["validate", "--quiet"], files)
        #expect(run.status == told.status && run.messages == told.messages, "\(run)")
    }
}
