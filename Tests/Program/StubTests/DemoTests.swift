import Foundation
import HostileServing
import TestSupport
import Testing
import ToolSupport

/// `demo/demo.sh`, the first thing that a new user sees.
struct DemoTests {
    private func demo(of program: String, under tool: [String] = []) async throws -> ToolRun {
        try await Tool.run(
            variables: ["REQCLI": program], program: tool + ["\(Repository.root)/demo/demo.sh"])
    }

    @Test("The demo prints each command before its output, succeeds, and needs no network")
    func demo() async throws {
        // Without a network but the loopback device, which the server needs.
        let isolation = ["unshare", "-rn", "sh", "-c", "ip link set lo up && exec \"$@\"", "sh"]
        let hasNamespaces = (try? ShellCommand.run("unshare -rn ip link set lo up")) != nil
        let run = try await demo(of: Tool.path, under: hasNamespaces ? isolation : [])
        #expect(run.status == 0, "\(run)")
        #expect(run.errors.isEmpty)
        for command in ["validate", "list", "send", "render", "explain", "serve"] {
            #expect(run.outputText.contains("\n$ reqcli \(command)"), "\(command)")
        }
        #expect(
            run.outputText.contains(
                "\n$ reqcli send breeds.list --env offline --select '$.data[*].breed'\nAbyssinian\n"))
        #expect(run.outputText.contains("\n$ reqcli send user.get --stub unauthorized -i\nHTTP/1.1 401 Unauthorized\n"))
        #expect(!run.outputText.contains("WRONG"))
    }

    @Test(
        "The demo fails if the program fails or its output differs", arguments: ["/bin/true", "/bin/echo", "/nowhere"])
    func failure(_ program: String) async throws {
        let run = try await demo(of: program)
        #expect(run.status == 1)
        #expect(run.outputText.contains("\nWRONG: it "))
    }
}
