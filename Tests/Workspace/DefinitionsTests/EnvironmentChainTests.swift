import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

@Suite struct EnvironmentChainTests {
    private func chain(_ name: String, _ environments: KeyValuePairs<String, String>) throws -> EnvironmentChain {
        let workspace = Workspace.inMemory(environments.map { ("environments/\($0.key).json", $0.value) })
        let lookup = workspace.environment(name)
        guard case .found(let chain) = lookup.value else {
            throw Unexpected(text: lines(lookup.diagnostics).joined(separator: "\n"))
        }
        return chain
    }

    private struct Unexpected: Error {
        let text: String
    }

    static let orders: [(name: String, environments: KeyValuePairs<String, String>, layers: [String])] = [
        ("one alone", ["a": "{}"], ["a"]),
        ("a base first", ["a": #"{"extends": "b"}"#, "b": "{}"], ["b", "a"]),
        (
            "several bases from left to right", ["a": #"{"extends": ["c", "b"]}"#, "b": "{}", "c": "{}"],
            ["c", "b", "a"]
        ),
        (
            "a base that two share comes once, where it is met first",
            [
                "a": #"{"extends": ["b", "c"]}"#, "b": #"{"extends": "d"}"#, "c": #"{"extends": "d"}"#, "d": "{}",
            ], ["d", "b", "c", "a"]
        ),
        ("a base that is named twice", ["a": #"{"extends": ["b", "b"]}"#, "b": "{}"], ["b", "a"]),
    ]

    @Test("the layers stand in the order in which they are applied", arguments: orders)
    func order(name: String, environments: KeyValuePairs<String, String>, layers: [String]) throws {
        #expect(try chain("a", environments).layers.map(\.name) == layers, "\(name)")
    }

    @Test("the last layer has the last word on a variable, null takes it back")
    func variables() throws {
        let chain = try chain(
            "a",
            [
                "base": #"{"variables": {"x": 1, "y": 2, "z": 3}, "secrets": {"s": {"env": "S"}, "t": {"env": "T"}}}"#,
                "a": #"{"extends": "base", "variables": {"y": 20, "z": null, "w": 4}, "secrets": {"t": null}}"#,
            ])
        #expect(
            chain.variables.map { "\($0.name)=\($0.value.set?.source.compact ?? "-")" } == [
                "x=1", "y=20", "w=4",
            ])
        #expect(chain.secrets.map(\.name) == ["s"])
    }

    @Test("a policy merges by key, null takes all of it back")
    func policy() throws {
        let base = #"{"policy": {"methods": ["GET", "POST"], "confirm": ["POST"]}}"#
        let merged = try chain("a", ["base": base, "a": #"{"extends": "base", "policy": {"confirm": []}}"#]).policy
        #expect(merged?.methods?.map(\.value) == ["GET", "POST"])
        #expect(merged?.confirm.map(\.value) == [])
        let kept = try chain("a", ["base": base, "a": #"{"extends": "base", "policy": {"methods": ["GET"]}}"#]).policy
        #expect(kept?.methods?.map(\.value) == ["GET"])
        #expect(kept?.confirm.map(\.value) == ["POST"])
        #expect(try chain("a", ["base": base, "a": #"{"extends": "base", "policy": null}"#]).policy == nil)
    }

    @Test("stubs merge by endpoint, null takes back one of them or all")
    func stubs() throws {
        let base = #"{"stubs": {"*": "standard", "user.feed": "empty"}}"#
        func stubs(_ later: String) throws -> [String]? {
            try chain("a", ["base": base, "a": #"{"extends": "base", "stubs": \#(later)}"#]).stubs?.map {
                "\($0.name)=\($0.value.value)"
            }
        }
        #expect(
            try stubs(#"{"user.feed": "malformed", "ping": "down"}"#) == [
                "*=standard", "user.feed=malformed", "ping=down",
            ])
        #expect(try stubs(#"{"*": null}"#) == ["user.feed=empty"])
        #expect(try stubs("null") == nil)
        #expect(try chain("a", ["a": "{}"]).stubs == nil)
    }

    static let broken: [Mistake] = [
        Mistake(
            "a circle, told where it closes",
            [
                "environments/a.json": #"{"extends": "b"}"#, "environments/b.json": #"{"extends": ["c", ⟦"a"⟧]}"#,
                "environments/c.json": "{}",
            ],
            .error(
                .extendsCycle, "environments extend each other in a cycle: a → b → a",
                hint: #"remove one of these environments from "extends""#)),
        Mistake(
            "a base that isn't there", ["environments/a.json": #"{"extends": ⟦"bb"⟧}"#, "environments/b.json": "{}"],
            .error(
                .environmentUnknown, #"there is no environment "bb""#, hint: #"did you mean "b"? available: a, b"#)),
        Mistake(
            "a base in two files",
            ["environments/a.json": #"{"extends": "b"}"#, "environments/b.json": "{}", "environments/b.jsonc": "{}"],
            .error(
                .idClash, #"the environment "b" is defined twice: in environments/b.json and in environments/b.jsonc"#,
                hint: "keep one of the two files", file: "environments/b.jsonc")),
        Mistake(
            "a base that is broken",
            ["environments/a.json": #"{"extends": "b"}"#, "environments/b.json": #"{"port": ⟦true⟧}"#],
            .error(.typeMismatch, #""port" takes a whole number from 1 to 65535; found true"#)),
    ]

    @Test("an environment with a broken base is broken, with the reason", arguments: broken)
    func isBroken(_ mistake: Mistake) {
        let lookup = mistake.workspace.environment("a")
        guard case .broken = lookup.value else {
            Issue.record("it was expected to be broken")
            return
        }
        #expect(lines(lookup.diagnostics) == mistake.expectedLines)
    }

    @Test("the longest chain that is allowed is read without recursion, each file once")
    func longChain() {
        let count = 101
        var texts = ["environments/e0.json": "{}"]
        for number in 1..<count { texts["environments/e\(number).json"] = #"{"extends": "e\#(number - 1)"}"# }
        let files = MemoryFiles(texts)
        let workspace = Workspace(root: "/work", currentFolder: "/work", files: files.fileSystem)
        guard case .found(let chain) = workspace.environment("e\(count - 1)").value else {
            Issue.record("it is not there")
            return
        }
        #expect(chain.layers.count == count)
        #expect(files.readFiles.count == count)
    }
}
