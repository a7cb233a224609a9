import ReqcliJSONSchema
import Testing

/// The test suite of json-schema-org: all required cases, and the optional ones but for those listed here.
@Suite(.enabled(if: Suite.isThere, "not run: there is no \(Suite.folder); set REQCLI_CORPORA to the folder above it"))
struct SuiteTests {
    @Test(
        "Every required case of a draft passes, with formats as annotations",
        arguments: zip(Draft.allCases, [618, 839, 927, 1259, 1299]))
    func required(draft: Draft, count: Int) throws {
        let cases = try Suite.cases(draft, in: "", formats: .annotate)
        #expect(cases.count == count)
        for wrong in cases where !wrong.isRight { Issue.record("\(draft.name): \(wrong.name) \(wrong.problems)") }
    }

    @Test("Of the optional cases, those that are listed fail, and no others", arguments: Draft.allCases)
    func optional(draft: Draft) throws {
        let cases =
            try Suite.cases(draft, in: "optional", formats: .annotate)
            + Suite.cases(draft, in: "optional/format", formats: .assert)
        #expect(cases.count > 300)
        for example in cases {
            let reason = Self.misses.first { $0.drafts.contains(draft) && example.name.hasPrefix($0.case) }?.reason
            switch (example.isRight, reason) {
            case (true, let reason?):
                Issue.record("\(draft.name): \(example.name) passes, listed because of: \(reason)")
            case (false, nil): Issue.record("\(draft.name): \(example.name) \(example.problems)")
            default: break
            }
        }
    }

    /// The optional cases that fail, by the beginning of their names.
    private static let misses: [(case: String, drafts: ClosedRange<Draft>, reason: String)] = [
        (
            "optional/content: validation of string-encoded content based on media type: an invalid JSON document",
            .draft07 ... .draft07, "what contentMediaType and contentEncoding say is an annotation"
        ),
        (
            "optional/content: validation of binary string-encoding: an invalid base64 string", .draft07 ... .draft07,
            "what contentMediaType and contentEncoding say is an annotation"
        ),
        (
            "optional/content: validation of binary-encoded media type documents: a validly-encoded invalid JSON document",
            .draft07 ... .draft07, "what contentMediaType and contentEncoding say is an annotation"
        ),
        (
            "optional/content: validation of binary-encoded media type documents: an invalid base64 string that is valid",
            .draft07 ... .draft07, "what contentMediaType and contentEncoding say is an annotation"
        ),
        (
            "optional/format/ecmascript-regex: ECMA 262 named groups and backreferences are valid: an ECMA 262 named "
                + "backreference",
            .draft07 ... .draft202012, "an automaton can't follow backreferences"
        ),
        (
            "optional/format/ecmascript-regex: ECMA 262 lookbehind is valid", .draft07 ... .draft202012,
            "an automaton can't look behind"
        ),
    ]
}
