import ReqcliAssembly
import ReqcliText
import TestSupport
import Testing

@Suite("What can't be resolved")
struct UnresolvedTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let members: String
        let environment: String
        let message: String
        var hint: String?

        init(
            _ members: String, in environment: String = #"{"baseURL": "http://h"}"#, _ message: String,
            hint: String? = nil
        ) {
            (self.members, self.environment, self.message, self.hint) = (members, environment, message, hint)
        }

        var testDescription: String { members }
    }

    static let rows = [
        Row(
            #""headers": {"A": "x ⟦⟧{{tenat}}"}"#, in: #"{"baseURL": "http://h", "variables": {"tenant": "acme"}}"#,
            #""{{tenat}}" is neither a param of e nor a variable of the environment env"#,
            hint: #"did you mean "tenant"?"#),
        Row(
            #""params": {"id": {"type": "string"}}, "path": "/⟦⟧{{di}}""#,
            #""{{di}}" is neither a param of e nor a variable of the environment env"#, hint: #"did you mean "id"?"#),
        Row(
            #""body": {"json": {"a": [{"b": "é \n ⟦⟧{{nothing}}"}]}}"#,
            #""{{nothing}}" is neither a param of e nor a variable of the environment env"#),
        Row(
            #""query": {"a": "{{outer}}"}"#,
            in:
                "{\"baseURL\": \"http://h\", \"variables\": {\n  \"outer\": \"{{inner}}\", \"inner\": \"⟦⟧{{missing}}\"}}",
            #""{{missing}}" is not a variable of the environment env"#,
            hint: #"declare it in "variables"; params exist only in their endpoint"#),
        Row(
            #""params": {"id": {"type": "string"}}, "query": {"a": "{{who}}", "b": "{{id}}"}"#,
            in: #"{"baseURL": "http://h", "variables": {"who": "⟦⟧{{id}}"}}"#,
            #""{{id}}" is not a variable of the environment env"#,
            hint: #"declare it in "variables"; params exist only in their endpoint"#),
        Row(
            #""params": {"id": {"type": "string", "default": "x"}}, "query": {"b": "{{id}}"}"#,
            in: #"{"baseURL": "http://h", "headers": {"E": "⟦⟧{{id}}"}}"#,
            #""{{id}}" is not a variable of the environment env"#,
            hint: #"declare it in "variables"; params exist only in their endpoint"#),
        Row(
            #""query": {"a": "{{who}}"}"#,
            in: #"{"baseURL": "http://h", "variables": {"who": "⟦⟧{{login.token}}"}}"#,
            #""{{login.token}}" is a capture, but the environment env has no alias "login" in "needs""#,
            hint: #"add "needs": {"login": "the.endpoint"}"#),
        Row(
            #""query": {"a": "{{a}}"}"#,
            in: #"{"baseURL": "http://h", "variables": {"a": ⟦⟧"{{b}}", "b": "x{{c}}", "c": "{{a}}"}}"#,
            "variables refer to each other in a cycle: a → b → c → a"),
        Row(
            #""query": {"a": "{{a}}"}"#, in: #"{"baseURL": "http://h", "variables": {"a": ⟦⟧"{{a}}"}}"#,
            "variables refer to each other in a cycle: a → a"),
        Row(
            #""query": {"a": "⟦⟧{{secret.tokn}}"}"#,
            in: #"{"baseURL": "http://h", "secrets": {"token": {"env": "T"}}}"#,
            #"the environment env has no secret "tokn""#, hint: #"did you mean "token"?"#),
        Row(#""query": {"a": "⟦⟧{{login.token}}"}"#, #""login" is not an alias in "needs""#),
        Row(
            #""query": {"a": "⟦⟧{{secrets.token}}"}"#, #""secrets" is not an alias in "needs""#,
            hint: #"did you mean "secret"?"#),
        Row(
            #""query": {"a": "⟦⟧{{$env.NOWHERE}}"}"#, "the environment variable NOWHERE is not set",
            hint: "export it, or put it into .env"),
        Row(
            #""query": {"a": {"$switch": ⟦⟧"{{v}}", "b": "1", "c": "2"}}"#,
            in: #"{"baseURL": "http://h", "variables": {"v": "x\"y"}}"#,
            #"this $switch has no case for "x\"y""#,
            hint: #"add a case for this value, or "$default" for all other values; existing cases: "b", "c""#),
        Row(
            #""port": ⟦⟧"{{p}}""#, in: #"{"baseURL": "http://h", "variables": {"p": "80a"}}"#,
            #""port" takes a port from 1 to 65535; found "80a""#),
        Row(
            #""host": ⟦⟧"{{p}}.com""#, in: #"{"baseURL": "http://h", "variables": {"p": "a b"}}"#,
            #""a b.com" is not a host name: expected letters, digits, "-" and "_" between dots, or an address such as 127.0.0.1 or [::1]"#
        ),
        Row(
            #""body": {"file": ⟦⟧"nowhere.bin"}"#, #"there is no file "nowhere.bin" to send"#,
            hint: "paths are relative to the workspace's root"),
        Row(
            #""method": "POST", "body": {"text": "hello"}, "headers": {⟦⟧"Content-Length": "3"}"#,
            "the Content-Length is 3, but the body has 5 bytes: leave out the header to send the right one"),
        Row(
            #""method": "POST", "headers": {⟦⟧"content-length": "3"}"#,
            "the Content-Length is 3, but the body has 0 bytes: leave out the header to send the right one"),
        Row(#""body": {"multipart": {"f": {"file": ⟦⟧"endpoints"}}}"#, #""endpoints" is not a regular file"#),
        Row(
            #""tls": {"ca": ⟦⟧"nowhere.pem"}"#, #"there is no file "nowhere.pem" for tls.ca"#,
            hint: "paths are relative to the workspace's root"),
    ]

    @Test("The message has its place and what may have been meant", arguments: rows)
    func message(_ row: Row) throws {
        var scenario = Scenario("{\(row.members)}", environment: row.environment)
        if row.members.contains("\"id\"") { scenario.arguments = [ParameterArgument(name: "id", source: .text("1"))] }
        scenario.stub = { $0.stub(variables: [:]) }
        let failure = try scenario.failure()
        #expect(failure.usage.isEmpty)
        #expect(failure.definitions.map(\.message) == [row.message])
        #expect(failure.definitions.map(\.hint) == [row.hint])
        #expect(failure.places == scenario.marks)
    }

    @Test("Everything is told in one run, each problem once")
    func together() throws {
        var scenario = Scenario(
            #"""
            {"path": "/{{id}}/⟦⟧{{user}}", "params": {"id": {"type": "integer"}, "note": {"type": "string"}},
             "query": {"a": "{{id}}", "b": "⟦⟧{{usr}}", "c": "{{user}}"},
             "headers": {"T": "{{secret.token}}", "U": "{{secret.token}}", ⟦⟧"V": "{{note}}"},
             "body": {"file": ⟦⟧"gone"}}
            """#,
            environment: #"{"baseURL": "http://h", "secrets": {"token": {"env": ⟦⟧"TOKEN"}}}"#, "note=a\r\nb", "x=1")
        scenario.overrides = [
            CommandLineOverride(.header("bad name", values: ["x"]), flag: "-H 'bad name: x'")
        ]
        scenario.stub = { $0.stub(variables: [:]) }
        let failure = try scenario.failure()
        #expect(
            failure.usage.map(\.message) == [
                #"e has no param "x""#, #"e needs the param "id""#,
                "-H 'bad name: x': the header name \"bad name\" contains a space; a name is letters, digits and !#$%&'*+-.^_`|~",
            ])
        #expect(
            Set(failure.definitions.map(\.message)) == [
                #""{{user}}" is neither a param of e nor a variable of the environment env"#,
                #""{{usr}}" is neither a param of e nor a variable of the environment env"#,
                #"cannot read secret "token": the environment variable TOKEN is not set"#,
                #"there is no file "gone" to send"#,
                "header V: the value contains CR at character 2, which can't be sent in a header",
            ])
        // {{user}} is used twice: two places.
        #expect(failure.definitions.count == 6)
        #expect(Set(failure.places).isSuperset(of: scenario.marks))
    }

    @Test("A length by flag that isn't the body's is the flag's problem; the right one, and one of a file, are sent")
    func length() throws {
        var scenario = Scenario(#"{"method": "POST", "body": {"text": "hello"}}"#)
        scenario.overrides = [
            CommandLineOverride(.header("Content-Length", values: ["3"]), flag: "-H 'Content-Length: 3'")
        ]
        #expect(
            try scenario.failure().usage.map(\.message) == [
                "-H 'Content-Length: 3': the Content-Length is 3, but the body has 5 bytes: "
                    + "leave out the header to send the right one"
            ])
        scenario.overrides = [CommandLineOverride(.header("Content-Length", values: ["5"]), flag: "-H")]
        #expect(try scenario.wire().headers.contains("Content-Length: 5"))
        var file = Scenario(#"{"method": "POST", "body": {"file": "data"}, "headers": {"Content-Length": "3"}}"#)
        file.files["data"] = "hello"
        #expect(try file.wire().headers.contains("Content-Length: 3"), "nobody knows how long it is")
        file.stub = { $0.fileSize = { _ in 5 } }
        #expect(
            try file.failure().definitions.map(\.message) == [
                "the Content-Length is 3, but the body has 5 bytes: leave out the header to send the right one"
            ])
        file.stub = { $0.fileSize = { _ in 3 } }
        #expect(try file.wire().headers.contains("Content-Length: 3"))
    }

    @Test("A length is compared with no body that isn't there yet")
    func lengthOfGap() throws {
        var scenario = Scenario(
            #"{"method": "POST", "body": {"text": "{{secret.t}}"}, "headers": {"Content-Length": "3"}}"#,
            environment: #"{"baseURL": "http://h", "secrets": {"t": {"env": "T"}}}"#)
        scenario.stub = { $0.stub(variables: [:]) }
        #expect(
            try scenario.failure().definitions.map(\.message) == [
                #"cannot read secret "t": the environment variable T is not set"#
            ])
    }

    @Test("What a later layer shadows may be unresolvable: it isn't needed")
    func shadowed() throws {
        let environment = #"""
            {"baseURL": "http://{{nowhere}}", "headers": {"A": "{{missing}}", "B": "{{secret.none}}"},
             "query": {"q": "{{$env.NOTHING}}"}, "auth": {"bearer": "{{secret.token}}"}, "tls": {"ca": "{{missing}}"},
             "secrets": {"token": {"command": ["must", "not", "run"]}}, "basePath": null}
            """#.replacing(#", "basePath": null"#, with: "")
        let wire = try Scenario(
            #"""
            {"baseURL": "http://h", "headers": {"a": "1", "B": null}, "query": {"q": "2"}, "auth": null,
             "tls": null, "body": {"text": "{{missing}}"}}
            """#, environment: environment, overlay: #"{"body": {"text": "here"}}"#
        ).wire()
        #expect(wire.url == "http://h?q=2")
        #expect(wire.headers.sorted() == ["Content-Type: text/plain; charset=utf-8", "a: 1"])
        #expect(wire.body == "here")
    }

    @Test("What a flag replaces isn't needed either")
    func shadowedByFlag() throws {
        var scenario = Scenario(
            #"{"headers": {"A": "{{missing}}"}, "body": {"file": "gone"}, "query": {"q": "{{secret.none}}"}}"#,
            environment: #"{"baseURL": "{{missing}}"}"#)
        scenario.overrides = [
            CommandLineOverride(.header("A", values: ["1"]), flag: "-H 'A: 1'"),
            CommandLineOverride(.body(text: "x"), flag: "--body"),
            CommandLineOverride(.query("q", values: ["2"]), flag: "-q q=2"),
            CommandLineOverride(.baseURL("http://h"), flag: "--base-url http://h"),
        ]
        #expect(try scenario.wire().url == "http://h?q=2")
    }

    @Test("A host without a scheme: the scheme is what is missing, at the host's place")
    func noScheme() throws {
        let scenario = Scenario(environment: #"{"host": ⟦⟧"api.example.com", "port": 81}"#)
        let failure = try scenario.failure()
        #expect(failure.definitions.map(\.message) == ["the request has a host, but no scheme"])
        #expect(failure.definitions.map(\.hint) == [#"add "scheme": "https" next to "host""#])
        #expect(failure.places == scenario.marks)
    }

    @Test(
        "A request from which the server was taken away says where",
        arguments: [
            Scenario(#"{"baseURL": ⟦⟧null}"#, environment: #"{"baseURL": "http://h"}"#),
            Scenario(#"{"host": ⟦⟧null}"#, environment: #"{"baseURL": "http://h"}"#),
            Scenario(#"{"scheme": ⟦⟧null}"#, environment: #"{"baseURL": "http://h"}"#),
            Scenario(environment: #"{"baseURL": "http://h"}"#, overlay: #"{"baseURL": ⟦⟧null}"#),
            Scenario(
                environment: #"{"extends": "base", "baseURL": ⟦⟧null}"#, bases: ["base": #"{"baseURL": "http://h"}"#]),
        ])
    func serverTakenAway(_ scenario: Scenario) throws {
        #expect(
            try scenario.failure().messages == [
                "\(scenario.marks[0]): the request has no server "
                    + "(null removes the server here: remove the null, or pass --base-url URL)"
            ])
    }

    @Test(
        "A request without a server says how to give it one",
        arguments: ["{}", #"{"baseURL": null}"#, #"{"scheme": "http"}"#])
    func noServer(_ environment: String) throws {
        let failure = try Scenario(environment: environment).failure()
        #expect(
            failure.messages == [
                "environments/env.json: the request has no server "
                    + "(give the environment env a \"baseURL\", or pass --base-url URL)"
            ])
    }
}
