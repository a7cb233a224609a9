import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

@Suite struct OccurrenceTests {
    private static let files = [
        "endpoints/user.json": """
        {"defaults": {"params": {"region": {"type": "string", "default": "eu"}}, "headers": {"X": "{{region}}"}},
         "endpoints": {
          "get": {"path": "/{{userID}}/{{zone}}", "params": {"userID": {"type": "integer"}},
                  "needs": {"login": "auth.login"}, "headers": {"T": "{{login.token}} {{ secret.key }}"},
                  "stubs": {"default": "one", "variants": {"one": {}}}}}}
        """,
        "endpoints/auth/login.json": #"{"path": "/login", "capture": {"token": {"json": "$.token"}}}"#,
        "environments/dev.json":
            #"{"baseURL": "http://a.example", "variables": {"zone": "z"}, "secrets": {"key": {"env": "KEY"}}}"#,
        "scenarios/flow.json": """
        {"params": {"id": {"type": "integer", "example": 1}},
         "steps": [{"name": "log", "endpoint": "auth.login"},
                   {"name": "get", "endpoint": "user.get", "with": {"userID": "{{id}}", "region": "{{log.token}}"}}]}
        """,
    ]

    private let reading: WorkspaceReading

    init() {
        let files = MemoryFiles(Self.files.reduce(into: [:]) { $0["/w/\($1.key)"] = .text($1.value) })
        reading = WorkspaceReading(
            Workspace(root: "/w", currentFolder: "/w", files: files.fileSystem), withLoads: true)
    }

    private func places(_ symbol: Symbol) -> [String] {
        reading.occurrences().filter { $0.symbol == symbol }.map {
            "\($0.place.file.name) \($0.place.file.text($0.place.range))\($0.isDefinition ? " defined" : "")"
        }.sorted()
    }

    @Test func paramsOfEndpointsAndGroups() {
        #expect(
            places(.parameter("userID", of: "user.get")) == [
                "endpoints/user.json userID", "endpoints/user.json userID defined", "scenarios/flow.json userID",
            ])
        #expect(
            places(.parameter("region", of: Symbol.owner(ofGroup: "user"))) == [
                "endpoints/user.json region", "endpoints/user.json region defined", "scenarios/flow.json region",
            ])
        #expect(places(.parameter("id", of: "scenario:flow")).count == 2)
    }

    @Test func capturesAndAliases() {
        #expect(
            places(.capture("token", of: "auth.login")) == [
                "endpoints/auth/login.json token defined", "endpoints/user.json token", "scenarios/flow.json token",
            ])
        #expect(
            places(.alias("login", of: "user.get")) == [
                "endpoints/user.json login", "endpoints/user.json login defined",
            ])
        #expect(
            places(.step("log", of: "scenario:flow")) == ["scenarios/flow.json log", "scenarios/flow.json log defined"])
    }

    @Test func variablesSecretsAndVariants() {
        #expect(places(.variable("zone")) == ["endpoints/user.json zone", "environments/dev.json zone defined"])
        #expect(places(.secret("key")) == ["endpoints/user.json key", "environments/dev.json key defined"])
        #expect(
            places(.variant("one", of: "user.get")) == ["endpoints/user.json one", "endpoints/user.json one defined"])
    }

    @Test func namesOfEndpoints() {
        #expect(places(.endpoint("auth.login")).filter { !$0.hasSuffix("defined") }.count == 2)
    }

    @Test func oneFileAloneHasItsOccurrences() {
        let all = reading.occurrences().filter { $0.place.file.name == "endpoints/user.json" }
        #expect(Set(reading.occurrences(in: "endpoints/user.json").map(\.symbol)) == Set(all.map(\.symbol)))
    }

    @Test func whatPlaceholdersCanName() {
        let path: [JSONValue.Step] = [.key("endpoints"), .key("get"), .key("path")]
        let names = reading.placeholderCandidates(at: path, in: "endpoints/user.json").map(\.text)
        #expect(names.prefix(5) == ["userID", "region", "login.token", "zone", "secret.key"])
    }
}
