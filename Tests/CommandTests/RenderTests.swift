import Testing

/// `render` sends nothing, so that no policy stops it; but a command that is pasted asks nobody.
struct RenderTests {
    @Test(
        "What the policy says of sending is told beside the request",
        arguments: [
            (
                #"{ "methods": ["GET"] }"#,
                "warning: development would refuse to send this POST: its policy allows only GET\n"
            ),
            (
                #"{ "confirm": ["POST"] }"#,
                "note: development asks before each POST, and what is printed here asks nobody\n"
            ), (#"{ "confirm": ["DELETE"] }"#, ""),
        ])
    func policy(_ policy: String, _ told: String) async {
        let files = Samples.files(adding: [
            "/work/environments/development.json": #"{ "baseURL": "http://localhost", "policy": \#(policy) }"#
        ])
        let run = await reqcli("render", "billing.invoice.create", files: files)
        #expect(run.status == 0 && run.output.hasPrefix("curl "))
        #expect(run.messages == told)
    }

    @Test("Help names no status that can't be reached")
    func help() async {
        #expect(!(await reqcli("help", "render")).output.contains("policy"))
    }
}
