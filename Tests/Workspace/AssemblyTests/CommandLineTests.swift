import ReqcliAssembly
import ReqcliDefinitions
import ReqcliNetworking
import ReqcliText
@_spi(Generated) import RequestBuilding
import TestSupport
import Testing

@Suite("What flags change")
struct CommandLineTests {
    private func scenario(_ endpoint: String = "{}", _ changes: CommandLineOverride.Change...) -> Scenario {
        var scenario = Scenario(endpoint)
        scenario.overrides = changes.map { CommandLineOverride($0, flag: "--flag") }
        return scenario
    }

    @Test("The query of a typed URL follows a query that the files have as text")
    func typedQuery() throws {
        var call = scenario(#"{"query": "a=1&{{$env.V}}"}"#, .addedQuery(encoded: "q=a+b", []))
        call.stub = { $0.variable = { $0 == "V" ? "x y" : nil } }
        #expect(try call.wire().query == "?a=1&x%20y&q=a+b")
    }

    struct Typed: Sendable, CustomTestStringConvertible {
        let name: String
        let endpoint: String
        var change = CommandLineOverride.Change.body(text: "{\"a\": 1}")
        let type: String
        var testDescription: String { name }
    }

    @Test(
        "A body by flag keeps the type that the definition gives its body",
        arguments: [
            Typed(name: "JSON where nothing is said", endpoint: "{}", type: "application/json"),
            Typed(name: "an array, too", endpoint: "{}", change: .body(text: " [1]"), type: "application/json"),
            Typed(
                name: "what only looks like it isn't", endpoint: "{}", change: .body(text: "{a"),
                type: "text/plain; charset=utf-8"),
            Typed(
                name: "text where nothing is said", endpoint: "{}", change: .body(text: "5"),
                type: "text/plain; charset=utf-8"),
            Typed(
                name: "a form", endpoint: #"{"body": {"form": {"a": "1"}}}"#, type: "application/x-www-form-urlencoded"),
            Typed(name: "a text", endpoint: #"{"body": {"text": "x"}}"#, type: "text/plain; charset=utf-8"),
            Typed(
                name: "a header beside it",
                endpoint: #"{"body": {"text": "x"}, "headers": {"Content-Type": "text/x"}}"#, type: "text/x"),
            Typed(
                name: "a header without a body", endpoint: #"{"headers": {"Content-Type": "text/x"}}"#, type: "text/x"),
            Typed(
                name: "a file where nothing is said", endpoint: "{}", change: .bodyFile("data"),
                type: "application/octet-stream"),
            Typed(
                name: "a file of JSON", endpoint: #"{"body": {"json": 1}}"#, change: .bodyFile("data"),
                type: "application/json"),
            Typed(
                name: "a file with a header", endpoint: #"{"headers": {"Content-Type": "text/x"}}"#,
                change: .bodyFile("data"), type: "text/x"),
            Typed(
                name: "a file of JSON by its name", endpoint: "{}", change: .bodyFile("data.JSON"),
                type: "application/json"),
            Typed(name: "a picture", endpoint: "{}", change: .bodyFile("data.png"), type: "image/png"),
            Typed(name: "standard input", endpoint: "{}", change: .bodyFile("-"), type: "application/json"),
        ])
    func bodyType(_ row: Typed) throws {
        var scenario = scenario(row.endpoint, row.change)
        for name in ["data", "data.JSON", "data.png"] { scenario.files[name] = "x" }
        scenario.stub = { $0.stub(standardInput: "{}") }
        #expect(try scenario.wire().headers == ["Content-Type: \(row.type)"])
    }

    @Test("A file of a flag is seen from the current folder and streamed; standard input is sent as it comes")
    func bodySource() throws {
        var file = scenario("{}", .bodyFile("data"))
        file.folder = "/w/sub"
        file.files["sub/data"] = "x"
        #expect(try file.wire().body == "<data>")
        var input = scenario("{}", .bodyFile("-"))
        input.stub = { $0.stub(standardInput: "a\r\nb\n") }
        #expect(try input.wire().body == "a\r\nb\n")
    }

    @Test("A header by flag beats the type of a body by flag, in the order in which they are given")
    func headerAfterBody() throws {
        let wire = try scenario("{}", .body(text: "x"), .header("Content-Type", values: ["text/x"])).wire()
        #expect(wire.headers == ["Content-Type: text/x"])
    }

    @Test("A body by flag brings no type where the definition says that there is none")
    func bodyWithoutType() throws {
        let endpoint = #"{"body": {"text": "x"}, "headers": {"Content-Type": null}}"#
        for body in [CommandLineOverride.Change.body(text: "{}"), .bodyFile("data")] {
            var scenario = scenario(endpoint, body)
            scenario.files["data"] = "x"
            #expect(try scenario.wire().headers == [])
        }
        let later =
            #"{"body": {"text": "x"}, "headers": {"Content-Type": null}, "environments": {"env": {"body": null}}}"#
        #expect(try scenario(later, .body(text: "{}")).wire().headers == [])
    }

    @Test("Several changes hold together")
    func together() throws {
        let assembled = try scenario(
            #"{"path": "p", "query": {"a": "1"}, "headers": {"A": "1", "B": "2"}}"#,
            .header("A", values: ["2", "3"]), .removedHeader("b"), .header("C", values: [""]),
            .query("a", values: ["x", "y z"]), .query("b", values: [""]), .baseURL("https://c:8443/base/"),
            .setting(.totalTimeout, .milliseconds(250)), .setting(.followsRedirects, true), .setting(.isInsecure, true),
            .setting(.retryTimes, 3)
        ).assembled()
        let wire = Wire(assembled)
        #expect(wire.url == "https://c:8443/base/p?a=x&a=y%20z&b=")
        #expect(wire.headers == ["A: 2", "A: 3", "C: "])
        #expect(assembled.request.transfer.timeouts.total == .milliseconds(250))
        #expect(assembled.request.transfer.redirects.isFollowing)
        #expect(assembled.request.transfer.tls.isInsecure)
        #expect(assembled.request.transfer.retry.times == 3)
    }

    @Test("What is wrong with a flag is told as usage, with the flag, and all at once")
    func problems() throws {
        var scenario = Scenario()
        scenario.overrides = [
            CommandLineOverride(.baseURL("ftp://h"), flag: "--base-url ftp://h"),
            CommandLineOverride(.header("X", values: ["a\nb"]), flag: "-H 'X: …'"),
            CommandLineOverride(.bodyFile("gone"), flag: "--body @gone"),
            CommandLineOverride(.transferFile(.authorities, path: "ca.pem"), flag: "--ca ca.pem"),
            CommandLineOverride(.transferFile(.certificate, path: "endpoints"), flag: "--cert endpoints"),
        ]
        let failure = try scenario.failure()
        #expect(failure.definitions.isEmpty)
        #expect(
            Set(failure.usage.map(\.message)) == [
                "--base-url ftp://h: \"ftp\" is not a scheme for a request: use http or https",
                "-H 'X: …': header X: the value contains LF at character 2, which can't be sent in a header",
                "--body @gone: there is no file \"gone\" to send",
                "--ca ca.pem: there is no file \"ca.pem\" to read",
                "--cert endpoints: \"endpoints\" is not a regular file",
            ])
    }

    @Test("Standard input that can't be read is told")
    func unreadableInput() throws {
        var scenario = scenario("{}", .bodyFile("-"))
        scenario.stub = { $0.standardInput = { () throws(FileProblem) in throw FileProblem(.denied) } }
        #expect(
            try scenario.failure().usage.map(\.message) == ["--flag: cannot read standard input: permission denied"])
    }
}
