import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

/// Secrets in the JSON that a program prints.
@Suite struct SecretJSONTests {
    private static func scenario(_ printed: String) -> Scenario {
        var scenario = Scenario(
            #"{"auth": {"bearer": "{{secret.token}}"}}"#,
            environment: #"{"baseURL": "http://h", "secrets": {"token": {"command": ["x"], "json": "$.a"}}}"#)
        scenario.stub = { $0.stub(run: .printed(Array(printed.utf8))) }
        return scenario
    }

    @Test("One program with several secrets in its JSON runs once")
    func json() throws {
        let counter = Counter()
        var scenario = Scenario(
            #"{"headers": {"A": "{{secret.id}}", "B": "{{secret.key}}", "C": "{{secret.n}}"}}"#,
            environment: #"""
                {"baseURL": "http://h", "secrets": {
                  "id": {"command": ["aws"], "json": "$.Id"}, "key": {"command": ["aws"], "json": "$['Key']"},
                  "n": {"command": ["aws"], "json": "$.list[0]"}}}
                """#)
        scenario.stub = { world in
            world.permits = { _, _ in .granted }
            world.run = { _, _, _ in
                _ = counter.next()
                return .printed(Array(#"{"Id": "AKID", "Key": "a\"b", "list": [1.50]}"#.utf8))
            }
        }
        let assembled = try scenario.assembled()
        #expect(Wire(assembled).headers == ["A: AKID", #"B: a"b"#, "C: 1.50"])
        #expect(counter.next() == 2)
        // The program prints more than the secret.
        #expect(assembled.secrets.allSatisfy { !$0.isAsInShell })
    }

    @Test(
        "What a program prints is no part of a message",
        arguments: [
            ("not JSON", "the program did not print JSON"),
            (#"{"a": ["hidden"]}"#, #""$.a" does not select one text or number in what the program prints"#),
            (#"{"b": "hidden"}"#, #""$.a" does not select one text or number in what the program prints"#),
            (#"{"a": " "}"#, "the value is only whitespace"),
        ])
    func unusableJSON(_ printed: String, _ message: String) throws {
        let scenario = Self.scenario(printed)
        let failure = try scenario.failure()
        #expect(failure.definitions.map(\.message) == [#"cannot read secret "token": "# + message])
    }
}
