import Calling
import Checking
import Exchange
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// A run with everything in it that a report has to cope with: each verdict, needs, retries, stubs, and answers that mean
/// harm.
enum SampleRun {
    static let secret = Redactor.Secret(label: "secret.pin", value: "hunter2-hunter2")

    static let files: [String: String] = [
        "endpoints/auth.json": """
        {"endpoints": {
          "login": {"path": "/login", "capture": {"token": {"json": "$.token", "secret": true}}},
          "denied": {"path": "/denied", "expect": {"status": 200}}}}
        """,
        "endpoints/billing.json": """
        {"defaults": {"needs": {"denied": "auth.denied"}, "expect": {"status": 200}}, "endpoints": {
          "list": {"path": "/invoices", "tags": ["money"]},
          "get": {"path": "/invoices/1"}}}
        """,
        "endpoints/hostile.json": #"""
        {"path": "/hostile",
         "checks": [
           {"name": "is # not \\ <b>\"markup\"</b> & ]]> or\n::error::", "description": "Answers with <i>harm</i>",
            "expect": {"status": 200, "body": "fine"}}]}
        """#,
        "endpoints/ping.json":
            #"{"path": "/ping", "description": "Is it there?", "tags": ["smoke"], "expect": {"status": 204}}"#,
        "endpoints/slow.json": #"{"path": "/slow", "expect": {"status": 200}}"#,
        "endpoints/todos.json": """
        {"endpoints": {
          "get": {"path": "/todos/{{id}}", "params": {"id": {"type": "integer"}},
            "checks": [{"name": "is missing", "with": {"id": 1}, "expect": {"status": 200}}]},
          "list": {"path": "/todos", "needs": {"login": "auth.login"}, "tags": ["smoke"],
            "expect": {
              "status": 200,
              "json": {
                "$": [{"id": 1, "title": "Buy milk"}, {"id": 2, "title": "Write a letter"}],
                "$[*].id": {"<": 3}}}}}}
        """,
    ]

    static var stage: Stage {
        Stage(secrets: [secret]) { call, number in
            switch call.endpoint.id {
            case "auth.login": return .answer(200, #"{"token": "tok-123456789"}"#)
            case "auth.denied": return .answer(403)
            case "hostile": return hostile
            case "ping": return number < 2 ? .answer(503) : .answer(204)
            case "slow":
                let url = "https://h/?pin=hunter2-hunter2"
                let problem = Failure(
                    .timedOut, code: "exchange.timedOut", "no answer within 3s from \(url)",
                    hint: "raise \"timeout\"")
                return CallResult(.failure(problem), secrets: [secret])
            case "todos.get": return .answer(404, "{}", stub: .init(name: "missing", mustFail: true))
            default:
                return .answer(
                    200,
                    #"[{"id": 1, "title": "Buy milk"}, {"title": "Write a better", "id": 3, "token": "tok-123456789"}]"#
                )
            }
        }
    }

    private static var hostile: CallResult {
        let text =
            "]]></failure><script>alert('x')</script><!-- \u{0} \u{1B}[2J \u{8} \u{202E}drah \u{FFFF} \r\nok 99 - forged\r\n::error::forged"
        let body = Array(text.utf8) + [0xFF, 0xC3, 0x28] + Array(String(repeating: "0123456789", count: 1 << 14).utf8)
        let answer = ReceivedResponse(
            status: 200, reason: "<b>\u{1B}",
            headers: ["X-Pin": "hunter2-hunter2", "Set-Cookie": "s=abcdef"],
            body: ReceivedBody(body.filter { $0 != 0 }))
        let request = CallResult.Request(
            method: "GET", url: "https://h/?pin=hunter2-hunter2",
            curl: "curl -H 'X-Pin: hunter2-hunter2' \\\n  'https://example.com/hostile?a=1&b=<c>'")
        let timings = Timings(
            nameLookup: .microseconds(400), connect: .microseconds(1521), tls: .milliseconds(12),
            firstByte: .milliseconds(80), total: .milliseconds(84))
        return CallResult(.success(answer), request: request, secrets: [secret], timings: timings)
    }

    static func result(
        _ selectors: String..., options: RunOptions = RunOptions(jobs: .fixed(1), retries: 1)
    ) async throws -> (plan: CheckPlan, run: RunResult) {
        let request = CheckPlan.Request(selectors: selectors.map { Selector($0) }, environment: "development")
        let plan = try CheckPlan.make(request, from: Catalogue(of: Workshop.workspace(files)))
        let stage = stage
        return (plan, await CheckRun(plan, options: options, caller: stage.caller, clock: stage.clock).result())
    }

    /// A run of a shard that got nothing.
    static func emptyShard() async throws -> RunResult {
        let catalogue = Catalogue(of: Workshop.workspace(files))
        for index in 1...9 {
            let shard = try Workshop.required(Shard("\(index)/9"), "a shard")
            let request = CheckPlan.Request(
                selectors: [Selector("ping")], environment: "development", shard: shard)
            let plan = try CheckPlan.make(request, from: catalogue)
            guard plan.isEmptyShard else { continue }
            return await CheckRun(plan, caller: stage.caller, clock: stage.clock).result()
        }
        throw Workshop.Missing(what: "an empty shard")
    }

    /// A run that is cancelled while its second case is under way.
    static func interrupted() async throws -> (plan: CheckPlan, run: RunResult) {
        let reached = AsyncStream<Void>.makeStream()
        let stage = Stage { call, _ in
            if call.endpoint.id == "ping" { return .answer(204) }
            reached.continuation.finish()
            while !Task.isCancelled { await Task.yield() }
            return .failure(.noAnswer)
        }
        let request = CheckPlan.Request(
            selectors: ["ping", "slow", "todos.list"].map { Selector($0) }, environment: "development")
        let plan = try CheckPlan.make(request, from: Catalogue(of: Workshop.workspace(files)))
        let task = Task {
            await CheckRun(plan, options: RunOptions(jobs: .fixed(1)), caller: stage.caller, clock: stage.clock)
                .result()
        }
        for await _ in reached.stream {}
        task.cancel()
        return (plan, await task.value)
    }
}
