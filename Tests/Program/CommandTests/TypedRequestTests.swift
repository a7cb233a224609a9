import CommandLineKit
import Commands
import ReqcliAssembly
import ReqcliText
import TestSupport
import Testing

/// Requests that are typed in place of an endpoint's id.
struct TypedRequestTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let words: [String]
        let curl: String

        init(_ words: String..., makes curl: String) {
            self.words = words
            self.curl = curl
        }

        var testDescription: String { words.joined(separator: " ") }
    }

    private static let agent = "-H 'User-Agent: reqcli/\(Program.version)'"
    private static let coding = "--compressed"
    private static let json = "-H 'Content-Type: application/json'"

    static let urls = [
        Row("https://h/users", makes: "https://h/users \(agent) \(coding)"),
        Row("https://h", makes: "https://h \(agent) \(coding)"),
        Row(
            "https://h:8443/a%2fb?q=a+b&flag&=x#part", makes: "'https://h:8443/a%2Fb?q=a+b&flag&=x' \(agent) \(coding)"),
        Row("https://h/a?\u{301}q#\u{301}b", makes: "'https://h/a?%CC%81q' \(agent) \(coding)"),
        Row("https://h/a b?q=é", makes: "'https://h/a%20b?q=%C3%A9' \(agent) \(coding)"),
        Row("localhost:8080/x", makes: "http://localhost:8080/x \(agent) \(coding)"),
        Row("127.0.0.1:80", makes: "http://127.0.0.1:80 \(agent) \(coding)"),
        Row("localhost/x", makes: "http://localhost/x \(agent) \(coding)"),
        Row(":8080/x", makes: "http://localhost:8080/x \(agent) \(coding)"),
        Row(":8080", makes: "http://localhost:8080 \(agent) \(coding)"),
        Row(":/x", makes: "http://localhost/x \(agent) \(coding)"),
        Row(
            "https://h/", "X-A:1", "X-A:2", "b==1", makes: "'https://h/?b=1' \(agent) -H 'X-A: 1' -H 'X-A: 2' \(coding)"
        ),
        Row(
            "https://h/", "Accept:text/plain;q=0.5",
            makes: "https://h/ \(agent) -H 'Accept: text/plain;q=0.5' \(coding)"),
        Row("https://h/", "Api-Key:c2VjcmV0==", makes: "https://h/ \(agent) -H 'Api-Key: c2VjcmV0==' \(coding)"),
        Row("https://h/", "api-key:a=@b", makes: "https://h/ \(agent) -H 'api-key: a=@b' \(coding)"),
        Row("https://h/", "X-A:2", "-H", "X-A: 1", makes: "https://h/ \(agent) -H 'X-A: 2' -H 'X-A: 1' \(coding)"),
        Row("https://h/", "Thing:a b", "User-Agent:", makes: "https://h/ -H 'Thing: a b' -H 'User-Agent:' \(coding)"),
        Row(
            "https://h/", "start:time=9",
            makes: #"https://h/ \#(agent) \#(json) \#(coding) --data-raw '{"start:time":"9"}'"#),
        Row("https://h/", "page==2", "page==a&b", makes: "'https://h/?page=2&page=a%26b' \(agent) \(coding)"),
        Row("https://h/?a=1", "b==2", makes: "'https://h/?a=1&b=2' \(agent) \(coding)"),
        Row("delete", "https://h/1", makes: "-X DELETE https://h/1 \(agent) \(coding)"),
        Row("M-SEARCH", "https://h/", makes: "-X M-SEARCH https://h/ \(agent) \(coding)"),
        Row(
            "https://h/", "name=Ada", "age:=36", "tags:=[\"a\"]", "name=Bo",
            makes: #"https://h/ \#(agent) \#(json) \#(coding) --data-raw '{"name":"Bo","age":36,"tags":["a"]}'"#),
        Row(
            "PUT", "https://h/", "a=", makes: #"-X PUT https://h/ \#(agent) \#(json) \#(coding) --data-raw '{"a":""}'"#),
        Row("https://h/", "a=b==c", makes: #"https://h/ \#(agent) \#(json) \#(coding) --data-raw '{"a":"b==c"}'"#),
        Row(
            "https://h/", "note@=/work/note.txt",
            makes: #"https://h/ \#(agent) \#(json) \#(coding) --data-raw '{"note":"hi\n"}'"#),
        Row(
            "https://h/", "--form", "a=1 2", "b:=true",
            makes: "https://h/ \(agent) \(coding) --data-raw 'a=1%202&b=true'"),
        Row(
            "https://h/", "--body", "x",
            makes: "https://h/ \(agent) -H 'Content-Type: text/plain; charset=utf-8' \(coding) --data-raw x"),
        Row(
            "https://h/", "a=1", "-H", "Content-Type: a/b",
            makes: #"https://h/ \#(agent) -H 'Content-Type: a/b' \#(coding) --data-raw '{"a":"1"}'"#),
        Row("/users", "--base-url", "http://h/api", makes: "http://h/users \(agent) \(coding)"),
    ]

    @Test("a URL with members and query items needs no workspace", arguments: urls)
    func url(_ row: Row) async {
        let files = MemoryFiles(["/work/note.txt": .text("hi\n")], currentFolder: "/work")
        let run = await Self.run(["render", "--one-line"] + row.words, files)
        #expect(run.status == .success && run.messages == "")
        #expect(run.output == "curl -q -sS \(row.curl)\n")
    }

    @Test("a line without a command's name is a request", arguments: urls.filter { !$0.words[0].hasPrefix("-") })
    func bare(_ row: Row) async {
        let files = MemoryFiles(["/work/note.txt": .text("hi\n")], currentFolder: "/work")
        // "delete" in small letters could be the name of a command.
        let isRequest = row.words[0] != "delete"
        let bare = await Self.run(row.words + ["--timeout", "x"], files)
        let sent = await Self.run(["send"] + row.words + ["--timeout", "x"], files)
        #expect(bare.status == .usage && (bare.messages == sent.messages) == isRequest)
    }

    @Test(
        "what could be the name of a command is none of a request",
        arguments: [["pings"], ["get", "https://h"], ["GET"], ["GET", "x"], ["a=b.c"], ["https"], ["--", "ping"]])
    func unknownCommand(_ words: [String]) async {
        let run = await Self.run(words, MemoryFiles([:], currentFolder: "/work"))
        #expect(run.status == .usage && run.messages.hasPrefix("error: unknown command"))
    }

    @Test("an id with a dot is sent, wherever its options are")
    func bareEndpoint() async {
        let files = Samples.files(adding: [
            "/work/endpoints/user.json":
                #"{ "endpoints": { "get": { "path": "/u", "params": { "page": { "type": "integer" } } } } }"#
        ])
        for words in [["user.get", "--stub"], ["-v", "user.get", "--stub", "--", "page==2"]] {
            let run = await Self.run(words, files)
            #expect(run.messages.contains("user.get has no stub variants"), "\(run)")
        }
    }

    @Test("page==2 behind an endpoint is page=2, unless the param is text")
    func equalsTwice() async {
        let files = Samples.files(adding: [
            "/work/endpoints/pages.json":
                #"{ "params": { "page": { "type": "integer" }, "word": { "type": "string" } }, "query": { "p": "{{page}}", "w": "{{word}}" } }"#
        ])
        let run = await Self.run(
            ["render", "--one-line", "pages", "page==2", "word==a", "--base-url", "http://h"], files)
        #expect(run.output.contains("'http://h?p=2&w=%3Da'"), "\(run)")
    }

    @Test("a path is below the environment's server, with its headers")
    func path() async {
        let files = Samples.files(adding: [
            "/work/environments/development.json":
                #"{ "baseURL": "http://localhost", "headers": { "X": "1", "Content-Type": "a/b" }, "query": { "k": "v" } }"#
        ])
        let get = await Self.run(["render", "--one-line", "/users", "a==1"], files)
        #expect(get.output == "curl -q -sS 'http://localhost/users?k=v&a=1' \(Self.agent) -H 'X: 1' \(Self.coding)\n")
        let post = await Self.run(["render", "--one-line", "POST", "/users", "a=1"], files)
        #expect(
            post.output
                == #"curl -q -sS 'http://localhost/users?k=v' \#(Self.agent) -H 'X: 1' \#(Self.json) \#(Self.coding) --data-raw '{"a":"1"}'"#
                + "\n")
    }

    @Test(
        "an endpoint's id stays one before a param or a stray word that holds a URL or a path",
        arguments: [["next=https://h/x"], ["next=/x"], ["https://h/x"], ["/x"], ["localhost:80"]])
    func endpointFirst(_ words: [String]) async {
        let files = Samples.files(adding: [
            "/work/endpoints/hook.json":
                #"{ "params": { "next": { "type": "string" } }, "query": { "n": "{{next}}" } }"#
        ])
        let run = await Self.run(["render", "--one-line", "hook"] + words, files)
        if words[0].hasPrefix("next=") {
            #expect(run.status == .success && run.output.contains("?n="))
        } else {
            #expect(run.status == .usage && run.messages.hasPrefix("error: \"\(words[0])\" is not NAME=VALUE\n"))
        }
    }

    @Test("with --env a URL has to be one of the environment's server")
    func otherServer() async {
        let files = Samples.files(adding: [
            "/work/environments/e.json": #"{ "baseURL": "https://own.example/api", "headers": { "X": "1" } }"#
        ])
        let own = await Self.run(["render", "--one-line", "https://OWN.example:443/x", "-e", "e"], files)
        #expect(own.status == .success && own.output.contains("-H 'X: 1'"))
        let other = await Self.run(["render", "https://other.example/x", "-e", "e"], files)
        #expect(other.status == .usage && other.output == "")
        #expect(
            other.messages == """
                error: https://other.example is not the server of the environment e
                  leave out --env to send without an environment, or write only the path

                """)
    }

    @Test(
        "a mistake is an error that says what to write",
        arguments: [
            (
                ["https://u:p@h/x"], "a URL on the command line cannot hold a user name or a password",
                "write them as --auth USER:PASSWORD, or use --netrc"
            ),
            (
                ["example.com/x"], "\"example.com/x\" is neither an endpoint's id nor a URL",
                "a URL has a scheme: https://example.com/x"
            ),
            (
                ["ada:hunter2@example.com/x"], "a URL on the command line cannot hold a user name or a password",
                "write them as --auth USER:PASSWORD, or use --netrc"
            ),
            (
                ["GET", "example.com/x"], "\"example.com/x\" is neither an endpoint's id nor a URL",
                "a URL has a scheme: https://example.com/x"
            ),
            (
                ["https://h", "https://i/x"], "a request has one URL; \"https://i/x\" is a second one",
                "run it once for each, write a list such as http://h/{a,b}, or compare them: reqcli diff URL URL"
            ),
            (["https://h", "password:=hunter2"], "password:= takes JSON", "for text write password=TEXT"),
            (["https://h", "n:=[1"], "n:= takes JSON; found \"[1\"", "for text write 'n=[1'"),
            (
                ["https://h", "n:=@a.json"], "n:= takes JSON; found \"@a.json\"",
                "for the text of a file write n@=a.json"
            ),
            (
                ["https://h", "{\"a\":1}"], "\"{\"a\":1}\" is not valid after a URL or a path",
                "write a whole body as --body TEXT"
            ),
            (
                ["https://h", "word"], "\"word\" is not valid after a URL or a path",
                "write name=text, name:=JSON, name==text for the query, Name:value for a header, or name@=FILE"
            ),
            (["https://h", "a=1", "--body", "x"], "--body and a=… contradict each other", "keep one of them"),
            (["https://h", "--form", "--body", "x"], "--body and --form contradict each other", "keep one of them"),
            (
                ["https://h", "--base-url", "http://i"], "--base-url and a URL contradict each other",
                "write only the path, such as /users"
            ),
            (
                ["ping", "--form"], "--form can only be used with a URL or a path; \"ping\" is an endpoint",
                "set \"form\" in the \"body\" of the endpoint's file"
            ),
        ])
    func mistake(_ words: [String], _ message: String, _ hint: String) async {
        let run = await Self.run(["render"] + words, MemoryFiles([:], currentFolder: "/work"))
        #expect(run.status == .usage && run.output == "")
        #expect(run.messages == "error: \(message)\n  \(hint)\nSee \"reqcli help render\".\n")
    }

    @Test("one member reads standard input, and a file that cannot be read is named")
    func files() async {
        let run = await Self.run(
            ["render", "https://h", "a@=-", "b@=-", "c@=gone.txt"], MemoryFiles(["/work": .folder]), input: "hi")
        #expect(run.status == .usage && run.output == "")
        #expect(
            run.messages == """
                error: b cannot read standard input: a already reads it
                error: cannot read "gone.txt", the value of c: there is no such file

                """)
        let one = await Self.run(["render", "--one-line", "https://h", "a@=-"], MemoryFiles(), input: "hi")
        #expect(
            one.output == #"curl -q -sS https://h \#(Self.agent) \#(Self.json) \#(Self.coding) --data-raw '{"a":"hi"}'"#
                + "\n")
    }

    @Test("an environment that responds from stubs has none for a path")
    func stubs() async {
        let files = Samples.files(adding: [
            "/work/environments/e.json": #"{ "baseURL": "http://h", "stubs": { "*": "standard" } }"#
        ])
        let run = await Self.run(["send", "/users", "-e", "e"], files)
        #expect(
            run.messages == """
                error: /users has no stub variants
                  only an endpoint in a file can have stub variants; choose an environment with a server

                """)
    }

    @Test("without a workspace a path has no server")
    func noServer() async {
        let run = await Self.run(["render", "/users"], MemoryFiles([:], currentFolder: "/work"))
        #expect(run.status == .usage)
        #expect(
            run.messages == """
                error: there is no workspace here, so /users has no server
                  write the whole URL, such as https://example.com/users, or run "reqcli init"

                """)
    }

    @Test("an endpoint needs no environment where --base-url names its server")
    func noEnvironment() async {
        let files = MemoryFiles(
            ["/work/endpoints": .folder, "/work/endpoints/ping.json": .text(#"{ "path": "ping" }"#)],
            currentFolder: "/work")
        let run = await Self.run(["render", "--one-line", "ping", "--base-url", "http://h/api"], files)
        #expect(run.status == .success && run.output == "curl -q -sS http://h/api/ping \(Self.agent) \(Self.coding)\n")
        #expect(await Self.run(["render", "ping"], files).status == .usage)
        #expect(await Self.run(["render", "ping", "--base-url", "http://h", "-e", "x"], files).status == .usage)
    }

    struct Outcome {
        let status: ReqcliText.ExitStatus
        let output: String
        let messages: String
    }

    @Test(
        "after an id, NAME==VALUE is a query item, or the value of a param of this name",
        arguments: [
            (["ping", "page==2"], "'http://localhost:8080/ping?page=2'"),
            (["ping", "page==2", "page==a&b", "q=="], "'http://localhost:8080/ping?page=2&page=a%26b&q='"),
            (["ping", "page==2", "-q", "page=1"], "'http://localhost:8080/ping?page=1&page=2'"),
            (["user.feed", "userID=1", "order==x"], "'http://localhost:8080/user/1/feed?order=x'"),
            (["text", "page==2"], "'http://localhost:8080/t?t=%3D2'"),
        ])
    func queryAfterID(_ words: [String], _ url: String) async {
        let text = #"{ "path": "/t", "query": { "t": "{{page}}" }, "params": { "page": { "type": "string" } } }"#
        let files = Samples.files(adding: ["/work/endpoints/text.json": text])
        let run = await Self.run(["render", "--one-line"] + words, files)
        #expect(run.status == .success && run.output.contains(" \(url) "), "\(run)")
        let explained = await Self.run(["explain"] + words, files)
        #expect(explained.status == .success, "\(explained)")
    }

    static func run(
        _ words: [String], _ files: MemoryFiles, input: String? = nil, piped: PipedInput = .nothing,
        answers: [String]? = nil, variables: [String: String] = [:]
    ) async -> Outcome {
        let (output, messages) = (Written(), Written())
        var context = Context.test(
            files: files.fileSystem, writing: files.writing, variables: variables, output: output.output,
            messages: messages.output)
        if let input { context.world.standardInput = { Array(input.utf8) } }
        context.world.pipedInput = { _ in piped }
        if let answers {
            context.terminal = .test(terminals: [.input, .error], answers: answers) { messages.output.write($0) }
        }
        let status = await Program.run(words, in: context)
        return Outcome(status: status, output: output.text, messages: messages.text)
    }
}
