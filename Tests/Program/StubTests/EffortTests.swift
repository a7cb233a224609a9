import Exchange
import ReqcliNetworking
import TestSupport
import Testing

struct EffortTests {
    private static let files = ["environments/development.json", "endpoints/a.json"].map { "read \($0)" }

    @Test("Sending reads each file once, and loads the network library only to send")
    func sending() async throws {
        let workspace = try TemporaryFolder.workspace(endpoint: #"{ "path": "x" }"#)
        let program = InProcess(response: { _ in throw TransportError(.refused, target: "a.test") })
        #expect(await program.run("send", "a", in: workspace).status == 6)
        #expect(program.effort.steps == Self.files + ["opened a connection"])
    }

    @Test("--stub does not load the network library")
    func stub() async throws {
        let workspace = try TemporaryFolder.workspace(
            endpoint: #"{ "path": "x", "stubs": { "variants": { "standard": { "text": "yes" } } } }"#)
        let program = InProcess()
        #expect(await program.run("send", "a", "--stub", in: workspace).status == 0)
        #expect(program.effort.steps == Self.files)
    }
}
