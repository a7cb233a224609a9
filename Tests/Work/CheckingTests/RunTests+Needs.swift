import Calling
import Checking
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import RequestBuilding
import Testing

/// What cases need first: each once, again where it has run out, and what becomes of those whose need fails.
extension RunTests {
    static let session: [String: String] = [
        "endpoints/auth.json": """
        {"endpoints": {"login": {"path": "/login", "params": {"user": {"type": "string", "default": "ann"}},
          "capture": {"token": {"json": "$.token", "secret": true}}}}}
        """,
        "endpoints/user.json": """
        {"defaults": {"needs": {"login": "auth.login"}}, "endpoints": {
          "get": {"path": "/user", "expect": {"status": 200}}, "feed": {"path": "/feed", "expect": {"status": 200}},
          "other": {"path": "/o/{{who}}", "params": {"who": {"type": "string"}},
            "needs": {"login": {"endpoint": "auth.login", "with": {"user": "{{who}}"}}},
            "checks": [{"name": "bob", "with": {"who": "bob"}, "expect": {"status": 200}},
                       {"name": "bob again", "with": {"who": "bob"}, "expect": {"status": 200}}]}}}
        """,
    ]

    @Test("What is needed runs once for each set of params, however many need it")
    func once() async throws {
        let stage = Stage { call, _ in .answer(200, #"{"token": "t-\#(call.arguments.first?.source.shown ?? "none")"}"#)
        }
        let result = try await stage.run(Self.session, options: RunOptions(jobs: .fixed(8)))
        #expect(result.exitStatus == .success)
        #expect(
            stage.calls.sorted() == [
                "auth.login", "auth.login user=bob", "user.feed login.token=t-none", "user.get login.token=t-none",
                "user.other who=bob login.token=t-bob", "user.other who=bob login.token=t-bob",
            ])
        #expect(result.dependencies.map(\.id).sorted() == ["auth.login", "auth.login user=bob"])
    }

