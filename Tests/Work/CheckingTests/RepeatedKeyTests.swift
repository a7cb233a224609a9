import Calling
import Checking
import ReqcliText
import Testing

/// A key that stands twice in an object of an answer has no value that a condition could be about.
struct RepeatedKeyTests {
    private static let answer = ReceivedResponse.json(
        #"{"a": {"x": 1, "x": 2}, "b": {"y": 1}, "l": [{"z": 1}, {"z": 1, "\u007a": 1}], "deep": {"in": [{"k": 1, "k": 1}]}}"#
    )

    static let failing: [(condition: String, found: String)] = [
        (#""$.a.x": 2"#, #"the key "x" more than once in $['a']"#),
        (#""$.a.x": {"not": {"equals": 1}}"#, #"the key "x" more than once in $['a']"#),
        (#""$.a.none": {"exists": false}"#, #"the key "x" more than once in $['a']"#),
        (#""$.a": {"length": 1}"#, #"the key "x" more than once in $['a']"#),
        (#""$.a": {"includes": {"x": 2}}"#, #"the key "x" more than once in $['a']"#),
        (#""$.l[1].z": 1"#, #"the key "z" more than once in $['l'][1]"#),
        (#""$.l[*].z": 1"#, #"the key "z" more than once in $['l'][1]"#),
        (#""$.deep": {"equals": {"in": [{"k": 1}]}}"#, #"the key "k" more than once in $['deep']['in'][0]"#),
        (#""$..y": 1"#, #"the key "x" more than once in $['a']"#),
        (#""$.b[?$.a.x == 2]": {"exists": false}"#, #"the key "x" more than once in $['a']"#),
        (#""$": {"not": {"contains": 1}}"#, #"the key "x" more than once in $['a']"#),
    ]

    @Test("A condition that looks into such an object fails", arguments: failing)
    func fails(_ condition: String, _ found: String) throws {
        let failures = try Workshop.failures("{\"json\": {\(condition)}}", Self.answer)
        #expect(failures.map(\.actual) == [found])
        #expect(failures.map(\.expected) == ["an object without duplicate keys"])
    }

    @Test(
        "A condition that doesn't look there is judged as ever",
        arguments: [
            #""$.b.y": 1"#, #""$.b": {"equals": {"y": 1}}"#, #""$.l[0].z": 1"#, #""$.a": {"type": "object"}"#,
            #""$.b.none": {"exists": false}"#, #""$.l": {"length": 2}"#, #""$.deep": {"length": 1}"#, #""$.b[*]": 1"#,
        ])
    func holds(_ condition: String) throws {
        #expect(try Workshop.failures("{\"json\": {\(condition)}}", Self.answer).isEmpty)
    }

    @Test("A body that is compared as JSON fails with it, beside not too")
    func body() throws {
        for text in [#"{"equals": {"x": 2}}"#, #"{"not": {"equals": {"y": 2}}}"#] {
            let failures = try Workshop.failures("{\"body\": \(text)}", .json(#"{"x": 1, "x": 2}"#))
            #expect(
                failures.map(\.actual) == [#""{\"x\": 1, \"x\": 2}", in which an object has a key more than once"#])
        }
    }

    @Test("A capture finds nothing there")
    func capture() throws {
        let read = try CaptureTests.read(#"{"t": {"json": "$.a.x"}, "u": {"json": "$.b.y"}}"#, Self.answer)
        #expect(read.problems.map(\.message) == [#"the capture "t" of a found the key "x" more than once in $['a']"#])
        #expect(read.values == ["u": .int(1)])
    }

    @Test("In a large object a key is found that stands there twice, however it is spelt", arguments: [9, 100])
    func large(_ count: Int) throws {
        let members = (0..<count).map { "\"k\($0)\": 0" }.joined(separator: ", ")
        let once = ReceivedResponse.json("{\(members), \"\u{E9}\": 0, \"e\u{301}\": 0}")
        #expect(try Workshop.failures("{\"json\": {\"$.k0\": 0}}", once).isEmpty)
        let twice = ReceivedResponse.json("{\(members), \"\\u006b0\": 0}")
        #expect(
            try Workshop.failures("{\"json\": {\"$.k1\": 0}}", twice).map(\.actual) == [
                "the key \"k0\" more than once in $"
            ])
    }
}
