import Definitions
import SourceText
import TestSupport
import Testing

@Suite struct GrammarTests {
    /// Finds fault with every question mark.
    private static let grammars = Grammars(
        jsonPath: { faults(in: $0, code: "path") }, regularExpression: { faults(in: $0, code: "pattern") })

    private static func faults(in text: String, code: Diagnostic.Code) -> [Grammars.Problem] {
        text.utf8.enumerated().filter { $0.element == UInt8(ascii: "?") }.map {
            Grammars.Problem(code: code, "a question mark", at: $0.offset..<$0.offset + 1, hint: "take it out")
        }
    }

    static let mistakes: [Mistake] = [
        .endpoint(
            "a param's pattern, behind escapes",
            #"{"path": "{{a}}", "params": {"a": {"type": "string", "pattern": "\u00e9\\d⟦?⟧é⟦?⟧"}}}"#,
            .error("pattern", "a question mark", hint: "take it out"),
            .error("pattern", "a question mark", hint: "take it out")),
        .endpoint(
            "a capture", #"{"capture": {"a": {"json": "$.a⟦?⟧"}}}"#,
            .error("path", "a question mark", hint: "take it out")),
        .endpoint(
            "paths and patterns of every expectation",
            """
            {"defaults": {"params": {"p": {"type": "string", "pattern": "⟦?⟧"}}, "expect": {"json": {"$⟦?⟧": 1}}},
             "endpoints": {"a": {
               "expect": {"headers": {"A": {"matches": "⟦?⟧"}}, "body": {"not": {"matches": "⟦?⟧"}},
                 "json": {"$.⟦?⟧": {"matches": "⟦?⟧", "equals": "?"}}},
               "checks": [{"name": "?", "expect": {"json": {"$⟦?⟧": 1}}}],
               "environments": {"development": {"expect": {"body": {"matches": "⟦?⟧"}}}}}}}
            """,
            .error("pattern", "a question mark", hint: "take it out"),
            .error("path", "a question mark", hint: "take it out"),
            .error("pattern", "a question mark", hint: "take it out"),
            .error("pattern", "a question mark", hint: "take it out"),
            .error("path", "a question mark", hint: "take it out"),
            .error("pattern", "a question mark", hint: "take it out"),
            .error("path", "a question mark", hint: "take it out"),
            .error("pattern", "a question mark", hint: "take it out")),
        .endpoint(
            "a pattern that isn't known yet", #"{"expect": {"body": {"matches": "?{{$uuid}}"}}}"#),
    ]

    static let misfits: [Mistake] = [
        .endpoint(
            "what a param's own file says",
            """
            {"path": "{{a}}", "params": {"a": {"type": "string", "pattern": "x*", "default": ⟦"y"⟧, "example": "xx",
              "enum": ["xx", ⟦"xy"⟧, ⟦"y"⟧]}}}
            """,
            .error("type.mismatch", #""default" takes text that matches "x*"; found "y""#),
            .error("type.mismatch", #""enum" takes text that matches "x*"; found "xy""#),
            .error("type.mismatch", #""enum" takes text that matches "x*"; found "y""#)),
        .endpoint(
            "what checks and needs give",
            """
            {"defaults": {"params": {"p": {"type": "string", "pattern": "x*", "default": "x"}}},
             "endpoints": {
               "a": {"path": "{{p}}", "checks": [{"name": "n", "with": {"p": ⟦"y"⟧}, "expect": {"status": 200}}]},
               "b": {"path": "{{p}}", "needs": {"a": {"endpoint": "a.a", "with": {"p": ⟦"z"⟧}}}},
               "c": {"path": "{{p}}", "checks": [{"name": "n", "with": {"p": "{{$uuid}}"}, "expect": {"status": 200}}]}}}
            """,
            .error("type.mismatch", #"the param "p" takes text that matches "x*"; found "y""#),
            .error("type.mismatch", #"the param "p" takes text that matches "x*"; found "z""#)),
    ]

    @Test("a value that its param's pattern doesn't describe is told", arguments: misfits)
    func isMisfit(_ mistake: Mistake) {
        // Describes what is nothing but x.
        let grammars = Grammars(
            jsonPath: { _ in [] }, regularExpression: { _ in [] },
            matches: { pattern, text in pattern == "x*" && text.allSatisfy { $0 == "x" } })
        #expect(lines(mistake.workspace.validate(grammars: grammars).diagnostics) == mistake.expectedLines)
    }

    @Test("what a grammar complains about is told at its place inside the string", arguments: mistakes)
    func isTold(_ mistake: Mistake) {
        let report = mistake.workspace.validate(grammars: Self.grammars)
        #expect(lines(report.diagnostics) == mistake.expectedLines)
        #expect(lines(mistake.workspace.validate().diagnostics) == [])
    }
}
