import Foundation
import TestSupport
import Testing
import ToolSupport

/// The choice of an environment, kept between real processes.
struct EnvironmentUseTests {
    private static func workspace(_ names: String...) throws -> ToolWorkspace {
        var files = ["endpoints/it.json": #"{ "path": "it" }"#]
        for name in names { files["environments/\(name).json"] = #"{ "baseURL": "http://h/\#(name)" }"# }
        return try ToolWorkspace(files)
    }

    private static func server(
        _ workspace: ToolWorkspace, _ flags: [String] = [], _ variables: [String: String] = [:]
    ) async throws -> String {
        let run = try await Tool.run(["render", "--one-line", "it"] + flags, in: workspace, environment: variables)
        return run.status == 0
            ? String(
                String(decoding: run.output, as: UTF8.self).split(whereSeparator: \.isWhitespace).first {
                    $0.hasPrefix("http")
                } ?? "") : run.errors
    }

    @Test(
        "env use chooses for all later commands in this workspace, below --env, REQCLI_ENV and in front of reqcli.json")
    func use() async throws {
        let workspace = try Self.workspace("one", "two", "development")
        try workspace.write("reqcli.json", #"{ "environment": "one" }"#)
        #expect(try await Self.server(workspace) == "http://h/one/it")
        let use = try await Tool.run(["env", "use", "two"], in: workspace)
        #expect(use.status == 0 && use.errors.contains("use two (from \"reqcli env use\")"), "\(use)")
        #expect(try await Self.server(workspace) == "http://h/two/it")
        #expect(try await Self.server(workspace, ["-e", "one"]) == "http://h/one/it")
        #expect(try await Self.server(workspace, [], ["REQCLI_ENV": "development"]) == "http://h/development/it")
        #expect(try await Self.server(workspace, [], ["CI": "true"]) == "http://h/one/it")

        let kept = workspace.path(".local/state/reqcli/environments")
        let file = try #require(try FileManager.default.contentsOfDirectory(atPath: kept).first { !$0.hasPrefix(".") })
        let modes = try [kept, "\(kept)/\(file)"].map {
            try FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions] as? Int
        }
        #expect(modes == [0o700, 0o600])

        try FileManager.default.removeItem(atPath: workspace.path("environments/two.json"))
        let gone = try await Tool.run(["render", "it"], in: workspace)
        #expect(gone.status == 2 && gone.errors.contains("reqcli env use --none"), "\(gone.errors)")
        #expect(try await Tool.run(["env", "use", "--none"], in: workspace).status == 0)
        #expect(try await Self.server(workspace) == "http://h/one/it")
    }

    @Test("a choice of an environment that doesn't exist is refused, and nothing is kept")
    func unknown() async throws {
        let workspace = try Self.workspace("one", "development")
        let run = try await Tool.run(["env", "use", "ome"], in: workspace)
        #expect(run.status == 2 && run.errors.contains("did you mean \"one\"?"), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: workspace.path(".local/state/reqcli/environments")))
    }

    @Test("the only environment of a workspace is used, whatever its name")
    func only() async throws {
        #expect(try await Self.server(try Self.workspace("api")) == "http://h/api/it")
        let two = try await Self.server(try Self.workspace("api", "other"))
        #expect(two.contains("there is no environment \"development\" (the default)"), "\(two)")
    }
}
