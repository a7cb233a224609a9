import Foundation
import TestSupport
import Testing

@Suite("Using import: formats, choices and reports")
struct ImportUseTests {
    static let shop = """
        openapi: 3.1.0
        info: { title: Shop, version: 1.0.0 }
        servers: [ { url: 'https://api.shop.example', description: Production }, { url: 'https://s.shop.example', description: Staging } ]
        paths:
          /orders:
            get: { operationId: orders/list, summary: All, tags: [orders], responses: { 200: { description: ok } } }
            post: { operationId: orders/create, tags: [orders], responses: { 201: { description: ok } } }
          /users:
            get: { operationId: users/list, tags: [users], responses: { 200: { description: ok } } }
        """

    static func files(_ name: String = "shop.yaml", _ text: String = shop) -> MemoryFiles {
        MemoryFiles(["reqcli.json": "{}", name: text])
    }

    // MARK: Formats

    @Test(
        "Words after -- are a curl command, with and without the format",
        arguments: [["--"], ["curl", "--"], ["--as", "user.get", "--"]])
    func typedCommand(_ words: [String]) async {
        let files = Self.files()
        let command = ["curl", "https://api.example.com/users/7", "-H", "Accept: text/plain"]
        let run = await reqcli(["import"] + words + command, files: files)
        #expect(run.status == 0, "\(run)")
        #expect(files.texts.values.contains { $0.contains("text/plain") }, "\(files.texts)")
    }

