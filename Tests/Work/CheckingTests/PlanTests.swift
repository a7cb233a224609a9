import Checking
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

/// What a run is to do, and what is known to be wrong before it begins.
struct PlanTests {
    static let files: [String: String] = [
        "endpoints/auth.json": """
        {"endpoints": {
          "login": {"method": "POST", "path": "/login", "capture": {"token": {"json": "$.token", "secret": true}}}}}
        """,
        "endpoints/billing/invoice.json": """
        {"defaults": {"tags": ["money"], "expect": {"status": 200}, "needs": {"login": "auth.login"}},
         "endpoints": {"list": {"path": "/invoices"}, "get": {"path": "/invoices/1", "expect": null}}}
        """,
        "endpoints/ping.json":
            #"{"path": "/ping", "expect": {"status": 204}, "environments": {"production": {"expect": null}}}"#,
        "endpoints/user.json": """
        {"endpoints": {
          "get": {"path": "/user/{{id}}", "tags": ["smoke"],
            "params": {"id": {"type": "integer", "example": 42}, "lang": {"type": "string", "required": false}},
            "expect": {"status": 200},
            "checks": [
              {"name": "is missing", "tags": ["slow"], "with": {"id": 0}, "expect": {"status": 404}},
              {"name": "is french", "with": {"id": 1, "lang": "fr"}, "expect": {"json": {"$.lang": "{{lang}}"}}}]},
          "feed": {"path": "/feed"}}}
        """,
        "environments/production.json": "{}",
    ]

    static func plan(
        _ selectors: String..., environment: String = "development", data: String? = nil, shard: Shard? = nil,
        files: [String: String] = files
    ) throws(PlanFailure) -> CheckPlan {
        let table = data.map { DataTable.read(SourceFile(name: "rows.csv", text: $0)) }
        return try CheckPlan.make(
            CheckPlan.Request(
                selectors: selectors.map { Selector($0) }, environment: environment, data: table?.value,
                shard: shard),
            from: Catalogue(of: Workshop.workspace(files)))
    }

    static func problem(
        _ selectors: String..., data: String? = nil, files: [String: String] = files
    ) -> Failure? {
        let table = data.map { DataTable.read(SourceFile(name: "rows.csv", text: $0)) }
        let request = CheckPlan.Request(
            selectors: selectors.map { Selector($0) }, environment: "development", data: table?.value)
        return failure(of: request, from: Catalogue(of: Workshop.workspace(files)))
    }