    @Test(
        "A value shares what is needed with its equal alone: text is no number, whatever it looks like",
        arguments: [
            ("json", "1", #""1""#), ("json", "null", #""null""#), ("json", "true", #""true""#),
            ("string", #""1""#, #""1 ""#),
        ])
    func distinctValues(_ type: String, _ one: String, _ other: String) async throws {
        let files: [String: String] = [
            "endpoints/dep.json": #"{"path": "/", "params": {"v": {"type": "\#(type)"}}, "body": {"json": "{{v}}"}}"#,
            "endpoints/u.json": """
            {"params": {"v": {"type": "\(type)"}}, "needs": {"d": {"endpoint": "dep", "with": {"v": "{{v}}"}}}, "checks": [
              {"name": "one", "with": {"v": \(one)}, "expect": {"status": 200}},
              {"name": "other", "with": {"v": \(other)}, "expect": {"status": 200}},
              {"name": "one again", "with": {"v": \(one)}, "expect": {"status": 200}}]}
            """,
        ]
        let stage = Stage { _, _ in .answer(200) }
        #expect(try await stage.run(files).exitStatus == .success)
        #expect(stage.count("dep") == 2)
    }

    @Test("A number out of a table shares what is needed with the same number out of a file")
    func sameNumber() async throws {
        let files: [String: String] = [
            "endpoints/dep.json":
                #"{"path": "/{{n}}", "params": {"n": {"type": "integer"}}, "expect": {"status": 200}}"#,
            "endpoints/u.json":
                #"{"needs": {"d": {"endpoint": "dep", "with": {"n": 1}}}, "expect": {"status": 200}}"#,
        ]
        let stage = Stage { _, _ in .answer(200) }
        let result = try await stage.run(files, data: "n\n1\n2\n")
        #expect(result.exitStatus == .success)
        #expect(stage.count("dep") == 2)
    }

    @Test("What is needed and is a case as well runs once for both")
    func sharedWithCase() async throws {
        let files: [String: String] = [
            "endpoints/a.json": #"{"path": "/", "needs": {"x": "login"}, "expect": {"status": 200}}"#,
            "endpoints/login.json":
                #"{"path": "/", "expect": {"status": 201}, "checks": [{"name": "twice", "expect": {"status": 201}}]}"#,
        ]
        let stage = Stage { call, _ in .answer(call.endpoint.id == "login" ? 201 : 200) }
        let result = try await stage.run(files)
        #expect(result.lines == ["a: passed", "login: passed", "login/twice: passed"])
        #expect(stage.count("login") == 2, "a check of its own is a call of its own")
    }

    @Test("A chain of needs runs from its end, and a failure is told to the last")
    func chain() async throws {
        let files: [String: String] = [
            "endpoints/a.json": #"{"path": "/", "needs": {"b": "b"}, "expect": {"status": 200}}"#,
            "endpoints/b.json": #"{"path": "/", "needs": {"c": "c"}, "capture": {"id": {"json": "$.id"}}}"#,
            "endpoints/c.json": #"{"path": "/", "capture": {"id": {"json": "$.id"}}}"#,
        ]
        let good = Stage { call, _ in .answer(200, #"{"id": "\#(call.endpoint.id)"}"#) }
        _ = try await good.run(files)
        #expect(good.calls == ["c", "b c.id=c", "a b.id=b"])
        let bad = Stage { call, _ in .answer(call.endpoint.id == "c" ? 503 : 200) }
        let result = try await bad.run(files)
        #expect(bad.calls == ["c"])
        let reason = try #require(result.outcome("a")?.reasons.first)
        #expect(reason.text.hasPrefix("b is blocked: c failed: status: expected 2xx"))
    }

    @Test("A capture that finds nothing blocks those that need it, and says where it stands")
    func emptyCapture() async throws {
        let stage = Stage { _, _ in .answer(200, #"{"tokn": 1}"#) }
        let result = try await stage.run(Self.session, "user.get")
        #expect(result.lines == ["user.get: blocked"])
        #expect(
            result.outcome("user.get")?.reasons == [
                #"auth.login failed: the capture "token" of auth.login found nothing at $.token; "#
                    + "the response (200) has the keys tokn; the values are not shown, because one may be the secret"
            ])
        #expect(stage.calls == ["auth.login"])
    }

    @Test(
        "An answer in which a secret wasn't found, or not as it should be, is in no report",
        arguments: [
            (#"{"json": "$.acces_token", "secret": true}"#, #"{"access_token": "tok-123456"}"#),
            (#"{"json": "$.list[*]", "secret": true}"#, #"{"list": ["tok-123456", "tok-654321"]}"#),
            (#"{"header": "X-Tokn", "secret": true}"#, "{}"), (#"{"header": "X-Token", "secret": true}"#, "{}"),
        ])
    func lostSecret(_ capture: String, _ body: String) async throws {
        let files: [String: String] = [
            "endpoints/auth.json": """
            {"path": "/login", "capture": {"token": \(capture)},
             "expect": {"status": 200, "body": "x", "headers": {"X-Token": "y"}, "json": {"$": [], "$.*": 1}}}
            """,
            "endpoints/login.json": "{\"path\": \"/login\", \"capture\": {\"token\": \(capture)}}",
            "endpoints/me.json": #"{"path": "/me", "needs": {"login": "login"}, "expect": {"status": 200}}"#,
        ]
        let names = capture.contains("header") ? ["X-Token", "X-Token"] : []
        let headers = HeaderFields(names.map { HeaderFields.Field($0, "tok-123456") })
        let stage = Stage { _, _ in CallResult(.success(.text(body, headers: headers))) }
        let result = try await stage.run(files, options: RunOptions(recordsPassed: true))
        #expect(result.lines == ["auth: failed", "me: blocked"])
        for kind in ReportKind.allCases {
            let text = kind.report.text(of: result)
            #expect(!text.contains("tok-"), "\(text)")
        }
    }

    // MARK: Refreshing

    static let expiring: [String: String] = [
        "endpoints/auth.json": #"{"path": "/login", "capture": {"token": {"json": "$.token"}}}"#,
        "endpoints/user.json": """
        {"defaults": {"needs": {"login": {"endpoint": "auth", "refreshOn": [401]}}}, "endpoints": {
          "a": {"path": "/a", "expect": {"status": 200}}, "b": {"path": "/b", "expect": {"status": 200}}}}
        """,
    ]

    @Test("An answer that means that a capture has run out makes its endpoint run again, once, and repeats the request")
    func refresh() async throws {
        let stage = Stage { call, number in
            if call.endpoint.id == "auth" { return .answer(200, #"{"token": \#(number)}"#) }
            return call.captures["login"]?["token"] == 2 ? .answer(200) : .answer(401)
        }
        let result = try await stage.run(Self.expiring, options: RunOptions(jobs: .fixed(1)))
        #expect(result.lines == ["user.a: passed", "user.b: passed"])
        #expect(
            stage.calls == [
                "auth", "user.a login.token=1", "auth", "user.a login.token=2", "user.b login.token=2",
            ])
        #expect(stage.count("auth") == 2)
        #expect(result.dependencies.map(\.isRefresh) == [false, true])
    }

    @Test("A capture that runs out while a case is polled is had anew as well, once, and takes no try away")
    func refreshWhilePolling() async throws {
        let stage = Stage { call, number in
            if call.endpoint.id == "auth" { return .answer(200, #"{"token": \#(number)}"#) }
            return switch number {
            case 1: .answer(503)
            case 4: .answer(200)
            default: .answer(401)
            }
        }
        let options = RunOptions(retries: 2, retryInterval: .milliseconds(250))
        let result = try await stage.run(Self.expiring, "user.a", options: options)
        #expect(result.lines == ["user.a: passed"])
        #expect(
            stage.calls == [
                "auth", "user.a login.token=1", "user.a login.token=1", "auth", "user.a login.token=2",
                "user.a login.token=2",
            ])
        #expect(stage.slept == [.milliseconds(250), .milliseconds(250)])
        #expect(result.outcome("user.a")?.attempts == 4)
    }

    @Test("If it is still refused then, that is the answer")
    func refreshInVain() async throws {
        let stage = Stage { call, number in
            call.endpoint.id == "auth" ? .answer(200, #"{"token": \#(number)}"#) : .answer(401)
        }
        let result = try await stage.run(Self.expiring, "user.a")
        #expect(result.lines == ["user.a: failed"])
        #expect(stage.calls == ["auth", "user.a login.token=1", "auth", "user.a login.token=2"])
        #expect(result.outcome("user.a")?.attempts == 2)
    }
}
