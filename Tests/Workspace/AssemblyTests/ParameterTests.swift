import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

@Suite("Params")
struct ParameterTests {
    /// A call of an endpoint whose one param is `p`, which is its body: the type of a value shows there.
    struct Row: Sendable, CustomTestStringConvertible {
        let parameter: String
        let argument: String?
        var body: String?
        var problem: String?

        init(_ parameter: String, _ argument: String?, gives body: String) {
            (self.parameter, self.argument, self.body) = (parameter, argument, body)
        }

        init(_ parameter: String, _ argument: String?, says problem: String) {
            (self.parameter, self.argument, self.problem) = (parameter, argument, problem)
        }

        var testDescription: String { "\(parameter) \(argument ?? "nothing")" }

        var scenario: Scenario {
            let endpoint = #"{"params": {"p": {\#(parameter)}}, "body": {"json": ["{{p}}"]}}"#
            var scenario = Scenario(endpoint)
            scenario.arguments = [argument].compactMap(\.self).compactMap { ParameterArgument($0) }
            scenario.files["photo.jpg"] = "jpeg"
            scenario.stub = { $0.stub(standardInput: "42\n") }
            return scenario
        }
    }

    static let rows: [Row] = [
        Row(#""type": "string""#, "p=a b", gives: #"["a b"]"#),
        Row(#""type": "string""#, "p=", gives: #"[""]"#),
        Row(#""type": "string""#, "p=a=b@c", gives: #"["a=b@c"]"#),
        Row(#""type": "string""#, "p={{p}}", gives: #"["{{p}}"]"#),
        Row(#""type": "string""#, "p=42", gives: #"["42"]"#),
        Row(#""type": "integer""#, "p=42", gives: "[42]"),
        Row(#""type": "integer""#, "p=-7", gives: "[-7]"),
        Row(#""type": "integer""#, "p=4.2e1", gives: "[42]"),
        Row(#""type": "integer""#, "p=123456789012345678901234567890", gives: "[123456789012345678901234567890]"),
        Row(#""type": "integer""#, "p=-1e30", gives: "[-1000000000000000000000000000000]"),
        Row(#""type": "integer""#, "p=-0", gives: "[0]"),
        Row(
            #""type": "integer""#, "p=1e1000",
            says: #"p takes a whole number of at most 1000 digits; found "1e1000""#),
        Row(#""type": "integer""#, "p=4.2", says: #"p takes a whole number; found "4.2""#),
        Row(#""type": "integer""#, "p=", says: #"p takes a whole number; found """#),
        Row(#""type": "integer""#, "p=0x10", says: #"p takes a whole number; found "0x10""#),
        Row(#""type": "integer""#, "p= 1", says: #"p takes a whole number; found " 1""#),
        Row(#""type": "integer""#, "p=٣", says: #"p takes a whole number; found "٣""#),
        Row(#""type": "number""#, "p=1000.50", gives: "[1000.50]"),
        Row(#""type": "number""#, "p=1e400", gives: "[1e400]"),
        Row(#""type": "number""#, "p=NaN", says: #"p takes a number; found "NaN""#),
        Row(#""type": "number""#, "p=1,5", says: #"p takes a number; found "1,5""#),
        Row(#""type": "boolean""#, "p=true", gives: "[true]"),
        Row(#""type": "boolean""#, "p=false", gives: "[false]"),
        Row(#""type": "boolean""#, "p=True", says: #"p takes true or false; found "True""#),
        Row(#""type": "boolean""#, "p=1", says: #"p takes true or false; found "1""#),
        Row(#""type": "json""#, #"p={"b": [1.0, null], "a": "é"}"#, gives: #"[{"b":[1.0,null],"a":"é"}]"#),
        Row(#""type": "json""#, "p=null", gives: "[null]"),
        Row(#""type": "json""#, "p=\"x\"", gives: #"["x"]"#),
        Row(
            #""type": "json""#, "p={",
            says: #"p takes JSON; found "{" (this "{" is never closed (line 1, column 1))"#),
        Row(#""type": "file""#, "p=photo.jpg", gives: #"["photo.jpg"]"#),
        Row(#""type": "file""#, "p=./endpoints/../photo.jpg", gives: #"["photo.jpg"]"#),
        Row(#""type": "file""#, "p=foto.jpg", says: #"p takes the path of an existing file; found "foto.jpg""#),
        Row(
            #""type": "file""#, "p@=photo.jpg",
            says:
                #"p takes the path of an existing file; found "jpeg" (to use "photo.jpg" itself as the value, write p=photo.jpg)"#
        ),
        Row(#""type": "file""#, "p=endpoints", says: #"p takes the path of an existing file; found "endpoints""#),
        // Defaults, and what else a param may say.
        Row(#""type": "integer", "default": 5"#, nil, gives: "[5]"),
        Row(#""type": "integer", "default": 5"#, "p=6", gives: "[6]"),
        Row(#""type": "integer", "default": 1e3"#, nil, gives: "[1000]"),
        Row(#""type": "number", "default": 1e3"#, nil, gives: "[1e3]"),
        Row(#""type": "string", "pattern": "[a-z]+", "default": "abc""#, nil, gives: #"["abc"]"#),
        Row(#""type": "json", "default": {"a": 1}"#, nil, gives: #"[{"a":1}]"#),
        Row(#""type": "boolean", "default": false"#, nil, gives: "[false]"),
        Row(#""type": "string", "default": """#, nil, gives: #"[""]"#),
        Row(#""type": "string", "required": true, "default": "d""#, nil, gives: #"["d"]"#),
        Row(#""type": "string", "required": false"#, nil, gives: "[]"),
        Row(#""type": "string""#, nil, says: #"e needs the param "p" (give it as p=…)"#),
        Row(
            #""type": "string", "description": "Who", "example": "Ada""#, nil,
            says: #"e needs the param "p" (Who) (give it as p=Ada)"#),
        Row(
            #""type": "string", "example": "Ada's cat""#, nil,
            says: ##"e needs the param "p" (give it as 'p=Ada'\''s cat')"##),
        Row(#""type": "string", "enum": ["asc", "desc"]"#, "p=asc", gives: #"["asc"]"#),
        Row(
            #""type": "string", "enum": ["asc", "desc"]"#, "p=ascending",
            says: #"p takes one of "asc", "desc"; found "ascending""#),
        Row(#""type": "number", "enum": [1, 2]"#, "p=1.0", gives: "[1.0]"),
        Row(#""type": "json", "enum": [{"b": 1, "c": [2]}]"#, #"p={"c":[2.0],"b":1}"#, gives: #"[{"c":[2.0],"b":1}]"#),
        Row(
            #""type": "json", "enum": [{"b": 1, "c": [2, 3]}, [null]]"#, #"p={"b":1,"c":[3,2]}"#,
            says: #"p takes one of {"b":1,"c":[2,3]}, [null]; found "{\"b\":1,\"c\":[3,2]}""#),
        Row(#""type": "integer", "minimum": 1, "maximum": 5"#, "p=1", gives: "[1]"),
        Row(#""type": "integer", "minimum": 1, "maximum": 5"#, "p=5", gives: "[5]"),
        Row(#""type": "integer", "minimum": 1, "maximum": 5"#, "p=0", says: #"p must be at least 1; found "0""#),
        Row(#""type": "integer", "minimum": 1, "maximum": 5"#, "p=6", says: #"p must be at most 5; found "6""#),
        Row(
            #""type": "number", "maximum": 0.3"#, "p=0.30000000000000004",
            says: #"p must be at most 0.3; found "0.30000000000000004""#),
        Row(#""type": "string", "pattern": "[a-z]+""#, "p=abc", gives: #"["abc"]"#),
        Row(
            #""type": "string", "pattern": "[a-z]+""#, "p=abc1",
            says: #"p takes text that matches "[a-z]+"; found "abc1""#),
        Row(
            #""type": "string", "pattern": "[a-z]+""#, "p=abc\nabc",
            says: #"p takes text that matches "[a-z]+"; found "abc\nabc""#),
        Row(#""type": "string", "pattern": "a|bc""#, "p=bc", gives: #"["bc"]"#),
        Row(
            #""type": "string", "pattern": "a|bc""#, "p=abc",
            says: #"p takes text that matches "a|bc"; found "abc""#),
        Row(
            #""type": "string", "pattern": ".+", "default": "x""#, "p=",
            says: #"p takes text that matches ".+"; found """#),
        Row(
            #""type": "string", "pattern": "\\p{Lu}.*", "secret": true"#, "p=hunter2",
            says: #"p takes text that matches "\\p{Lu}.*""#),
        // A value that nobody may see is not repeated.
        Row(#""type": "integer", "secret": true"#, "p=hunter2", says: "p takes a whole number"),
        Row(#""type": "string", "secret": true, "enum": ["a"]"#, "p=hunter2", says: #"p takes one of "a""#),
        Row(#""type": "json", "secret": true"#, "p={hunter2", says: "p takes JSON"),
        // From files.
        Row(#""type": "integer""#, "p@=-", gives: "[42]"),
        Row(#""type": "string""#, "p@=-", gives: #"["42\n"]"#),
        Row(#""type": "json""#, "p@=-", gives: "[42]"),
        Row(#""type": "string", "secret": true"#, "p@=-", gives: #"["42"]"#),
        Row(#""type": "string""#, "p@=photo.jpg", gives: #"["jpeg"]"#),
        Row(
            #""type": "string""#, "p@=nowhere.txt",
            says: #"cannot read "nowhere.txt", the value of p: there is no such file"#),
        Row(
            #""type": "string""#, "p@=endpoints",
            says: #"cannot read "endpoints", the value of p: it is a directory"#),
    ]

    @Test("A value is read as its type says", arguments: rows)
    func value(_ row: Row) throws {
        if let body = row.body {
            #expect(try row.scenario.wire().body == body)
        } else {
            let failure = try row.scenario.failure()
            #expect(failure.messages == [row.problem])
            #expect(failure.usage.count == 1)
        }
    }

    @Test("Every problem is told at once, and a param that has one is not told to be missing as well")
    func allAtOnce() throws {
        let failure = try Scenario(
            #"""
            {"path": "/{{id}}/{{name}}", "query": {"n": "{{count}}"},
             "params": {"id": {"type": "integer"}, "name": {"type": "string"}, "count": {"type": "number"}}}
            """#, "id=one", "nmae=x", "count=many"
        ).failure()
        #expect(
            failure.messages == [
                #"id takes a whole number; found "one""#,
                #"e has no param "nmae" (did you mean "name"?)"#,
                #"count takes a number; found "many""#,
                #"e needs the param "name" (give it as name=…)"#,
            ])
        #expect(failure.definitions.isEmpty)
    }

    @Test("An unknown param is told with what there is")
    func unknown() throws {
        #expect(try Scenario("{}", "x=1").failure().messages == [#"e has no param "x" (the endpoint has no params)"#])
        let endpoint = #"{"params": {"id": {"type": "string"}, "tenant": {"type": "string"}}}"#
        #expect(
            try Scenario(endpoint, "zzz=1", "id=", "tenant=").failure().messages == [
                #"e has no param "zzz" (params of the endpoint: id, tenant)"#
            ])
    }

    @Test("A pattern that is none is told at its place inside the string, where the param is given")
    func brokenPattern() throws {
        let endpoint = #"{"params": {"p": {"type": "string", "pattern": "\u00e9+⟦⟧["}}, "headers": {"X": "{{p}}"}}"#
        let scenario = Scenario(endpoint, "p=x")
        let failure = try scenario.failure()
        #expect(failure.usage.isEmpty)
        #expect(failure.definitions.map(\.code) == [.patternInvalid])
        #expect(failure.places == scenario.marks)
    }

    @Test("A default that the pattern doesn't describe is told at its place, where it would be used")
    func unfitDefault() throws {
        let endpoint = #"""
            {"params": {"p": {"type": "string", "pattern": "[0-9]{4}", "default": ⟦⟧"abc"}}, "path": "/x/{{p}}"}
            """#
        let scenario = Scenario(endpoint)
        let failure = try scenario.failure()
        #expect(failure.usage.isEmpty)
        #expect(failure.definitions.map(\.message) == [#""default" takes text that matches "[0-9]{4}"; found "abc""#])
        #expect(failure.places == scenario.marks)
        #expect(try Scenario(endpoint, "p=1234").wire().target == "/x/1234")
    }

    @Test("A whole number is written out for whoever decides by it, be it a default or a case's value")
    func wholeNumbers() throws {
        let endpoint = #"""
            {"params": {"n": {"type": "integer", "default": 1e3}}, "path": "/{{n}}",
             "query": {"s": {"$switch": "{{n}}", "1000": "thousand", "$default": "other"}}}
            """#
        #expect(try Scenario(endpoint).wire().target == "/1000?s=thousand")
        var scenario = Scenario(endpoint)
        scenario.arguments = [ParameterArgument(name: "n", source: .value(.number("10.00e2")))]
        #expect(try scenario.wire().target == "/1000?s=thousand")
    }

    @Test("A param that is given twice is an error")
    func twice() throws {
        let failure = try Scenario(#"{"params": {"a": {"type": "string"}}}"#, "a=1", "a=2").failure()
        #expect(failure.messages == ["a is given twice (keep one of the two values)"])
    }

    @Test("Standard input is read by one param alone")
    func standardInputOnce() throws {
        var scenario = Scenario(#"{"params": {"a": {"type": "string"}, "b": {"type": "string"}}}"#, "a@=-", "b@=-")
        scenario.stub = { $0.stub(standardInput: "x") }
        #expect(try scenario.failure().messages == ["b cannot read standard input: a already reads it"])
        scenario = Scenario(#"{"params": {"a": {"type": "string"}}}"#, "a@=-")
        scenario.stub = { $0.stub(standardInput: "x") }
        scenario.overrides = [CommandLineOverride(.bodyFile("-"), flag: "--body -")]
        #expect(try scenario.failure().messages == ["--body -: a already reads standard input"])
    }

    @Test("A file that is not text can't be a value")
    func notText() throws {
        var scenario = Scenario(#"{"params": {"a": {"type": "string"}}}"#, "a@=image.png")
        scenario.otherFiles["/w/image.png"] = [0x89, 0x50, 0xFF]
        #expect(try scenario.failure().messages == [#""image.png", the value of a, is not UTF-8 text"#])
    }

    @Test("A group's params are its endpoints', and an endpoint's own replaces the one of its name")
    func groupParams() throws {
        let defaults = #"{"params": {"a": {"type": "integer", "minimum": 5}, "b": {"type": "string"}}}"#
        let endpoint = #"{"params": {"a": {"type": "integer"}}, "path": "/{{a}}/{{b}}"}"#
        #expect(try Scenario(endpoint, defaults: defaults, "a=1", "b=2").wire().target == "/1/2")
    }

    @Test("A file param is seen from where it was typed, a default from the workspace's root")
    func filePath() throws {
        var scenario = Scenario(
            #"{"params": {"f": {"type": "file", "default": "default.txt"}}, "body": {"file": "{{f}}"}}"#, "f=mine.txt")
        scenario.folder = "/w/deep/down"
        scenario.files["deep/down/mine.txt"] = "1"
        scenario.files["default.txt"] = "2"
        #expect(try scenario.wire().body == "<mine.txt>")
        scenario.arguments = []
        #expect(try scenario.wire().body == "<../../default.txt>")
    }

    @Test("A name=value word is taken apart at the first =, and @= reads a file")
    func words() {
        #expect(ParameterArgument("a=b=c") == ParameterArgument(name: "a", source: .text("b=c")))
        #expect(ParameterArgument("a@=b=c") == ParameterArgument(name: "a", source: .file("b=c")))
        #expect(ParameterArgument("a=@b") == ParameterArgument(name: "a", source: .text("@b")))
        #expect(ParameterArgument("a=") == ParameterArgument(name: "a", source: .text("")))
        for word in ["a", "=b", "@=b", ""] { #expect(ParameterArgument(word) == nil, "\(word)") }
    }

    @Test("Those that a terminal can be asked for are the required ones without a value")
    func missing() throws {
        let memory = Scenario(
            #"""
            {"params": {"a": {"type": "string"}, "b": {"type": "string", "required": false},
                        "c": {"type": "string", "default": "x"}, "d": {"type": "string", "required": true, "default": "x"},
                        "e": {"type": "string"}}}
            """#
        ).memory
        let workspace = Workspace(root: "/w", currentFolder: "/w", files: memory.fileSystem)
        guard case .found(let endpoint) = workspace.endpoint("e").value else { return #expect(Bool(false)) }
        let given = [ParameterArgument(name: "e", source: .text(""))]
        #expect(Parameters.missing(from: given, of: endpoint).map(\.name) == ["a"])
    }
}
