import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

@Suite("Files outside the workspace")
struct TrustTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        /// Members of the endpoint and of the environment; the `⟦⟧` is the place of the complaint.
        var endpoint = ""
        var environment = ""
        var files: [String: String] = [:]
        var links: [String: String] = [:]
        let request: TrustRequest
        /// What is asked for, in the words of the complaint.
        let shown: String
        var testDescription: String { name }
    }

    private static let secret = #""headers": {"A": "{{secret.s}}"}"#

    static let outside = [
        Row(
            name: "a body by an absolute path", endpoint: #""body": {"file": ⟦⟧"/out/a"}"#,
            request: .file("/out/a", real: "/out/a"), shown: #"reading "/out/a", a file outside the workspace,"#),
        Row(
            name: "a body in the home folder", endpoint: #""body": {"file": ⟦⟧"~/.ssh/id"}"#,
            request: .file("~/.ssh/id", real: "/home/ada/.ssh/id"),
            shown: #"reading "~/.ssh/id" (/home/ada/.ssh/id), a file outside the workspace,"#),
        Row(
            name: "a body above the root", endpoint: #""body": {"file": ⟦⟧"a/../../out/a"}"#,
            request: .file("a/../../out/a", real: "/out/a"),
            shown: #"reading "a/../../out/a" (/out/a), a file outside the workspace,"#),
        Row(
            name: "a body through a link", endpoint: #""body": {"file": ⟦⟧"data"}"#, links: ["/w/data": "/out/a"],
            request: .file("data", real: "/out/a"), shown: #"reading "data" (/out/a), a file outside the workspace,"#),
        Row(
            name: "a folder whose name begins like the root's", endpoint: #""body": {"file": ⟦⟧"/work/a"}"#,
            request: .file("/work/a", real: "/work/a"), shown: #"reading "/work/a", a file outside the workspace,"#),
        Row(
            name: "a part", endpoint: #""body": {"multipart": {"p": {"file": ⟦⟧"/out/a"}}}"#,
            request: .file("/out/a", real: "/out/a"), shown: #"reading "/out/a", a file outside the workspace,"#),
        Row(
            name: "the default of a file param",
            endpoint: #""params": {"f": {"type": "file", "default": "/out/a"}}, "body": {"file": ⟦⟧"{{f}}"}"#,
            request: .file("/out/a", real: "/out/a"), shown: #"reading "/out/a", a file outside the workspace,"#),
        Row(
            name: "a variable", endpoint: #""body": {"file": ⟦⟧"{{v}}"}"#,
            environment: #""variables": {"v": "/out/a"}"#,
            request: .file("/out/a", real: "/out/a"), shown: #"reading "/out/a", a file outside the workspace,"#),
        Row(
            name: "a certificate", endpoint: #""tls": {"ca": ⟦⟧"/out/a"}"#,
            request: .file("/out/a", real: "/out/a"), shown: #"reading "/out/a", a file outside the workspace,"#),
        Row(
            name: "a secret's file", endpoint: secret, environment: #""secrets": {"s": {"file": ⟦⟧"~/.ssh/id"}}"#,
            request: .file("~/.ssh/id", real: "/home/ada/.ssh/id"),
            shown: #"cannot read secret "s": "#
                + #"reading "~/.ssh/id" (/home/ada/.ssh/id), a file outside the workspace,"#),
        Row(
            name: "a secret's file through a link", endpoint: secret,
            environment: #""secrets": {"s": {"file": ⟦⟧"token"}}"#, links: ["/w/token": "/out/a"],
            request: .file("token", real: "/out/a"),
            shown: #"cannot read secret "s": reading "token" (/out/a), a file outside the workspace,"#),
    ]

    private static func scenario(
        _ row: Row, _ permission: TrustPermission, asked: Asked = Asked()
    ) -> Scenario {
        let environment = [#""baseURL": "http://h""#, row.environment].filter { !$0.isEmpty }.joined(separator: ", ")
        var scenario = Scenario("{\(row.endpoint)}", environment: "{\(environment)}")
        scenario.otherFiles = ["/out/a": [0x61], "/home/ada/.ssh/id": [0x62], "/work/a": [0x63], "/w/a/x": []]
        scenario.links = row.links
        scenario.stub = { world in
            world.stub(variables: ["HOME": "/home/ada"])
            world.permits = { request, workspace in
                #expect(workspace == "/w")
                asked.add(request)
                return permission
            }
        }
        return scenario
    }

    private final class Asked: Sendable {
        private let requests = Mutex<[TrustRequest]>([])
        var all: [TrustRequest] { requests.withLock { $0 } }
        func add(_ request: TrustRequest) { requests.withLock { $0.append(request) } }
    }

    @Test("What is in one is sent with an agreement, and not without", arguments: outside)
    func demanded(_ row: Row) throws {
        let asked = Asked()
        _ = try Self.scenario(row, .granted, asked: asked).assembled()
        #expect(asked.all == [row.request])

        let unasked = Self.scenario(row, .unasked)
        var failure = try unasked.failure()
        #expect(failure.definitions.map(\.message) == ["\(row.shown) needs your agreement"])
        #expect(
            failure.definitions.map(\.hint) == ["check what would be done, then pass --trust or set REQCLI_TRUST=1"])
        #expect(failure.places == unasked.marks)

        failure = try Self.scenario(row, .refused).failure()
        #expect(failure.definitions.map(\.message) == ["\(row.shown) was refused"])
    }

    @Test("One that takes the place of .env needs an agreement, too")
    func environmentFile() throws {
        let row = Row(
            name: "", endpoint: #""headers": {"A": "{{$env.TOKEN}}"}"#, links: ["/w/.env": "/out/env"],
            request: .file(".env", real: "/out/env"), shown: "")
        for permission in [TrustPermission.granted, .unasked] {
            let asked = Asked()
            var scenario = Self.scenario(row, permission, asked: asked)
            scenario.otherFiles["/out/env"] = Array("TOKEN=abc".utf8)
            scenario.otherFiles["/w/.env"] = []
            if permission == .granted {
                #expect(try scenario.wire().headers == ["A: abc"])
            } else {
                #expect(
                    try scenario.failure().definitions.first?.message
                        == #"reading ".env" (/out/env), a file outside the workspace, needs your agreement"#)
            }
            #expect(asked.all == [row.request])
        }
    }

    @Test(
        "Nobody is asked about a file inside the workspace, however it is named",
        arguments: ["a/x", "/w/a/x", "a/../a/x", "../w/a/x"])
    func inside(_ path: String) throws {
        for (endpoint, environment) in [
            (#""body": {"file": "\#(path)"}"#, ""), (#""body": {"multipart": {"p": {"file": "\#(path)"}}}"#, ""),
            (Self.secret, #", "secrets": {"s": {"file": "\#(path)"}}"#),
        ] {
            var scenario = Scenario("{\(endpoint)}", environment: #"{"baseURL": "http://h"\#(environment)}"#)
            scenario.files["a/x"] = "x"
            _ = try scenario.assembled()
        }
    }

    @Test("A path that was typed, all of it, is its author's own")
    func typed() throws {
        let endpoint = #"{"params": {"f": {"type": "file"}}, "body": {"file": "{{f}}"}}"#
        var scenario = Scenario(endpoint, "f=/out/a")
        scenario.otherFiles["/out/a"] = [0x61]
        _ = try scenario.assembled()
        // A row of a table was not typed.
        scenario.arguments = [ParameterArgument(name: "f", source: .text("/out/a"), isTyped: false)]
        scenario.stub = { $0.permits = { _, _ in .unasked } }
        #expect(try scenario.failure().definitions.count == 1)
        // Nor was the rest of a path of which a part was.
        var part = Scenario(#"{"params": {"d": {"type": "string"}}, "body": {"file": "{{d}}/a"}}"#, "d=/out")
        part.otherFiles["/out/a"] = [0x61]
        part.stub = { $0.permits = { _, _ in .unasked } }
        #expect(try part.failure().definitions.count == 1)
    }

    @Test("A request that is only described reads no body, and nobody is asked")
    func described() throws {
        for row in Self.outside where row.environment.isEmpty {
            let asked = Asked()
            var scenario = Self.scenario(row, .refused, asked: asked)
            scenario.readsBodyFiles = false
            _ = try scenario.assembled()
            #expect(asked.all.isEmpty)
        }
    }
}
