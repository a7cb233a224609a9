import CommandLineKit
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

@testable import Commands

struct EnvironmentChoiceTests {
    @Test(
        "The environment is the flag's, else the variable's, else that of reqcli.json, else development, else the only one",
        arguments: [
            ("staging", "qa", #"{ "environment": "local" }"#, EnvironmentChoice.Origin.flag, "staging"),
            (nil, "qa", #"{ "environment": "local" }"#, .variable, "qa"),
            (nil, "", #"{ "environment": "local" }"#, .settings, "local"),
            (nil, nil, "{}", .standard, "development"),
            (nil, nil, nil, .standard, "development"),
        ] as [(String?, String?, String?, EnvironmentChoice.Origin, String)])
    func order(
        _ flag: String?, _ variable: String?, _ settings: String?, _ origin: EnvironmentChoice.Origin, _ name: String
    ) throws {
        var others: [String: String] = [:]
        others["/work/reqcli.json"] = settings
        let context = Context.test(
            files: Samples.files(adding: others).fileSystem, variables: variable.map { ["REQCLI_ENV": $0] } ?? [:])
        let workspace = Workspace(root: "/work", currentFolder: "/work", files: context.files)
        #expect(
            try context.chooseEnvironment(flag: flag, in: workspace) == EnvironmentChoice(name: name, origin: origin))
    }

    @Test("The user's configuration comes after the variable and reqcli.json, and not in CI")
    func configuration() async {
        let config = ["/home/.config/reqcli/config": "# mine\nREQCLI_ENV=staging\nREQCLI_HISTORY='1'\n"]
        let files = Samples.files(adding: config)
        let run = await reqcli("status", files: files, variables: ["HOME": "/home"])
        #expect(run.output.contains("staging (from REQCLI_ENV in the user's config)"), "\(run)")
        #expect(run.output.contains("on: command lines and responses"), "\(run)")
        let other = await reqcli("status", files: files, variables: ["HOME": "/home", "REQCLI_ENV": "development"])
        #expect(other.output.contains("development (from REQCLI_ENV)"), "\(other)")
        let elsewhere = await reqcli("status", files: files, variables: ["HOME": "/home", "XDG_CONFIG_HOME": "/none"])
        #expect(elsewhere.output.contains("development (the default)"), "\(elsewhere)")
        let continuous = await reqcli("status", files: files, variables: ["HOME": "/home", "CI": "1"])
        #expect(continuous.output.contains("development (the default)"), "\(continuous)")
        let project = Samples.files(
            adding: config.merging(["/work/reqcli.json": #"{"environment": "development", "history": false}"#]) { $1 })
        let kept = await reqcli("status", files: project, variables: ["HOME": "/home"])
        #expect(kept.output.contains("development (from reqcli.json)") && kept.output.contains("off"), "\(kept)")
    }

    @Test(
        "A mistake in the user's configuration is an error with its place or name",
        arguments: [
            ("REQCLI_ENV staging", "config:1:1: error: expected NAME=value"),
            ("REQCLI_TRUST=1", "REQCLI_TRUST can't be set here"),
            ("REQCLI_TOKEN=abc", "REQCLI_TOKEN can't be set here"),
            ("REQCLI_HISTORY=yes", "REQCLI_HISTORY takes 1 or 0"),
        ])
    func brokenConfiguration(_ text: String, _ message: String) async {
        let files = Samples.files(adding: ["/home/.config/reqcli/config": text])
        let run = await reqcli("status", files: files, variables: ["HOME": "/home"])
        #expect(run.status != 0 && run.messages.contains(message) && !run.messages.contains("abc"), "\(run)")
    }

    @Test(
        "The only environment is used if none is named and there is no development",
        arguments: [
            (["api"], "api", EnvironmentChoice.Origin.only), (["api", "b"], "development", .standard),
            ([], "development", .standard),
            (["development"], "development", .standard),
        ] as [([String], String, EnvironmentChoice.Origin)])
    func only(_ names: [String], _ name: String, _ origin: EnvironmentChoice.Origin) throws {
        let files = MemoryFiles(
            Dictionary(uniqueKeysWithValues: names.map { ("/work/environments/\($0).json", "{}") })
                .merging(["/work/endpoints/a.json": "{}"]) { $1 })
        let context = Context.test(files: files.fileSystem)
        let workspace = Workspace(root: "/work", currentFolder: "/work", files: context.files)
        #expect(
            try context.chooseEnvironment(flag: nil, in: workspace) == EnvironmentChoice(name: name, origin: origin))
    }

    @Test("The environment comes with what it extends, and no other file is read")
    func chain() throws {
        let files = Samples.files(adding: ["/work/environments/production.json": "{}"])
        let context = Context.test(files: files.fileSystem)
        let workspace = Workspace(root: "/work", currentFolder: "/work", files: context.files)
        let chain = try context.environment(flag: "staging", in: workspace)
        #expect(chain.layers.map(\.name) == ["development", "staging"])
        #expect(files.readFiles == ["/work/environments/staging.json", "/work/environments/development.json"])
    }

    @Test(
        "Where the environment is broken, or unknown, what is wrong with the endpoint is told as well",
        arguments: ["render", "explain", "send"])
    func withEndpoint(command: String) async {
        let files = Samples.files(adding: [
            "/work/endpoints/one.json": #"{"metod": "GET"}"#, "/work/environments/broken.json": #"{"hots": "h"}"#,
        ])
        let broken = await reqcli(command, "one", "-e", "broken", files: files)
        #expect(broken.status == 3 && broken.messages.contains("metod") && broken.messages.contains("hots"))
        #expect(broken.messages.contains("2 errors in 2 files"), "\(broken.messages)")
        let unknown = await reqcli(command, "nothing", "-e", "nowhere", files: files)
        #expect(unknown.status == 2 && unknown.messages.contains("nothing") && unknown.messages.contains("nowhere"))
        #expect(await reqcli(command, "user.get", "-e", "broken", files: files).messages.contains("1 error in 1 file"))
    }

    @Test("An unknown one: who named it, near names and the list")
    func unknown() {
        let context = Context.test(files: Samples.files().fileSystem, variables: ["REQCLI_ENV": "stagin"])
        let workspace = Workspace(root: "/work", currentFolder: "/work", files: context.files)
        let failure = #expect(throws: Failure.self) { try context.environment(flag: nil, in: workspace) }
        #expect(failure?.status == .usage)
        #expect(failure?.diagnostics.map(\.message) == [#"there is no environment "stagin" (from REQCLI_ENV)"#])
        #expect(
            failure?.diagnostics.map(\.hint) == [#"did you mean "staging"? available: development, staging"#])
    }

    @Test("A broken reqcli.json is an error with its place")
    func brokenSettings() {
        let files = Samples.files(adding: ["/work/reqcli.json": #"{ "env": "staging" }"#])
        let context = Context.test(files: files.fileSystem)
        let workspace = Workspace(root: "/work", currentFolder: "/work", files: context.files)
        let failure = #expect(throws: Failure.self) { try context.environment(flag: nil, in: workspace) }
        #expect(failure?.status == .broken)
        #expect(failure?.diagnostics.first?.place?.description == "reqcli.json:1:3")
    }
}
