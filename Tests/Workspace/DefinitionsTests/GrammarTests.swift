import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

@Suite struct GrammarTests {
    private static let nothingToRepeat = Told.error(
        "pattern.invalid", #""*" has nothing to repeat"#, hint: #"write \* for the character itself"#)

    static let mistakes: [Mistake] = [
        .endpoint(
            "a param's pattern, behind escapes",
            #"{"path": "{{a}}", "params": {"a": {"type": "string", "pattern": "\u00e9⟦\\d⟧é"}}}"#,
            .error("pattern.invalid", #""\d" is not an escape of I-Regexp"#, hint: "write [0-9]")),
        .endpoint(
            "a capture", #"{"capture": {"a": {"json": "$.a⟦?⟧"}}}"#,
            .error(
                "jsonpath.syntax", #""?" is not allowed in a name without quotes"#,
                hint: #"put the name in ["…"]"#)),
        .endpoint(
            "what drift leaves out, and maps",
            #"{"stubs": {"variants": {"a": {"json": 1, "drift": {"ignore": ["$⟦?⟧"], "maps": ["$.⟦?⟧"]}}}}}"#,
            .error("jsonpath.syntax", #"expected ".", "[" or the end of the path, found "?""#),
            .error("jsonpath.syntax", #"expected a name or "*" after ".", found "?""#)),
        .endpoint(
            "the items and the next page of a list, and the conditions of snapshots and events",
            """
            {"endpoints": {
               "a": {"pages": {"items": "$⟦?⟧", "next": {"json": "$.⟦?⟧"}},
                 "expect": {"snapshot": {"match": {"$⟦?⟧": 1}, "ignore": ["$.⟦?⟧"]}}},
               "b": {"expect": {"events": {"each": {"json": {"$⟦?⟧": 1}}, "inOrder": [{"data": {"matches": "⟦*⟧"}}]}}}}}
            """,
            .error("jsonpath.syntax", #"expected ".", "[" or the end of the path, found "?""#),
            .error("jsonpath.syntax", #"expected a name or "*" after ".", found "?""#),
            .error("jsonpath.syntax", #"expected ".", "[" or the end of the path, found "?""#),
            .error("jsonpath.syntax", #"expected a name or "*" after ".", found "?""#),
            .error("jsonpath.syntax", #"expected ".", "[" or the end of the path, found "?""#),
            nothingToRepeat),
        .endpoint(
            "all that drift compares",
            #"{"stubs": {"variants": {"a": {"json": 1, "drift": {"ignore": ["$.a", ⟦"$"⟧]}}}}}"#,
            .error(
                .valueInvalid, #""ignore" of "$" leaves nothing to compare"#,
                hint: #"to leave the variant out, write "drift": false"#)),
        .endpoint(
            "the pattern of a part of a header", #"{"capture": {"a": {"header": "A", "match": "⟦*⟧"}}}"#,
            nothingToRepeat),
        .endpoint(
            "paths and patterns of every expectation",
            """
            {"defaults": {"params": {"p": {"type": "string", "pattern": "⟦*⟧"}}, "expect": {"json": {"$⟦?⟧": 1}}},
             "endpoints": {"a": {
               "expect": {"headers": {"A": {"matches": "⟦*⟧"}}, "body": {"not": {"matches": "⟦*⟧"}},
                 "json": {"$.⟦?⟧": {"matches": "⟦*⟧", "equals": "*"}}},
               "checks": [{"name": "?", "expect": {"json": {"$⟦?⟧": 1}}}],
               "environments": {"development": {"expect": {"body": {"matches": "⟦*⟧"}}}}}}}
            """,
            nothingToRepeat,
            .error("jsonpath.syntax", #"expected ".", "[" or the end of the path, found "?""#),
            nothingToRepeat,
            nothingToRepeat,
            .error("jsonpath.syntax", #"expected a name or "*" after ".", found "?""#),
            nothingToRepeat,
            .error("jsonpath.syntax", #"expected ".", "[" or the end of the path, found "?""#),
            nothingToRepeat),
        .endpoint(
            "a pattern that isn't known yet", #"{"expect": {"body": {"matches": "*{{$uuid}}"}}}"#),
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
        #expect(lines(mistake.workspace.validate().diagnostics) == mistake.expectedLines)
    }

    @Test("a mistake in a path or a pattern is told at its place inside the string", arguments: mistakes)
    func isTold(_ mistake: Mistake) {
        let report = mistake.workspace.validate()
        #expect(lines(report.diagnostics) == mistake.expectedLines)
    }
}
