import Calling
import Checking
import ReqcliDefinitions
import ReqcliText
import RequestBuilding
import TestSupport
import Testing

/// A response is compared with the one that was accepted.
struct SnapshotTests {
    private static func outcome(
        expect: String = #"{"snapshot": true}"#, more: String = "", accepted: String? = nil,
        updating update: SnapshotUpdate? = nil, _ response: ReceivedResponse
    ) async throws -> Outcome {
        var files = ["endpoints/a.json": "{\"expect\": \(expect)\(more)}"]
        files["snapshots/a.json"] = accepted
        let stage = Stage { _, _ in CallResult(.success(response)) }
        let result = try await stage.run(files, options: RunOptions(snapshots: update))
        return try Workshop.required(result.outcome("a"), "a case")
    }

    private static func text(_ outcome: Outcome) -> String? {
        outcome.snapshot?.text.map { String(decoding: $0, as: UTF8.self) }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var expect = #"{"snapshot": true}"#
        /// The snapshot, with a mark at the place of each difference.
        let accepted: MarkedText
        let response: ReceivedResponse
        /// `$.a: expected 1, found 2`
        let messages: [String]

        init(
            _ name: String, expect: String = #"{"snapshot": true}"#, _ accepted: MarkedText, _ body: String,
            status: Int = 200, type: String = "application/json", _ messages: String...
        ) {
            testDescription = name
            (self.expect, self.accepted, self.messages) = (expect, accepted, messages)
            response = ReceivedResponse(
                status: status, headers: ["Content-Type": type], body: ReceivedBody(Array(body.utf8)))
        }
    }