    static func failure(of request: CheckPlan.Request, from catalogue: Catalogue) -> Failure? {
        #expect(throws: PlanFailure.self) { try CheckPlan.make(request, from: catalogue) }.map {
            Failure(joining: $0.problems, errorsInFiles: $0.errorsInFiles)
        }
    }

    // MARK: Selection

    static let everything = [
        "billing.invoice.list", "ping", "user.get", "user.get/is missing", "user.get/is french",
    ]

    @Test(
        "Selectors choose cases, which come in the order of the files",
        arguments: [
            ([], everything),
            (["user.get"], ["user.get", "user.get/is missing", "user.get/is french"]),
            (["user.get/is missing"], ["user.get/is missing"]),
            (["*.get/is*"], ["user.get/is missing", "user.get/is french"]),
            (["us?r.g*"], ["user.get", "user.get/is missing", "user.get/is french"]),
            (["billing*list"], ["billing.invoice.list"]),
            (["tag:smoke"], ["user.get", "user.get/is missing", "user.get/is french"]),
            (["tag:slow"], ["user.get/is missing"]),
            (["ping", "tag:slow", "ping"], ["ping", "user.get/is missing"]),
        ] as [([String], [String])])
    func selection(_ selectors: [String], _ cases: [String]) throws {
        let request = CheckPlan.Request(selectors: selectors.map { Selector($0) }, environment: "development")
        let plan = try CheckPlan.make(request, from: Catalogue(of: Workshop.workspace(Self.files)))
        #expect(plan.cases.map(\.id) == cases)
        #expect(plan.selectedCount == cases.count)
    }

    @Test("A group's name selects what is in it, at any depth; an endpoint of that name comes first")
    func groups() throws {
        let one = #"{"path": "/", "expect": {"status": 200}}"#
        let files: [String: String] = [
            "endpoints/a/b.json": one, "endpoints/a/c/d.json": one, "endpoints/a/e.json": one, "endpoints/ab.json": one,
            "endpoints/a/e/f.json": one,
        ]
        #expect(try Self.plan("a", files: files).cases.map(\.id) == ["a.b", "a.c.d", "a.e.f", "a.e"])
        #expect(try Self.plan("a.e", files: files).cases.map(\.id) == ["a.e"])
    }

    @Test("What the environment takes away is not expected there")
    func environments() throws {
        #expect(try Self.plan(environment: "production").cases.map(\.id) == Self.everything.filter { $0 != "ping" })
    }

    // MARK: Nothing

    @Test(
        "A selector that selects nothing is wrong usage, with what may have been meant",
        arguments: [
            ("usr.get", "there is no endpoint or group \"usr.get\"", "did you mean \"user.get\"?"),
            ("usr", "there is no endpoint or group \"usr\"", "did you mean \"user\"?"),
            ("usr.*", "no endpoint's id matches \"usr.*\"", "did you mean \"user\"?"),
            ("tag:smok", "no endpoint or case has the tag \"smok\"", "did you mean \"smoke\"?"),
            ("tag:zzz", "no endpoint or case has the tag \"zzz\"", "available: money, slow, smoke"),
            ("user.get/is mising", "user.get has no check \"is mising\"", "did you mean \"is missing\"?"),
            ("ping/x", "ping has no check \"x\"", "there are no checks"),
            ("qqqqqq", "there is no endpoint or group \"qqqqqq\"", "run \"reqcli list\" to see all endpoints"),
            ("", "there is no endpoint or group \"\"", "run \"reqcli list\" to see all endpoints"),
        ])
    func typo(_ selector: String, _ message: String, _ hint: String) {
        let failure = Self.problem(selector, "ping")
        #expect(failure?.diagnostics.map(\.message) == [message])
        #expect(failure?.diagnostics.first?.hint == hint)
        #expect(failure?.status == .usage)
    }

    @Test(
        "An endpoint that is selected and expects nothing is wrong usage",
        arguments: ["user.feed", "user.*", "tag:money"])
    func expectsNothing(_ selector: String) {
        let failure = Self.problem(selector)
        #expect(failure?.diagnostics.count == 1)
        #expect(
            failure?.diagnostics.first?.message
                .hasSuffix("is selected, but has neither \"expect\" nor \"checks\"") == true)
        #expect(failure?.diagnostics.first?.place != nil)
        #expect(failure?.status == .usage)
    }

    @Test("A workspace that expects nothing is nothing to check")
    func nothing() {
        let failure = Self.problem(files: ["endpoints/a.json": #"{"path": "/"}"#])
        #expect(failure?.diagnostics.map(\.code) == [.nothingSelected])
        #expect(failure?.status == .usage)
    }

    @Test(
        "A broken file that could hold what is selected stops the run",
        arguments: [
            ([], true), (["user.get"], true), (["user"], true), (["u*"], true), (["tag:smoke"], true), (["*"], true),
            (["user.get/x"], true), (["ping"], false), (["p*"], false), (["userx.get"], false),
        ] as [([String], Bool)])
    func broken(_ selectors: [String], _ stops: Bool) throws {
        let one = #"{"path": "/", "expect": {"status": 200}}"#
        let files: [String: String] = [
            "endpoints/ping.json": one, "endpoints/user.json": #"{"path": 3}"#, "endpoints/userx/get.json": one,
        ]
        let request = CheckPlan.Request(selectors: selectors.map { Selector($0) }, environment: "development")
        let catalogue = Catalogue(of: Workshop.workspace(files))
        if stops {
            let failure = Self.failure(of: request, from: catalogue)
            #expect(failure?.status == .broken)
            #expect(failure?.diagnostics.map { $0.place?.file.name } == ["endpoints/user.json"])
        } else {
            #expect(throws: Never.self) { try CheckPlan.make(request, from: catalogue) }
        }
    }

    @Test("A bad path in what is selected is told before anything is sent")
    func badPath() {
        let text: MarkedText =
            #"{"path": "/", "expect": {"json": {"$.a⟦⟧[": 1}}, "capture": {"c": {"json": "$.x⟦⟧["}}}"#
        let failure = Self.problem(files: ["endpoints/a.json": text.text])
        #expect(failure?.status == .broken)
        #expect(failure?.diagnostics.count == 2)
    }

    // MARK: Params and data

    @Test("A required param takes its value from a row, a check, or its example")
    func parameters() throws {
        let plan = try Self.plan("user.get")
        #expect(plan.cases.map { $0.parameters.map(\.shown) } == [["id=42"], ["id=0"], ["id=1", "lang=fr"]])
        let rows = try Self.plan("user.get", data: "id,lang\n7,\n8,\"\"\n")
        #expect(
            rows.cases.map { "\($0.id): \($0.parameters.map(\.shown).joined(separator: " "))" } == [
                "user.get#1: id=7", "user.get#2: id=8 lang=", "user.get/is missing#1: id=7",
                "user.get/is missing#2: id=8 lang=", "user.get/is french#1: id=7 lang=fr",
                "user.get/is french#2: id=8 lang=",
            ])
    }

    @Test("An empty field gives a required param no value: neither its example nor anything else is taken")
    func emptyField() {
        let failure = Self.problem("user.get", data: "id,lang\n7,\n,fr\n\"\",fr\n")
        let message = #"user.get needs the param "id", but row 2 has no value in the column "id""#
        #expect(failure?.diagnostics.map(\.message) == [message])
        #expect(failure?.diagnostics.first?.place?.description == "rows.csv:3:1")
        #expect(failure?.status == .usage)
    }

    @Test("An empty field leaves a param to its default, and a param without a column to its example")
    func emptyFieldWithDefault() throws {
        let files = [
            "endpoints/a.json": """
            {"path": "/{{d}}/{{e}}", "params": {"d": {"type": "string", "default": "x"}, "e": {"type": "string", "example": "y"}},
             "expect": {"status": 200}}
            """
        ]
        let plan = try Self.plan(data: "d\n1\n\"\"\n", files: files)
        #expect(plan.cases.map { $0.parameters.map(\.shown) } == [["d=1", "e=y"], ["d=", "e=y"]])
        let empty = try Self.plan(data: "d,e\n,1\n", files: files)
        #expect(empty.cases.map { $0.parameters.map(\.shown) } == [["e=1"]])
    }

    @Test("A required param without any value is a problem of its case alone")
    func missing() throws {
        let plan = try Self.plan(
            files: [
                "endpoints/a.json":
                    #"{"path": "/{{id}}", "params": {"id": {"type": "integer"}}, "expect": {"status": 200}}"#,
                "endpoints/b.json": #"{"path": "/", "expect": {"status": 200}}"#,
            ])
        let problems = plan.cases.map { $0.problem?.diagnostics.map(\.message) }
        #expect(problems == [["a needs the param \"id\", but there is no value for it"], nil])
        #expect(plan.cases.first?.problem?.status == .broken)
    }

    @Test("A column that nothing takes is told with the near name")
    func column() {
        let failure = Self.problem("user.get", data: "id,land\n1,fr\n")
        #expect(failure?.diagnostics.map(\.message) == ["none of the selected cases has a param \"land\""])
        #expect(failure?.diagnostics.first?.hint == "did you mean \"lang\"?")
        #expect(failure?.diagnostics.first?.place?.description == "rows.csv:1:4")
        #expect(failure?.status == .usage)
    }

    @Test("The value of a secret param is not listed")
    func secretParameter() throws {
        let plan = try Self.plan(
            files: [
                "endpoints/a.json":
                    #"{"path": "/{{pin}}", "params": {"pin": {"type": "string", "secret": true, "example": "1234"}}, "expect": {"status": 200}}"#
            ])
        #expect(!PlanListing.text(plan).contains("1234"))
    }

    // MARK: Needs

    @Test("What the selected endpoints need is part of the plan, once and no more than that")
    func needs() throws {
        #expect(try Self.plan().dependencies.keys.sorted() == ["auth.login"])
        #expect(try Self.plan("ping").dependencies.isEmpty)
    }

    static let gaps: [(String, String, Diagnostic.Code, String)] = [
        (
            "a circle",
            #"{"endpoints": {"x": {"path": "/", "needs": {"y": "a.y"}, "expect": {"status": 200}}, "y": {"path": "/", "needs": {"x": "a.x"}}}}"#,
            .needsCycle, "endpoints need each other in a cycle: a.x → a.y → a.x"
        ),
        (
            "itself", #"{"endpoints": {"x": {"path": "/", "needs": {"y": "a.x"}, "expect": {"status": 200}}}}"#,
            .needsCycle, "endpoints need each other in a cycle: a.x → a.x"
        ),
        (
            "an endpoint that isn't there",
            #"{"endpoints": {"x": {"path": "/", "needs": {"y": "a.z"}, "expect": {"status": 200}}}}"#,
            .endpointUnknown, "there is no endpoint \"a.z\""
        ),
        (
            "a param that isn't given",
            #"{"endpoints": {"x": {"path": "/", "needs": {"y": "a.y"}, "expect": {"status": 200}}, "y": {"path": "/{{n}}", "params": {"n": {"type": "string"}}}}}"#,
            .parameterMissing, "a.y needs the param \"n\""
        ),
        (
            "a param that there isn't",
            #"{"endpoints": {"x": {"path": "/", "needs": {"y": {"endpoint": "a.y", "with": {"q": 1}}}, "expect": {"status": 200}}, "y": {"path": "/"}}}"#,
            .parameterUnknown, "a.y has no param \"q\""
        ),
    ]

    @Test("Needs that can't be met are told before anything is sent", arguments: gaps)
    func gap(_ name: String, _ file: String, _ code: Diagnostic.Code, _ message: String) {
        let failure = Self.problem("a.x", files: ["endpoints/a.json": file])
        #expect(failure?.diagnostics.map(\.message) == [message])
        #expect(failure?.diagnostics.map(\.code) == [code])
        #expect(failure?.diagnostics.first?.place != nil)
        #expect(failure?.status == .broken)
    }

    @Test("Several endpoints may share what they need: that is no circle")
    func diamond() throws {
        let file = """
            {"endpoints": {
              "top": {"path": "/", "needs": {"l": "a.left", "r": "a.right"}, "expect": {"status": 200}},
              "left": {"path": "/", "needs": {"b": "a.base"}}, "right": {"path": "/", "needs": {"b": "a.base"}},
              "base": {"path": "/"}}}
            """
        let plan = try Self.plan(files: ["endpoints/a.json": file])
        #expect(plan.dependencies.keys.sorted() == ["a.base", "a.left", "a.right"])
        #expect(plan.needed(by: plan.cases[0].endpoint) == ["a.base", "a.left", "a.right"])
    }

    // MARK: Shards

    @Test("Shards share the cases out among them: each case is in one of them, and stays there")
    func shards() throws {
        let rows = "id\n" + (1...200).map { "\($0)\n" }.joined()
        let all = try Self.plan("user.get", data: rows)
        let parts = try (1...5).map { index in
            try Self.plan("user.get", data: rows, shard: Workshop.required(Shard("\(index)/5"), "a shard")).cases.map(
                \.id)
        }
        #expect(parts.flatMap(\.self).sorted() == all.cases.map(\.id).sorted())
        for part in parts { #expect((80...160).contains(part.count)) }
        let fewer = try Self.plan(
            "user.get/is missing", data: rows, shard: Workshop.required(Shard("2/5"), "a shard"))
        #expect(Set(fewer.cases.map(\.id)).isSubset(of: Set(parts[1])))
    }

    @Test("An empty shard is a plan without cases, and can be told from nothing selected")
    func emptyShard() throws {
        let plans = try (1...9).map { index in
            try Self.plan("ping", shard: Workshop.required(Shard("\(index)/9"), "a shard"))
        }
        #expect(plans.count { $0.isEmptyShard } == 8)
        let empty = try Workshop.required(plans.first { $0.isEmptyShard }, "an empty shard")
        #expect(PlanListing.summary(empty) == "0 of 1 case (shard \(empty.shard?.text ?? ""))")
    }

    @Test("A shard is K/N", arguments: ["", "3", "0/2", "3/2", "1/2/3", "a/b", "-1/2", "+1/2", " 1/2", "1/0"])
    func badShard(_ text: String) {
        #expect(Shard(text) == nil)
    }

    // MARK: Listing

    @Test("A list shows what would run, and what before it")
    func listing() throws {
        #expect(
            PlanListing.text(try Self.plan())
                == """
                billing.invoice.list  GET  /invoices     needs auth.login
                ping                  GET  /ping
                user.get              GET  /user/{{id}}  id=42
                user.get/is missing   GET  /user/{{id}}  id=0
                user.get/is french    GET  /user/{{id}}  id=1 lang=fr
                5 cases, after auth.login

                """)
    }

    @Test("A chain of needs longer than allowed is an error of the plan, and no overflow", arguments: [513, 5_000])
    func longNeeds(count: Int) {
        var files = ["endpoints/e0.json": "{}"]
        for number in 1..<count { files["endpoints/e\(number).json"] = #"{"needs": {"n": "e\#(number - 1)"}}"# }
        files["endpoints/e\(count - 1).json"] = #"{"needs": {"n": "e\#(count - 2)"}, "expect": {"status": 200}}"#
        let failure = Self.problem(files: files)
        #expect(
            failure?.diagnostics.map(\.message) == [
                "a chain of needs has more than 512 endpoints: e512 → e511 → … → e0"
            ])
        #expect(failure?.diagnostics.first?.place?.description.hasPrefix("endpoints/e512.json:1:") == true)
    }
}
