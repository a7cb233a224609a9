import ReqcliAssembly
import ReqcliDefinitions
import TestSupport
import Testing

/// One assembler makes the requests of a whole run: what it keeps of one call must not show in another.
struct SeveralCallsTests {
    @Test("each call has what its own environment says, whichever was asked for before")
    func environments() throws {
        let scenario = Scenario(
            #"{"path": "p"}"#, environment: #"{"baseURL": "http://one/a", "headers": {"X-A": "1"}}"#,
            bases: [
                "two": #"{"baseURL": "http://two/a b", "headers": {"X-B": "{{b}}"}, "variables": {"b": 2}}"#
            ])
        let workspace = Workspace(root: "/w", currentFolder: "/w", files: scenario.memory.fileSystem)
        let assembler = Assembler(world: World.unstubbed(scenario.memory))
        func line(_ name: String, version: String) throws -> String {
            guard case .found(let endpoint) = workspace.endpoint("e").value,
                case .found(let environment) = workspace.environment(name).value
            else { return "not found" }
            var call = Call(workspace: workspace, endpoint: endpoint, environment: environment)
            call.version = version
            let wire = Wire(try assembler.assemble(call))
            return "\(wire.line) \(wire.headers)"
        }
        let (one, two) = (try line("env", version: "1"), try line("two", version: "1"))
        #expect(one.contains("http://one/a/p") && one.contains("X-A") && !one.contains("X-B"))
        #expect(two.contains("http://two/a%20b/p") && two.contains("X-B") && !two.contains("X-A"))
        #expect(try line("env", version: "1") == one)
        #expect(try line("env", version: "2") == one.replacing("reqcli/1", with: "reqcli/2"))
        #expect(try line("two", version: "1") == two)
    }
}