    static let cases = [
        Case("equal by value", #"{"status": 200, "body": {"a": 1.0, "b": "\u00e9"}}"#, #"{"b":"é","a":1}"#),
        Case("a value", #"{"status": 200, "body": {"a": ⟦1⟧}}"#, #"{"a":2}"#, "$.a: expected 1, found 2"),
        Case(
            "a type", #"{"status": 200, "body": {"a b": [⟦"1"⟧]}}"#, #"{"a b":[1]}"#,
            #"$['a b'][0]: expected "1", found 1"#),
        Case(
            "a member that is gone", #"{"status": 200, "body": {"a": {"b": ⟦{⟧"c": 1}}}}"#, #"{"a":{}}"#,
            #"$.a.b: expected {"c":1}, found nothing"#),
        Case(
            "a new member", #"{"status": 200, "body": {"a": ⟦{⟧}}}"#, #"{"a":{"b":[1]}}"#,
            "$.a.b: expected no such member, found [1]"),
        Case(
            "elements", #"{"status": 200, "body": ⟦[⟧1, 2, ⟦3⟧]}"#, "[0,1,2]",
            "$[0]: expected no such element, found 0", "$[2]: expected 3, found nothing"),
        Case("another body", #"{"status": 200, "body": ⟦[⟧]}"#, "{}", "$: expected [], found {}"),
        Case(
            "a status", expect: #"{"snapshot": true, "status": "2xx"}"#, #"{"status": ⟦201⟧, "body": 1}"#, "1",
            "status: expected 201, found 200"),
        Case(
            "a status that isn't expected is the only failure", #"{"status": 200, "body": 1}"#, "2", status: 500,
            "status: expected 2xx (the default), found 500"),
        Case(
            "a header", expect: #"{"snapshot": {"headers": ["content-type"]}}"#,
            #"{"status": 200, "headers": {"content-type": ⟦"a/b"⟧}, "body": 1}"#, "1",
            #"header content-type: expected "a/b", found "application/json""#),
        Case(
            "text", #"{"status": 200, "text": ["a", ⟦"b"⟧, "c"]}"#, "a\nB\nc", type: "text/plain",
            #"line 2: expected "b", found "B""#),
        Case(
            "text in place of JSON", #"⟦{⟧"status": 200, "body": ⟦{⟧}}"#, "a", type: "text/plain",
            "$: expected {}, found nothing", #"body: expected no such member, found ["a"]"#),
        Case("no body", #"{"status": 200, "body": ⟦{⟧}}"#, "", "$: expected {}, found nothing"),
        Case(
            "what is matched may differ", expect: #"{"snapshot": {"match": {"$[*].id": {"type": "integer"}}}}"#,
            #"{"status": 200, "body": [{"id": "<match: integer>"}, {"id": "<match: integer>"}]}"#,
            #"[{"id":1},{"id":2}]"#),
        Case(
            "what is matched has to be as the condition says",
            expect: #"{"snapshot": {"match": {"$.id": {"not": {"in": [1, 2]}, ">": 0}}}}"#,
            #"{"status": 200, "body": {"id": "<match: not in [1,2], > 0>"}}"#, #"{"id":1}"#,
            "$.id: expected none of 1, 2, found 1"),
        Case(
            "what is to be matched exists", expect: #"{"snapshot": {"match": {"$.id": {"type": "integer"}}}}"#,
            #"{"status": 200, "body": {"id": ⟦"<match: integer>"⟧}}"#, "{}",
            "$.id: expected a whole number, found nothing: the path selects no value",
            #"$.id: expected "<match: integer>", found nothing"#),
        Case(
            "what is ignored may differ and be missing",
            expect: #"{"snapshot": {"ignore": ["$..x", "$.l[0]", "$.none"]}}"#,
            #"{"status": 200, "body": ⟦{⟧"x": "<ignored>", "l": ["<ignored>", 2]}}"#,
            #"{"l":[{"x":[]},2],"y":{"x":1}}"#,
            "$.y: expected no such member, found {\"x\":\"<ignored>\"}"),
    ]

    @Test("A difference is told with both values, at the place of the accepted one", arguments: cases)
    func differences(_ each: Case) async throws {
        let outcome = try await Self.outcome(expect: each.expect, accepted: each.accepted.text, each.response)
        #expect(outcome.failures.map(\.message) == each.messages)
        #expect(outcome.verdict == (each.messages.isEmpty ? .passed : .failed))
        let places = outcome.failures.map(\.place).filter { $0.file.name == "snapshots/a.json" }
        #expect(Set(places.map(\.range.lowerBound)) == Set(each.accepted.ranges.map(\.lowerBound)))
        #expect(outcome.snapshot?.text == nil)
    }

    @Test("Twenty differences are shown, the others are counted")
    func manyDifferences() async throws {
        let accepted = #"{"status": 200, "body": [\#((0..<50).map(String.init).joined(separator: ", "))]}"#
        let body = "[\((100..<150).map(String.init).joined(separator: ","))]"
        let outcome = try await Self.outcome(accepted: accepted, .json(body))
        #expect(outcome.failures.count == 21)
        #expect(
            outcome.failures.last?.message
                == "snapshot: expected the content of snapshots/a.json, found 30 more differences")
    }

    // MARK: Accepting

    private static let accepted = #"{"status": 200, "body": {"a": 1}}"#
    private static let missing =
        "snapshot: expected a snapshot in snapshots/a.json, found no such file: run again with --update-snapshots=new "
        + "to accept this response"

    @Test("Without a snapshot a case fails, and says how to write it")
    func missing() async throws {
        let outcome = try await Self.outcome(.json("{}"))
        #expect(outcome.failures.map(\.message) == [Self.missing])
        #expect(outcome.failures.map(\.place.description) == ["endpoints/a.json:1:25"])
        #expect(outcome.snapshot?.state == .missing && outcome.snapshot?.text == nil)
    }

    @Test("A response is accepted if it is asked for")
    func accepting() async throws {
        let new = try await Self.outcome(updating: .new, .json("{}"))
        #expect(new.verdict == .passed && Self.text(new) == "{\n  \"status\": 200,\n  \"body\": {}\n}\n")
        let changed = try await Self.outcome(accepted: Self.accepted, updating: .all, .json(#"{"a": 2}"#))
        #expect(changed.verdict == .passed)
        #expect(Self.text(changed) == #"{"status": 200, "body": {"a": 2}}"#)
        let same = try await Self.outcome(accepted: Self.accepted, updating: .all, .json(#"{"a": 1}"#))
        #expect(same.verdict == .passed && same.snapshot?.state == .same && same.snapshot?.text == nil)
        let kept = try await Self.outcome(accepted: Self.accepted, updating: .new, .json(#"{"a": 2}"#))
        #expect(kept.verdict == .failed && kept.snapshot?.text == nil)
    }

    @Test(
        "A response that fails another expectation is not accepted",
        arguments: [
            #"{"snapshot": true, "status": 201}"#, #"{"snapshot": true, "json": {"$.a": 1}}"#,
            #"{"snapshot": {"match": {"$.a": {"type": "integer"}}}}"#, #"{"snapshot": true, "body": "x"}"#,
        ])
    func refusing(_ expect: String) async throws {
        for accepted in [nil, Self.accepted] {
            let outcome = try await Self.outcome(
                expect: expect, accepted: accepted, updating: .all, .json(#"{"a": "b"}"#))
            #expect(outcome.verdict == .failed && outcome.snapshot == nil)
            #expect(!outcome.failures.contains { $0.subject == "snapshot" })
        }
    }

    @Test(
        "What no snapshot can hold is told",
        arguments: [
            (ReceivedResponse.text("a\0b"), "3 bytes that are not text, which no snapshot can keep"),
            (
                ReceivedResponse(status: 200, body: ReceivedBody([0xFF, 0xFE, 0xFD])),
                "3 bytes that are not text, which no snapshot can keep"
            ),
            (.json(#"{"a": 1, "a": 2}"#), "the key \"a\" more than once in an object"),
            (
                .json(
                    String(repeating: "[", count: 500) + "1" + String(repeating: ",1", count: 20_000)
                        + String(repeating: "]", count: 500)),
                "a body that takes more than 16 MiB as indented JSON"
            ),
        ])
    func unkeepable(_ response: ReceivedResponse, _ found: String) async throws {
        let outcome = try await Self.outcome(updating: .all, response)
        #expect(
            outcome.failures.map(\.message) == [
                "snapshot: expected a response that a snapshot can keep, found \(found)"
            ])
    }

    @Test("A stub that has to fail is never accepted, and passes if it differs")
    func stubThatMustFail() async throws {
        let stage = Stage { _, _ in .answer(200, "[]", stub: CallResult.Stub(name: "bad", mustFail: true)) }
        let files = ["endpoints/a.json": #"{"expect": {"snapshot": true}}"#, "snapshots/a.json": Self.accepted]
        let result = try await stage.run(files, options: RunOptions(snapshots: .all))
        #expect(result.lines == ["a: passed"])
        #expect(result.outcome("a")?.snapshot == nil)
    }

    // MARK: Secrets

    @Test("A captured secret is masked in body and headers, in keys and in numbers; credentials always are")
    func secrets() async throws {
        let response = ReceivedResponse(
            status: 200,
            headers: ["Content-Type": "application/json", "X-T": "is 12345678", "Set-Cookie": "sid=abc; Path=/"],
            body: ReceivedBody(Array(#"{"t": 12345678, "12345678": ["x 12345678"], "id": 3}"#.utf8)))
        let outcome = try await Self.outcome(
            expect: #"{"snapshot": {"headers": ["X-T", "Set-Cookie", "Missing"], "match": {"$.id": 3}}}"#,
            more: #", "capture": {"t": {"json": "$.t", "secret": true}}"#, updating: .new, response)
        #expect(
            Self.text(outcome) == """
                {
                  "status": 200,
                  "headers": {
                    "X-T": "is <a.t>",
                    "Set-Cookie": "sid=***; Path=/"
                  },
                  "body": {
                    "t": "<a.t>",
                    "<a.t>": [
                      "x <a.t>"
                    ],
                    "id": "<match: equals 3>"
                  }
                }

                """)
        let again = try await Self.outcome(
            expect: #"{"snapshot": {"headers": ["X-T", "Set-Cookie", "Missing"], "match": {"$.id": 3}}}"#,
            more: #", "capture": {"t": {"json": "$.t", "secret": true}}"#, accepted: Self.text(outcome), response)
        #expect(again.verdict == .passed)
    }

    @Test("A response whose secret was not found is not accepted")
    func lostSecret() async throws {
        let outcome = try await Self.outcome(
            more: #", "capture": {"t": {"json": "$.t", "secret": true}}"#, updating: .new, .json(#"{"token": "x"}"#))
        #expect(outcome.verdict == .failed && Self.text(outcome) == nil)
        #expect(
            outcome.failures.map(\.message) == [
                "snapshot: expected every secret to be captured, so that it can be masked, found the capture \"t\" of a "
                    + "found nothing at $.t"
            ])
    }

    @Test("A text that holds a secret of another call is marked")
    func foreignSecret() async throws {
        let files = [
            "endpoints/a.json": #"{"expect": {"snapshot": true}}"#,
            "endpoints/b.json":
                #"{"expect": {"status": 200}, "capture": {"t": {"json": "$.t", "secret": true}}}"#,
        ]
        let stage = Stage { call, _ in .answer(200, #"{"t": "s3cret-word"}"#) }
        let result = try await stage.run(files, options: RunOptions(jobs: .fixed(1), snapshots: .all))
        #expect(result.outcome("a")?.snapshot?.foreignSecret == "b.t")
    }

    // MARK: Rows and needs

    @Test("Each row of data has a snapshot of its own, and no secret is part of its name")
    func rows() async throws {
        let file = """
            {"path": "{{id}}", "expect": {"snapshot": true},
             "params": {"id": {"type": "integer"}, "key": {"type": "string", "secret": true}}}
            """
        let stage = Stage { _, _ in .answer(200) }
        let result = try await stage.run(
            ["endpoints/a.json": file], options: RunOptions(snapshots: .all), data: "key,id\nk1,1\nk2,1\nk3,2\n")
        let names = result.cases.compactMap(\.outcome.snapshot?.name.file)
        #expect(names == ["a#id=1.json", "a#id=1~2.json", "a#id=2.json"])
    }

    @Test("A case that another one needs is compared, too, whichever of them comes first")
    func needs() async throws {
        let files = [
            "endpoints/a.json": #"{"expect": {"status": 200}, "needs": {"l": "b"}}"#,
            "endpoints/b.json": #"{"expect": {"snapshot": true}}"#, "snapshots/b.json": #"{"status": 200, "body": 1}"#,
        ]
        let stage = Stage { _, _ in .answer(200, "2") }
        let result = try await stage.run(files, options: RunOptions(jobs: .fixed(1)))
        #expect(result.lines == ["a: blocked", "b: failed"])
        #expect(stage.count("b") == 1)
    }
}
