import ReqcliAssembly
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText
import TestSupport
import Testing

@Suite("Functions in placeholders")
struct FunctionValueTests {
    private static let environment = #"""
        {"baseURL": "http://h", "variables": {"tenant": "acme", "pair": "ada:{{secret.token}}", "id": "{{$random.hex 8}}"},
         "secrets": {"token": {"env": "TOKEN"}}}
        """#

    private static func scenario(_ endpoint: String, _ arguments: String...) -> Scenario {
        var scenario = Scenario(endpoint, environment: environment)
        scenario.arguments = arguments.compactMap { ParameterArgument($0) }
        scenario.stub = { world in
            world.stub(variables: ["TOKEN": "fish9876abcd"])
            world.clock.date = { 1_772_368_200.75 }
            let draws = Counter()
            world.random = { [UInt8(draws.next())] }
        }
        return scenario
    }

    @Test("Functions work in the path, the query, headers and bodies, and keep types in JSON")
    func places() throws {
        let wire = try Self.scenario(
            #"""
            {"method": "POST", "params": {"name": {"type": "string"}, "price": {"type": "number"}, "term": {"type": "string", "required": false}},
             "path": "/{{name | upper}}/x", "query": {"q": "{{term | default 'all & more'}}", "none": "{{term | upper}}"},
             "headers": {"X-Date": "{{$now | date 'EEE, dd MMM yyyy HH:mm:ss'}} GMT"},
             "body": {"json": {"sum": "{{price | times 1.19 | round 2}}", "list": "{{tenant | split 'c'}}", "none": "{{term | trim}}",
                               "long": {"$switch": "{{name | length}}", "3": "three", "$default": "more"}}}}
            """#, "name=a b", "price=10"
        ).wire()
        #expect(wire.target == "/A%20B/x?q=all%20%26%20more")
        #expect(wire.headers.contains("X-Date: Sun, 01 Mar 2026 12:30:00 GMT"))
        #expect(wire.body == #"{"sum":11.90,"list":["a","me"],"long":"three"}"#)
    }

    @Test("A variable is made once, and a placeholder elsewhere each time")
    func once() throws {
        let wire = try Self.scenario(
            #"{"headers": {"A": "{{id}}", "B": "{{id}}", "C": "{{$random.hex 8}}", "D": "{{$random.hex 8}}"}}"#
        ).wire()
        let values = wire.headers.map { $0.suffix(8) }
        #expect(values[0] == values[1] && Set(values).count == 3)
    }

    @Test("A file is read below the workspace, and other files need permission")
    func file() throws {
        var scenario = Self.scenario(#"{"body": {"text": "{{file 'a.bin' | hex}}"}}"#)
        scenario.otherFiles = ["/w/a.bin": [0, 255], "/etc/key": [1]]
        #expect(try scenario.wire().body == "00ff")
        scenario.files["endpoints/e.json"] = #"{"body": {"text": "{{file '../etc/key' | hex}}"}}"#
        scenario.stub = { $0.permits = { _, _ in .refused } }
        #expect(try scenario.failure().messages.joined().contains("etc/key"))
        scenario.files["endpoints/e.json"] = #"{"body": {"text": "{{file 'b' | hex}}"}}"#
        #expect(try scenario.failure().messages.joined().contains("there is no file \"b\" to send"))
    }

    @Test("An unset variable of the process is missing for default, and a problem without it")
    func processVariable() throws {
        #expect(try Self.scenario(#"{"headers": {"A": "{{$env.GONE | default 'x'}}"}}"#).wire().headers == ["A: x"])
        let messages = try Self.scenario(#"{"headers": {"A": "{{$env.GONE | upper}}"}}"#).failure().messages.joined()
        #expect(messages.contains("the environment variable GONE is not set"))
    }

    @Test(
        "What is made from a secret is a secret, also through variables and params",
        arguments: [
            "{{secret.token | upper}}", "{{secret.token | slice 2 9}}", "{{pair | hex}}",
            "{{tenant | hmacSHA256 secret.token | hex}}",
            "{{p | sha256 | base64}}", "{{tenant | replace 'a' secret.token}}", "{{term | default secret.token}}",
            "{{secret.token | split '9' | last}}", "{{login.key | upper}}",
            "{{login.open | default secret.token | upper}}",
        ])
    func secrets(_ value: String) throws {
        var scenario = Self.scenario(
            #"""
            {"params": {"p": {"type": "string", "secret": true}, "term": {"type": "string", "required": false}},
             "needs": {"login": "login"}, "headers": {"A": "\#(value)", "T": "{{secret.token}}"}}
            """#, "p=crab9876abcd")
        scenario.files["endpoints/login.json"] =
            #"{"capture": {"key": {"json": "$.k", "secret": true}, "open": {"json": "$.o"}}}"#
        scenario.captures = ["login": ["key": "captured9876", "open": "fish9876abcd"]]
        scenario.secretCaptures = ["login": ["key"]]
        let assembled = try scenario.assembled()
        let sent = try #require(Wire(assembled).headers.first).dropFirst(3)
        #expect(!assembled.redactor.redact(String(sent)).contains(sent), "\(sent)")
        for text in [String(sent), sent.uppercased() == sent ? String(sent) : "", "\"\(sent)\"", "x=\(sent)&y"]
        where !text.isEmpty {
            #expect(!assembled.redactor.redact(text).contains(sent))
        }
        let explained = Explanation(assembled).json.compact
        #expect(!explained.contains(sent), "\(explained)")
    }

    @Test("An explanation has the functions as written beside the value that they make")
    func explained() throws {
        let assembled = try Self.scenario(
            #"""
            {"method": "POST", "params": {"price": {"type": "number"}}, "path": "/{{tenant | upper}}",
             "headers": {"A": "{{price | times 1.19}} EUR", "M": "{{tenant | hmacSHA256 secret.token | hex}}", "T": "{{tenant}}"},
             "body": {"json": {"s": "{{price | text | replace '\\'' '\"'}}", "t": ["{{tenant}}"]}}}
            """#, "price=10"
        ).assembled()
        let rows = Explanation(assembled).rows
        func functions(_ part: String) -> [String]? {
            rows.first { $0.part == part }?.standing.flatMap(\.functions)
        }
        #expect(functions("path") == ["{{tenant | upper}}"])
        #expect(functions("header A") == ["{{price | times 1.19}}"])
        #expect(functions("header M") == ["{{tenant | hmacSHA256 secret.token | hex}}"])
        #expect(functions("body") == [#"{{price | text | replace '\'' '"'}}"#])
        #expect(functions("header T") == [] && functions("host") == [])
        let json = Explanation(assembled).json.compact
        #expect(
            json.contains(
                #""value":"11.9 EUR","layer":"endpoint e","origin":"\#(rows.first { $0.part == "header A" }?.standing[0].origin ?? "")","functions":["{{price | times 1.19}}"]"#
            ), "\(json)")
    }

    @Test("A literal in a function that is a secret is masked in an explanation")
    func explainedSecret() throws {
        let assembled = try Self.scenario(
            #"{"headers": {"A": "{{tenant | replace 'a' 'fish9876abcd'}}", "T": "{{secret.token}}"}}"#
        ).assembled()
        let row = try #require(Explanation(assembled).rows.first { $0.part == "header A" })
        #expect(row.standing[0].functions == ["{{tenant | replace 'a' '<secret.token>'}}"])
    }

    @Test("What is made from other values is no secret")
    func open() throws {
        let assembled = try Self.scenario(#"{"headers": {"A": "{{tenant | upper}}", "T": "{{secret.token}}"}}"#)
            .assembled()
        #expect(assembled.secrets.map(\.name) == ["token"])
    }

    @Test("A problem of a function shows no value")
    func problem() throws {
        let failure = try Self.scenario(#"{"headers": {"A": "{{secret.token | fromHex | utf8}}"}}"#).failure()
        let message = failure.messages.joined()
        #expect(
            message.contains(#""{{secret.token | fromHex | utf8}}": fromHex takes pairs of hex digits"#), "\(message)")
        #expect(!message.contains("fish"))
    }

    @Test("A request with functions over the time is valid only now, and one with random values once")
    func durability() throws {
        #expect(try Self.scenario(#"{"headers": {"A": "{{$now | unix}}"}}"#).assembled().durability == .momentary)
        #expect(try Self.scenario(#"{"headers": {"A": "{{$random.int 1 6}}"}}"#).assembled().durability == .unique)
        #expect(try Self.scenario(#"{"headers": {"A": "{{tenant | upper}}"}}"#).assembled().durability == .repeatable)
    }
}
