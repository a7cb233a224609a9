import HostileServing
import TestSupport
import Testing
import ToolSupport

/// An error inside a path or a pattern is reported at its exact place, by `validate`, and by `check` before sending.
@Suite(.serialized) struct MistakenExpectationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The endpoint on one line. A mark shows the place of the error.
        let endpoint: MarkedText
        let tells: String
    }

    private static let cases = [
        Case(
            testDescription: "a path that isn't closed", endpoint: #"{"expect": {"json": {"$.items⟦[⟧0": 1}}}"#,
            tells: "this \"[\" is never closed"),
        Case(
            testDescription: "a path behind an escape", endpoint: #"{"expect": {"json": {"$.\u0061[⟦⟧": 1}}}"#,
            tells: "expected"),
        Case(
            testDescription: "a function that there isn't",
            endpoint: #"{"expect": {"json": {"$[?⟦size⟧(@) > 1]": 1}}}"#, tells: "size"),
        Case(
            testDescription: "a path in an environment's expectation",
            endpoint: #"{"environments": {"development": {"expect": {"json": {"$.a[⟦⟧": 1}}}}}"#, tells: "expected"),
        Case(
            testDescription: "a path in a check",
            endpoint: #"{"checks": [{"name": "c", "expect": {"json": {"$.a[⟦⟧": 1}}}]}"#, tells: "expected"),
        Case(
            testDescription: "a path in a capture",
            endpoint: #"{"expect": {"status": 200}, "capture": {"c": {"json": "$.a[⟦⟧"}}}"#, tells: "expected"),
        Case(
            testDescription: "a pattern in a path",
            endpoint: #"{"expect": {"json": {"$[?match(@.n, '⟦(⟧')]": {"exists": false}}}}"#,
            tells: "this \"(\" is never closed"),
        Case(
            testDescription: "a pattern in the path of a capture",
            endpoint: #"{"expect": {"status": 200}, "capture": {"c": {"json": "$[?search(@.n, 'a⟦\\\\d⟧')].n"}}}"#,
            tells: "write [0-9]"),
        Case(
            testDescription: "a pattern for a value",
            endpoint: #"{"expect": {"json": {"$.b": {"matches": "\t⟦\\d⟧+"}}}}"#, tells: "\\d"),
        Case(
            testDescription: "a pattern for a header, turned around",
            endpoint: #"{"expect": {"headers": {"ETag": {"not": {"matches": "a⟦(⟧b"}}}}}"#, tells: "("),
        Case(
            testDescription: "a pattern for the body",
            endpoint: #"{"expect": {"body": {"matches": "⟦*⟧"}}}"#, tells: "*"),
        Case(
            testDescription: "an operator that there isn't",
            endpoint: #"{"expect": {"json": {"$.a": {⟦"equal"⟧: 1}}}}"#, tells: #"did you mean "equals"?"#),
        Case(
            testDescription: "an operator that takes something else",
            endpoint: #"{"expect": {"json": {"$.a": {"in": ⟦1⟧}}}}"#, tells: "list"),
        Case(
            testDescription: "a type that there isn't",
            endpoint: #"{"expect": {"json": {"$.a": {"type": ⟦"text"⟧}}}}"#, tells: "string"),
    ]

    @Test("validate and check report an invalid expectation at the same place, and nothing is sent", arguments: cases)
    func told(_ each: Case) async throws {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil { connection.respond(200, body: "{}") }
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)", endpoint: each.endpoint.text)
        let column = try #require(each.endpoint.ranges.first).lowerBound + 1
        for command in ["validate", "check"] {
            let run = try await Tool.run([command], in: workspace)
            #expect(run.status == 3, "\(command): \(run.errors)")
            #expect(run.errors.contains("endpoints/it.json:1:\(column): error: "), "\(command): \(run.errors)")
            #expect(run.errors.contains(each.tells), "\(command): \(run.errors)")
        }
        #expect(server.requests.isEmpty)
    }
}
