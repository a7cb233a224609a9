import Checking
import ReqcliText
import Testing

/// One condition on one value: whether it holds, and what is said where it doesn't.
struct MatcherTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let condition: String
        let value: String
        /// Nil where the condition holds.
        let complaint: String?

        init(_ condition: String, _ value: String, _ complaint: String? = nil) {
            self.condition = condition
            self.value = value
            self.complaint = complaint
        }

        var testDescription: String { "\(condition) on \(value)" }
    }

    static let equality: [Case] = [
        Case("1", "1"), Case("1", "1.0"), Case("1", "10e-1"), Case("1", "2", "expected 1, found 2"),
        Case("9007199254740993", "9007199254740993"),
        Case("9007199254740993", "9007199254740992", "expected 9007199254740993, found 9007199254740992"),
        Case("-0", "0"), Case("\"1\"", "1", "expected \"1\", found 1"), Case("true", "true"),
        Case("null", "null"), Case("null", "0", "expected null, found 0"),
        Case("{\"equals\": {\"a\": 1, \"b\": [1, 2]}}", "{\"b\": [1.0, 2], \"a\": 1}"),
        Case("[1, 2]", "[2, 1]", "expected [1,2], found [2,1]"),
        Case("\"é\"", "\"e\\u0301\"", "expected \"é\", found \"e\\u0301\""),
        Case("{\"not\": {\"equals\": 5}}", "5", "expected anything but 5, found 5"),
        Case("{\"not\": {\"equals\": 5}}", "6"),
    ]

    static let inclusion: [Case] = [
        Case("{\"includes\": {\"a\": 1}}", "{\"a\": 1, \"b\": 2}"),
        Case("{\"includes\": {\"a\": {\"b\": []}}}", "{\"a\": {\"b\": [1], \"c\": 2}}"),
        Case("{\"includes\": [{\"id\": 2}]}", "[{\"id\": 1}, {\"id\": 2, \"x\": 0}]"),
        Case("{\"includes\": [1, 1]}", "[1]"),
        Case("{\"includes\": [3]}", "[1, 2]", "expected something that includes [3], found [1,2]"),
        Case("{\"includes\": \"ell\"}", "\"hello\"", "expected something that includes \"ell\", found \"hello\""),
        Case(
            "{\"not\": {\"includes\": {\"error\": true}}}", "{\"error\": true, \"x\": 1}",
            "expected something that doesn't include {\"error\":true}, found {\"error\":true,\"x\":1}"),
    ]

    static let kinds: [Case] = [
        Case("{\"type\": \"integer\"}", "4.0"),
        Case("{\"type\": \"integer\"}", "4.5", "expected a whole number, found 4.5"),
        Case("{\"type\": \"number\"}", "1e3"), Case("{\"type\": \"string\"}", "\"\""),
        Case("{\"type\": \"boolean\"}", "false"), Case("{\"type\": \"null\"}", "null"),
        Case("{\"type\": \"object\"}", "{}"), Case("{\"type\": \"array\"}", "{}", "expected an array, found {}"),
        Case("{\"not\": {\"type\": \"null\"}}", "null", "expected anything but null, found null"),
        Case("{\"exists\": true}", "null"),
        Case("{\"not\": {\"exists\": false}}", "0"),
        Case("{\"exists\": false}", "3", "expected no value, found 3"),
        Case("{\"not\": {\"exists\": true}}", "3", "expected no value, found 3"),
    ]

    static let texts: [Case] = [
        Case("{\"matches\": \"^[a-z]+$\"}", "\"abc\""), Case("{\"matches\": \"b\"}", "\"abc\""),
        Case("{\"matches\": \"^b\"}", "\"abc\"", "expected text that matches /^b/, found \"abc\""),
        Case("{\"matches\": \"1\"}", "1", "expected text that matches /1/, found 1, which is not text"),
        Case("{\"not\": {\"matches\": \"b\"}}", "\"abc\"", "expected text that doesn't match /b/, found \"abc\""),
        Case(
            "{\"not\": {\"matches\": \"b\"}}", "7", "expected text that doesn't match /b/, found 7, which is not text"),
        Case("{\"contains\": \"ell\"}", "\"hello\""), Case("{\"contains\": \"\"}", "\"\""),
        Case("{\"contains\": 2}", "[1, 2.0]"), Case("{\"contains\": {\"a\": 1}}", "[{\"a\": 1}]"),
        Case(
            "{\"contains\": {\"a\": 1}}", "[{\"a\": 1, \"b\": 2}]",
            #"expected something that contains {"a":1}, found [{"a":1,"b":2}]"#),
        Case("{\"contains\": 5}", "\"code 5\""),
        Case(
            "{\"contains\": \"x\"}", "null",
            "expected something that contains \"x\", found null, which is neither text nor a list"),
        Case(
            "{\"contains\": []}", "\"x\"",
            "expected something that contains [], found \"x\", and text can't contain an array"),
        Case(
            "{\"not\": {\"contains\": \"err\"}}", "\"an error\"",
            "expected something that doesn't contain \"err\", found \"an error\""),
        Case("{\"startsWith\": \"he\"}", "\"hello\""),
        Case("{\"startsWith\": \"lo\"}", "\"hello\"", "expected text that starts with \"lo\", found \"hello\""),
        Case("{\"endsWith\": \"lo\"}", "\"hello\""),
        Case(
            "{\"not\": {\"endsWith\": \"lo\"}}", "\"hello\"",
            "expected text that doesn't end with \"lo\", found \"hello\""),
    ]

    static let numbers: [Case] = [
        Case("{\"<\": 5}", "4.99"), Case("{\"<\": 5}", "5", "expected a number below 5, found 5"),
        Case("{\"<=\": 5}", "5.0"), Case("{\"<=\": 5}", "6", "expected a number of at most 5, found 6"),
        Case("{\">\": 9007199254740992}", "9007199254740993"),
        Case("{\">\": 5}", "5", "expected a number above 5, found 5"),
        Case("{\">=\": 5}", "5e0"), Case("{\">=\": 1, \"<\": 3}", "2"),
        Case("{\"not\": {\"<\": 5}}", "4", "expected a number of at least 5, found 4"),
        Case("{\"not\": {\">=\": 5}}", "5", "expected a number below 5, found 5"),
        Case("{\">\": 5}", "\"6\"", "expected a number above 5, found \"6\", which is not a number"),
        Case("{\"not\": {\">\": 5}}", "null", "expected a number of at most 5, found null, which is not a number"),
        Case("{\"length\": 2}", "[1, 2]"), Case("{\"length\": 3}", "\"e\\u0301😀\""),
        Case("{\"length\": 1}", "{\"a\": 1}"),
        Case("{\"length\": 3}", "[1]", "expected a length of 3, found 1: [1]"),
        Case(
            "{\"length\": {\">\": 0, \"<=\": 2}}", "[]", "expected a length of more than 0 and at most 2, found 0: []"),
        Case("{\"not\": {\"length\": 0}}", "[]", "expected a length that is not 0, found 0: []"),
        Case("{\"length\": 1}", "7", "expected a length of 1, found 7, which has no length"),
        Case("{\"in\": [1, 2]}", "2.0"), Case("{\"in\": [\"a\", null]}", "null"),
        Case("{\"in\": [\"a\", \"b\"]}", "\"c\"", "expected one of \"a\", \"b\", found \"c\""),
        Case("{\"not\": {\"in\": [\"a\", \"b\"]}}", "\"a\"", "expected none of \"a\", \"b\", found \"a\""),
    ]

    @Test(
        "A condition holds, or says what was expected and what was found",
        arguments: equality + inclusion + kinds + texts + numbers)
    func condition(_ each: Case) throws {
        let failures = try Workshop.failures(
            "{\"json\": {\"$.v\": \(each.condition)}}", .json("{\"v\": \(each.value)}"))
        #expect(failures.map(\.message) == each.complaint.map { ["$.v: \($0)"] } ?? [])
    }

    @Test("All conditions on a value are told that it doesn't meet, each at its place")
    func several() throws {
        let failures = try Workshop.failures(
            #"{"json": {"$.v": {"type": "integer", "<": 3, "not": {"equals": 4.5}}}}"#, .json("{\"v\": 4.5}"))
        #expect(failures.map(\.expected) == ["a whole number", "a number below 3", "anything but 4.5"])
        let columns = [38, 54, 75].map { "endpoints/a.json:1:\($0)" }
        #expect(failures.map(\.place.description) == columns)
    }
}
