import Checking
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

/// `--exclude` leaves out cases, and what could be one of them.
struct ExclusionTests {
    private static func request(_ selectors: [String], excluding exclusions: [String]) -> CheckPlan.Request {
        CheckPlan.Request(
            selectors: selectors.map { Selector($0) }, exclusions: exclusions.map { Selector($0) },
            environment: "development")
    }

    @Test(
        "Exclusions leave out cases of those that are selected",
        arguments: [
            ([], ["user"], ["billing.invoice.list", "ping"]),
            ([], ["ping", "tag:money"], ["user.get", "user.get/is missing", "user.get/is french"]),
            (["user.get"], ["tag:slow"], ["user.get", "user.get/is french"]),
            (["user.get"], ["*/is*"], ["user.get"]),
            (["user.*"], ["user.feed"], ["user.get", "user.get/is missing", "user.get/is french"]),
            (["ping"], ["user"], ["ping"]),
        ] as [([String], [String], [String])])
    func exclusion(_ selectors: [String], _ exclusions: [String], _ cases: [String]) throws {
        let plan = try CheckPlan.make(
            Self.request(selectors, excluding: exclusions), from: Catalogue(of: Workshop.workspace(PlanTests.files)))
        #expect(plan.cases.map(\.id) == cases)
        #expect(plan.selectedCount == cases.count)
    }

    @Test("What a case needs is part of the plan even if it is excluded")
    func excludedNeed() throws {
        let plan = try CheckPlan.make(
            Self.request(["billing"], excluding: ["auth", "billing.invoice.get"]),
            from: Catalogue(of: Workshop.workspace(PlanTests.files)))
        #expect(plan.cases.map(\.id) == ["billing.invoice.list"])
        #expect(plan.dependencies.keys.sorted() == ["auth.login"])
    }

    @Test(
        "An exclusion that matches nothing is wrong usage, and so are exclusions that leave nothing",
        arguments: [
            ([], ["usr"], "there is no endpoint or group \"usr\"", "did you mean \"user\"?"),
            (["ping"], ["tag:smok"], "no endpoint or case has the tag \"smok\"", "did you mean \"smoke\"?"),
            (
                ["user.get"], ["user"], "there is nothing to check: --exclude leaves out every selected case",
                "exclude fewer cases, or select other cases: \"reqcli check --list\" lists all cases"
            ),
            (
                [], ["*"], "there is nothing to check: --exclude leaves out every selected case",
                "exclude fewer cases, or select other cases: \"reqcli check --list\" lists all cases"
            ),
        ] as [([String], [String], String, String)])
    func badExclusion(_ selectors: [String], _ exclusions: [String], _ message: String, _ hint: String) {
        let failure = PlanTests.failure(
            of: Self.request(selectors, excluding: exclusions), from: Catalogue(of: Workshop.workspace(PlanTests.files))
        )
        #expect(failure?.diagnostics.map(\.message) == [message])
        #expect(failure?.diagnostics.first?.hint == hint)
        #expect(failure?.status == .usage)
    }

    @Test(
        "A broken file stops the run, unless everything that it could hold is excluded",
        arguments: [
            ("user", false), ("user*", false), ("*r", true), ("user.*", true), ("user.get", true), ("user/x", true),
            ("tag:smoke", true), ("userx", true),
        ])
    func excludedBrokenFile(_ exclusion: String, _ stops: Bool) {
        let one = #"{"path": "/", "tags": ["smoke"], "expect": {"status": 200}}"#
        let files: [String: String] = [
            "endpoints/ping.json": one, "endpoints/user.json": #"{"path": 3}"#, "endpoints/userx/get.json": one,
            "endpoints/other.json": #"{"path": "/", "expect": {"status": 200}}"#,
        ]
        let catalogue = Catalogue(of: Workshop.workspace(files))
        for selectors in [[], ["user", "ping", "other"]] {
            let request = Self.request(selectors, excluding: [exclusion])
            if stops {
                let failure = PlanTests.failure(of: request, from: catalogue)
                #expect(failure?.diagnostics.map { $0.place?.file.name } == ["endpoints/user.json"])
            } else {
                #expect(throws: Never.self) { try CheckPlan.make(request, from: catalogue) }
            }
        }
    }
}
