import Foundation
import HostileServing
import Testing

/// `demo/demo.sh`, which is the first thing that a newcomer sees.
struct DemoTests {
    private func demo(of program: String, under tool: [String] = []) throws -> Reqcli.Run {
        try Reqcli.start(
            [], in: Reqcli.ownWorkspace, variables: ["REQCLI": program], under: tool,
            program: "\(Reqcli.ownWorkspace)/demo/demo.sh"
        ).end()
    }

    @Test("It shows every command before what it prints, and all of it is right; it needs no network")
    func demo() throws {
        let hasNamespaces = (try? ShellCommand.run("unshare -rn true")) != nil
        let run = try demo(of: Reqcli.path, under: hasNamespaces ? ["unshare", "-rn"] : [])
        #expect(run.status == 0, "\(run)")
        #expect(run.messages.isEmpty)
        for command in ["validate", "list", "send", "render", "explain"] {
            #expect(run.output.contains("\n$ reqcli \(command)"), "\(command)")
        }
        #expect(
            run.output.contains("\n$ reqcli send breeds.list --env offline --select '$.data[*].breed'\nAbyssinian\n"))
        #expect(run.output.contains("\n$ reqcli send user.get --stub unauthorized -i\nHTTP/1.1 401 Unauthorized\n"))
        #expect(!run.output.contains("WRONG"))
    }

    @Test(
        "It fails where the program does, or prints something else", arguments: ["/bin/true", "/bin/echo", "/nowhere"])
    func failure(_ program: String) throws {
        let run = try demo(of: program)
        #expect(run.status == 1)
        #expect(run.output.contains("\nWRONG: it "))
    }
}