    @Test(
        "What can't be the name of a format or a file says what to do",
        arguments: [
            (["opnapi", "shop.yaml"], #"there is no format and no file "opnapi""#, #"did you mean "openapi"?"#),
            (["swagger", "shop.yaml"], #"there is no format and no file "swagger""#, #"did you mean "openapi"?"#),
            (
                ["postman", "shop.yaml"], "shop.yaml is of the format openapi, not postman",
                "run: reqcli import openapi shop.yaml"
            ),
            (
                ["openapi", "--", "curl", "http://h"],
                "the words after -- are a curl command; found \"openapi\" before --",
                "import either the command or the file"
            ),
            (
                ["shop.yaml", "--", "curl", "http://h"],
                "the words after -- are a curl command; found \"shop.yaml\" before --",
                "import either the command or the file"
            ),
        ])
    func wrongWords(_ words: [String], _ message: String, _ hint: String) async {
        let run = await reqcli(["import"] + words, files: Self.files())
        #expect(run.status == 2 && run.messages.contains("error: \(message)") && run.messages.contains(hint), "\(run)")
    }

    @Test(
        "A source without anything to import says what it is",
        arguments: [
            (["curl"], "standard input is empty", "name a file, or pipe the text in"),
            (["hurl"], "standard input is empty", "run: reqcli import ./hurl"),
            (["curl", "text"], "found no request in text", "curl reads curl commands"),
            (["http", "text"], "found no request in text", "http reads .http and .rest files"),
            (["--", "wget", "http://h"], #"the words after -- begin with "wget""#, "import -- curl"),
            (["empty"], "the folder empty has no files", "hidden files"),
            (["curl", "https://api.example.com/x"], "curl takes a command, not a URL", "import -- curl"),
            (["http", "a.hurl"], "a.hurl is of the format hurl, not http", "run: reqcli import hurl a.hurl"),
            (["hurl", "a.http"], "a.http is of the format http, not hurl", "run: reqcli import http a.http"),
            (
                ["a.http", "a.hurl"], "a.http is of the format http, and a.hurl is of the format hurl",
                "import the files of each format separately"
            ),
            (
                ["shop.yaml", "a.hurl"], "shop.yaml is of the format openapi, and a.hurl is of the format hurl",
                "import the files of each format separately"
            ),
        ])
    func nothing(_ words: [String], _ message: String, _ hint: String) async {
        let files = MemoryFiles([
            "reqcli.json": "{}", "shop.yaml": Self.shop, "text": "hello world", "empty/.hidden": "x",
            "hurl/a.hurl": "GET http://h/a\n", "a.hurl": "GET http://h/a\nHTTP 200\n", "a.http": "GET http://h/a\n",
        ])
        let before = files.texts
        let run = await reqcli(["import"] + words, files: files, input: " \n")
        #expect(run.status == 2 && run.messages.contains("error: \(message)") && run.messages.contains(hint), "\(run)")
        #expect(files.texts == before)
    }

    @Test(
        "A source of a kind that import doesn't read says what it is and what to do",
        arguments: [
            (#"{"clientName": "Thunder Client", "requests": []}"#, "a collection of Thunder Client", "Collection v2.1"),
            (
                #"{"v": 6, "name": "a", "folders": [], "requests": []}"#, "a collection of Hoppscotch",
                "import curl NEW_FILE"
            ),
            (#"[{"v": 2, "name": "a", "folders": [], "requests": []}]"#, "a collection of Hoppscotch", "as curl"),
            (
                #"{"id": "1", "name": "a", "order": ["2"], "requests": [{"id": "2", "url": "http://h"}]}"#,
                "Postman in the format v1", "Collection v2.1"
            ),
            (#"{"asyncapi": "3.0.0"}"#, "AsyncAPI", "OpenAPI"), ("asyncapi: 3.0.0\ninfo: {}\n", "AsyncAPI", "OpenAPI"),
            ("<!DOCTYPE html>\n<html><body>curl http://h</body></html>", "an HTML page", "Raw"),
            ("\u{1F}\u{8B}", "compressed with gzip", "gunzip 'a b'"), ("PK\u{3}\u{4}x", "a ZIP archive", "unzip 'a b'"),
            ("\u{FF}\u{FE}{\0", "UTF-16", "iconv -f UTF-16 -t UTF-8 'a b' > NEW_FILE"),
            ("\u{FE}\u{FF}\0{", "UTF-16", "iconv -f UTF-16 "), ("{\0\"\0", "UTF-16", "iconv -f UTF-16LE "),
            ("\0{\0\"", "UTF-16", "iconv -f UTF-16BE "),
        ])
    func foreign(_ text: String, _ message: String, _ hint: String) async throws {
        // Each scalar is a byte.
        let bytes = text.unicodeScalars.map { UInt8($0.value) }
        let files = MemoryFiles(["reqcli.json": "{}"])
        try files.write(.bytes(bytes), at: "/work/a b")
        for format in [[], ["postman"], ["openapi"], ["insomnia"]] {
            let run = await reqcli(["import"] + format + ["a b"], files: files)
            #expect(
                run.status == 2 && run.messages.contains("error: a b is ") && run.messages.contains(message), "\(run)")
            #expect(run.messages.contains(hint), "\(run)")
        }
    }

    @Test("A folder of Postman is read with its hidden folders, and without other hidden files")
    func hiddenFolders() async {
        let files = MemoryFiles([
            "reqcli.json": "{}", "p/.resources/definition.yaml": "$kind: collection\nname: Shop\n",
            "p/.other/b.request.yaml": "$kind: http-request\nurl: http://h/b\n",
            "p/a.request.yaml": "$kind: http-request\nurl: http://h/a\n",
        ])
        let run = await reqcli("import", "p", files: files)
        #expect(run.status == 0 && run.output.contains("shop.a") && !run.output.contains("shop.b"), "\(run)")
    }

    @Test("The format of a text without a name is that of its content, whatever an extension would say")
    func unnamed() async {
        for format in ["http", "hurl"] {
            let run = await reqcli("import", format, files: Self.files(), input: "GET http://h/a\n")
            #expect(run.status == 0, "\(run)")
        }
        let folder = MemoryFiles(["reqcli.json": "{}", "f/a.http": "GET http://h/a\n", "f/b.hurl": "GET http://h/b\n"])
        #expect(await reqcli("import", "http", "f", files: folder).status == 0)
    }

    @Test("A file may have the name of no format")
    func fileOfSuchAName() async {
        let run = await reqcli("import", "swagger", files: Self.files("swagger"))
        #expect(run.status == 0, "\(run)")
    }

    @Test("A mistake in a Hurl file is told with its place, even if the file could begin a .http file")
    func brokenHurl() async {
        let run = await reqcli("import", "hurl", "a.txt", files: Self.files("a.txt", "POST http://h/p\n[[[["))
        #expect(run.status == 3 && run.messages.contains("a.txt:2:"), "\(run)")
    }

    @Test("A mistake in the JSON of a collection is told with its place")
    func brokenJSON() async {
        let text = #"{ "info": { "name": "Shop" }, "item": [ { "name": "a", "request": "http://h/a" "x": 1 } ] }"#
        let run = await reqcli("import", "c.json", files: Self.files("c.json", text))
        #expect(run.status == 3 && run.messages.contains("c.json:1:79: error: "), "\(run)")
        #expect(!run.messages.contains("cannot tell the format"))
    }

    // MARK: Choice

    @Test(
        "--only that selects nothing is an error that says what there is",
        arguments: [
            (["tag:nope"], #"--only "tag:nope" selects no request of the source"#, "tags: orders, users"),
            (["nope"], #"--only "nope" selects no request"#, "names: orders/create, orders/list, users/list"),
            (["tag:users", "orders/lst"], #"--only "orders/lst" selects no request"#, #"did you mean "orders/list"?"#),
            (["tag:users", "GET /nope"], #"--only "GET /nope" selects no request"#, ""),
        ])
    func only(_ selectors: [String], _ message: String, _ hint: String) async {
        let files = Self.files()
        let run = await reqcli(
            ["import", "openapi", "shop.yaml"] + selectors.flatMap { ["--only", $0] }, files: files)
        #expect(run.status == 2 && run.messages.contains(message))
        #expect(hint.isEmpty || run.messages.contains(hint), "\(run)")
        #expect(files.texts.count == 2)
    }

    // MARK: Updates

    @Test("An update names the endpoints that have changed, and no others")
    func changedEndpoints() async throws {
        let files = Self.files()
        #expect(await reqcli("import", "openapi", "shop.yaml", files: files).status == 0)
        let same = await reqcli("import", "--update", "--json", files: files)
        #expect(same.output.replacing(" ", with: "").replacing("\n", with: "").contains(#""endpoints":[]"#), "\(same)")
        let source = Self.shop.replacing("summary: All", with: "summary: Every one")
        try files.write(.text(source), at: "/work/shop.yaml")
        let run = await reqcli("import", "--update", files: files)
        #expect(run.output.contains("shop.orders.list\n") && !run.output.contains("shop.orders.create"), "\(run)")
        try files.write(.text(source.replacing("orders/create", with: "orders/add")), at: "/work/shop.yaml")
        let renamed = await reqcli("import", "--update", "--json", files: files)
        let ids = ["shop.orders.create", "shop.orders.add"]
        #expect(ids.allSatisfy(renamed.output.contains) && !renamed.output.contains("shop.users"), "\(renamed)")
    }

    @Test("The update of several imports is one report, and names what it is about")
    func severalUpdates() async throws {
        let files = Self.files()
        #expect(await reqcli("import", "shop.yaml", "--only", "tag:orders", "--into", "a", files: files).status == 0)
        #expect(await reqcli("import", "shop.yaml", "--only", "tag:users", "--into", "b", files: files).status == 0)
        // The second import has found environments, and its first update leaves them and its record alone.
        let before = files.texts
        let run = await reqcli("import", "--update", files: files)
        #expect(
            run.status == 0 && run.output == "nothing to change for the import a\nnothing to change for the import b\n")
        #expect(files.texts == before)
        try files.write(.text(Self.shop.replacing("summary: All", with: "summary: Every one")), at: "/work/shop.yaml")
        let json = await reqcli("import", "--update", "--json", files: files)
        let report = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        #expect(report?["endpoints"] as? [String] == ["a.orders.list"], "\(json)")
        try files.write(.text("x"), at: "/work/shop.yaml")
        let broken = await reqcli("import", "--update", files: files)
        #expect(broken.messages.contains("The update of imports/a.json stopped here."), "\(broken)")
    }

    @Test("An environment of another server keeps it, and gets none later; a note says so")
    func otherServer() async throws {
        let own = #"{ "auth": { "bearer": "{{secret.own}}" }, "secrets": { "own": { "env": "OWN" } } }"#
        let mine = #"{ "baseURL": "https://mine.example" }"#
        let files = MemoryFiles([
            "reqcli.json": "{}", "shop.yaml": Self.shop, "environments/production.json": mine,
            "environments/staging.json": own,
        ])
        let run = await reqcli("import", "shop.yaml", files: files)
        #expect(run.status == 0 && run.messages.contains(#"(production: "https://api.shop.example")"#), "\(run)")
        #expect(run.messages.contains(#"(staging: "https://s.shop.example")"#), "\(run)")
        let same = await reqcli("import", "--update", files: files)
        #expect(same.output == "nothing to change\n", "\(same)")
        #expect(files.texts["/work/environments/staging.json"]?.contains("baseURL") == false)
    }

    @Test("Values that were written to .env are not asked for, and the report has the file")
    func savedSecrets() async throws {
        let source = "curl https://api.example.com/a -H 'Authorization: Bearer named-token-1' -H \"X-Api-Key: $KEY\""
        let files = MemoryFiles(["reqcli.json": "{}", "a": source, ".gitignore": ".env\n"])
        let run = await reqcli("import", "curl", "a", "--save-secrets", files: files)
        #expect(run.status == 0 && run.output.contains(".env") && !run.messages.contains("EXAMPLE_TOKEN"), "\(run)")
        #expect(run.messages.contains("set KEY for the secret"), "\(run)")
        #expect(files.texts["/work/.env"] == "EXAMPLE_TOKEN='named-token-1'\n")
        let other = MemoryFiles(["reqcli.json": "{}", "a": source, ".gitignore": ".env\n"])
        let json = await reqcli("import", "curl", "a", "--save-secrets", "--json", files: other)
        #expect(json.output.contains(#""path": ".env""#) && !json.output.contains("named-token"), "\(json)")
    }

    @Test("Redirects are noted only where the environment doesn't follow them", arguments: [true, false])
    func redirects(follows: Bool) async {
        let files = MemoryFiles([
            "reqcli.json": "{}",
            "c.json": #"{"info": {"name": "Shop"}, "item": [{"name": "a", "request": "http://h/a"}]}"#,
            "environments/development.json": #"{ "redirects": { "follow": \#(follows) } }"#,
        ])
        let run = await reqcli("import", "postman", "c.json", files: files)
        #expect(run.status == 0 && run.messages.contains("follows redirects") == !follows, "\(run)")
    }

    @Test(
        "The account in a URL is used for the kind of authentication that curl is told to use",
        arguments: [
            ("--digest", "digest"), ("--anyauth", "any"), ("--basic", "basic"), ("--location", "basic"),
            ("--ntlm", nil), ("--negotiate", nil),
        ] as [(String, String?)])
    func accountInURL(_ flag: String, _ kind: String?) async throws {
        let files = MemoryFiles(["reqcli.json": "{}"])
        let run = await reqcli(
            "import", "--as", "a", "--", "curl", flag, "http://ada:lovelace-1815@h.example/", files: files)
        #expect(run.status == 0, "\(run)")
        let text = try #require(files.texts["/work/endpoints/a.json"])
        let auth = ["basic", "digest", "any"].filter { text.contains("\"\($0)\": {") }
        #expect(auth == [kind].compactMap(\.self), "\(text)")
        #expect(!files.texts.values.contains { $0.contains("lovelace-1815") })
    }

    @Test(
        "curl's signature becomes auth.aws only for AWS",
        arguments: [
            ("aws:amz:eu:svc", true), ("AWS:AMZ", true), ("goog:storage:eu:svc", false), ("aws:osc:eu:svc", false),
        ])
    func signature(_ scope: String, _ isForAWS: Bool) async throws {
        let files = MemoryFiles(["reqcli.json": "{}"])
        let words = ["import", "--as", "a", "--", "curl", "-u", "AKID:lovelace-1815", "--aws-sigv4", scope]
        let run = await reqcli(words + ["https://svc.eu.h.example/"], files: files)
        let text = try #require(files.texts["/work/endpoints/a.json"])
        #expect(run.status == 0 && text.contains(#""aws": {"#) == isForAWS, "\(text)")
        #expect(run.messages.contains("only signatures for AWS are converted") != isForAWS, "\(run)")
        #expect(isForAWS || !text.contains("basic"), "\(text)")
        #expect(!files.texts.values.contains { $0.contains("lovelace-1815") })
    }

    @Test("The password of a client certificate is in no file and in no message")
    func certificatePassword() async throws {
        let sources = [
            (["--", "curl", "--cert", "client.pem:lovelace-1815", "https://h.example/"], ""),
            (["hurl", "a.hurl"], "GET https://h.example/\n[Options]\ncert: client.pem:lovelace-1815\n"),
        ]
        for (words, text) in sources {
            let files = MemoryFiles(["reqcli.json": "{}", "client.pem": "", "a.hurl": text])
            let run = await reqcli(["import", "--as", "a"] + words, files: files)
            #expect(run.status == 0, "\(run)")
            let made = files.texts.filter { $0.key != "/work/a.hurl" }.map(\.value) + [run.output, run.messages]
            #expect(!made.contains { $0.contains("lovelace-1815") }, "\(made)")
            #expect(files.texts["/work/endpoints/a.json"]?.contains(#""cert": "client.pem""#) == true, "\(made)")
        }
    }

    /// Sources that state a password inside a body.
    static let bodiesWithPasswords: [(name: String, words: [String], source: String)] = {
        let form =
            "--b\\r\\nContent-Disposition: form-data; name=\"user\"\\r\\n\\r\\nada\\r\\n--b\\r\\n"
            + "Content-Disposition: form-data; name=\"password\"\\r\\n\\r\\nlovelace-1815\\r\\n--b--\\r\\n"
        let type = "multipart/form-data; boundary=b"
        let login = #"mutation { login(user: \"ada\", password: \"lovelace-1815\") { id } }"#
        let har = """
            {"log": {"version": "1.2", "creator": {"name": "a", "version": "1"}, "entries": [{"request": {"method": "POST",
            "url": "https://h.example/", "headers": [{"name": "Content-Type", "value": "\(type)"}],
            "postData": {"mimeType": "\(type)", "text": "\(form.replacing("\"", with: "\\\""))"}},
            "response": {"status": 200, "headers": [], "content": {"mimeType": "application/json", "text": "{}"}}}]}}
            """
        return [
            (
                "a form in curl", ["curl", "a.sh"],
                "curl https://h.example/ -H 'Content-Type: \(type)' --data-raw $'\(form)'"
            ),
            ("a form in HAR", ["har", "a.har"], har),
            (
                "GraphQL in curl", ["curl", "a.sh"],
                "curl https://h.example/ -H 'Content-Type: application/json' -d '{\"query\": \"\(login)\"}'"
            ),
            (
                "GraphQL as text", ["curl", "a.sh"],
                "curl https://h.example/ -H 'Content-Type: application/graphql' -d '\(login.replacing("\\", with: ""))'"
            ),
            (
                "GraphQL in JSON as text", ["curl", "a.sh"],
                "curl https://h.example/ -H 'Content-Type: text/plain' -d '{\"query\": \"\(login)\"}'"
            ),
        ]
    }()

    @Test("A password inside a body is a secret of that name", arguments: bodiesWithPasswords)
    func passwordInBody(_ name: String, _ words: [String], _ source: String) async throws {
        let files = MemoryFiles(["reqcli.json": "{}", words[1]: source])
        let run = await reqcli(["import"] + words, files: files)
        #expect(run.status == 0, "\(run)")
        let made = files.texts.filter { $0.key != "/work/\(words[1])" }.map(\.value)
        #expect(!(made + [run.output, run.messages]).contains { $0.contains("lovelace") }, "\(made) \(run)")
        #expect(made.contains { $0.contains("{{secret.password}}") }, "\(made)")
    }

    @Test("A secret of several lines, which .env can't hold, is told about")
    func secretOfSeveralLines() async throws {
        let files = MemoryFiles(["reqcli.json": "{}", ".gitignore": ".env"])
        let run = await reqcli(
            "import", "--save-secrets", "--as", "a", "--", "curl", "-H", "X-Api-Key: plain-1815", "-d",
            "password=a%0Ab", "https://h.example/", files: files)
        #expect(run.status == 0, "\(run)")
        #expect(files.texts["/work/.env"]?.contains("plain-1815") == true, "\(run)")
        #expect(
            run.messages.contains("for the secret password: it has several lines, which .env can't hold"), "\(run)")
    }

    @Test("A conflict points to the unit in the file")
    func conflictPlace() async throws {
        let files = Self.files()
        #expect(await reqcli("import", "openapi", "shop.yaml", files: files).status == 0)
        let path = "/work/endpoints/shop/orders.json"
        let text = try #require(files.texts[path])
        try files.write(.text(text.replacing(#""All""#, with: #""Mine""#)), at: path)
        try files.write(.text(Self.shop.replacing("summary: All", with: "summary: Theirs")), at: "/work/shop.yaml")
        let run = await reqcli("import", "--update", files: files)
        let line = text.split(separator: "\n").firstIndex { $0.contains("description") }.map { $0 + 1 } ?? 0
        #expect(run.status == 1 && run.messages.contains("endpoints/shop/orders.json:\(line):7: note: "), "\(run)")
        #expect(await reqcli("import", "--update", files: files).status == 0, "A conflict is told once.")
    }

    // MARK: Stubs

    @Test("An endpoint whose stubs have no expected status proves that its expectation can fail")
    func unexpectedStubs() async throws {
        let source = """
            openapi: 3.1.0
            info: { title: Shop, version: 1.0.0 }
            servers: [ { url: 'https://api.shop.example' } ]
            paths:
              /a:
                get: { operationId: a/list, tags: [a], responses: { 200: { description: ok, content: { application/json: { example: [] } } },
                  404: { description: none, content: { application/json: { example: {} } } } } }
              /b:
                get: { operationId: a/create, tags: [a], responses: { 201: { description: ok },
                  302: { description: elsewhere, content: { application/json: { example: {} } } } } }
              /c:
                get: { operationId: a/replace, tags: [a], responses: { 204: { description: ok },
                  303: { description: elsewhere, content: { application/json: { example: {} } } } } }
            """
        let files = Self.files("shop.yaml", source)
        #expect(await reqcli("import", "openapi", "shop.yaml", files: files).status == 0)
        let text = try #require(files.texts["/work/endpoints/shop/a.json"])
        #expect(text.components(separatedBy: #""expect": "fail""#).count == 3, "\(text)")
        let run = await reqcli("validate", files: files)
        #expect(run.status == 0, "\(run)")
    }

    // MARK: Notes and help

    @Test("A note names the headers of a browser that a recording loses")
    func browserHeaders() async {
        let har = """
            {"log": {"entries": [{"request": {"method": "POST", "url": "https://h.example/a", "headers": [
            {"name": "Sec-Fetch-Mode", "value": "cors"}, {"name": "DNT", "value": "1"}, {"name": "X-A", "value": "1"}]}},
            {"request": {"method": "POST", "url": "https://h.example/b", "headers": [
            {"name": "sec-fetch-mode", "value": "cors"}, {"name": "TE", "value": "trailers"}]}}]}}
            """
        let run = await reqcli("import", "har", "a.har", files: Self.files("a.har", har))
        #expect(
            run.messages.contains("headers that a browser adds are left out (Sec-Fetch-Mode, DNT, TE)"), "\(run)")
    }

    @Test("Rows of help keep their columns where they go on in another line")
    func helpColumns() async {
        let run = await reqcli("import", "--help")
        #expect(
            run.output.contains(
                "    har      HAR files: recordings of browsers and proxies, and single requests\n             in this format\n"
            ),
            "\(run.output)")
        let export = await reqcli("export", "--help")
        #expect(
            export.output.contains(
                "    'user.get/NAME'  endpoints with a check of this name; for check, only that\n"
                    + "                     check\n"), "\(export.output)")
    }

    @Test("\"deprecated\" is a tag of an operation, and no group of its own")
    func deprecated() async {
        let source = """
            {"openapi": "3.1.0", "info": {"title": "Pet Store"}, "servers": [{"url": "https://h"}], "paths": {
              "/pets": {"get": {"operationId": "listPets", "deprecated": true, "responses": {"200": {}}}},
              "/owners": {"get": {"operationId": "listOwners", "responses": {"200": {}}}}}}
            """
        let files = MemoryFiles(["api.json": source])
        let run = await reqcli("import", "api.json", files: files)
        #expect(run.status == 0 && !files.texts.keys.contains { $0.contains("deprecated") }, "\(run)")
        #expect(files.texts.values.contains { $0.contains("\"deprecated\"") })
    }
}
