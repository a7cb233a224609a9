import CommandLineKit
import Commands
import ReqcliText
import TestSupport
import Testing

struct InitTests {
    private static let made = [
        ".gitignore",
        "endpoints/todo.json", "environments/development.json", "environments/offline.json", "reqcli.json",
        "schema/endpoint.schema.json", "schema/environment.schema.json", "schema/load.schema.json",
        "schema/scenario.schema.json",
        "schema/settings.schema.json", "stubs/todo.list.standard.json",
    ]

    @Test("It makes a workspace in a new folder, and says what to try")
    func newFolder() async {
        let files = MemoryFiles(["/work": .folder])
        #expect(
            await reqcli("init", "my api", files: files)
                == Run(
                    status: 0,
                    output: """
                        made a workspace in my api
                          endpoints/todo.json            three example endpoints to replace with yours
                          environments/development.json  a server on this machine
                          environments/offline.json      no server: stubs respond
                          stubs/todo.list.standard.json  the body of one stub
                          schema/                        JSON Schemas of the format, for editors
                          .gitignore                     keeps .env out of git: it may hold secrets
                          reqcli.json                    makes offline the current environment

                        Try next
                          cd 'my api'
                          reqcli send todo.list
                          reqcli render todo.create 'title=Buy milk'
                          reqcli list
                          reqcli show todo.create

                        """, messages: ""))
        #expect(files.texts.keys.sorted() == Self.made.map { "/work/my api/\($0)" })
        #expect(files.paths.allSatisfy { !$0.contains("/.reqcli") })
    }

    @Test("What it makes is valid, is listed, and offline is in force")
    func valid() async {
        let files = MemoryFiles(["/work": .folder])
        _ = await reqcli("init", files: files)
        #expect(
            await reqcli("validate", files: files)
                == Run(status: 0, output: "ok: 3 endpoints, 2 environments in 3 files\n", messages: ""))
        #expect(await reqcli("list", "environments", files: files).output.contains("* offline "))
    }

    @Test("In a folder that holds other things it leaves them alone")
    func folderInUse() async {
        let files = MemoryFiles(["/work/README.md": "mine", "/work/src/main.c": "mine"])
        #expect(await reqcli("init", files: files).output.hasPrefix("made a workspace in this folder\n"))
        #expect(files.texts.keys.sorted() == (Self.made + ["README.md", "src/main.c"]).map { "/work/\($0)" }.sorted())
        #expect(files.texts["/work/README.md"] == "mine")
    }

    @Test("Its .gitignore keeps .env out of git", arguments: [(".", "/work"), ("new", "/work/new")])
    func ignored(_ folder: String, _ root: String) async {
        let files = MemoryFiles(["/work/README.md": "mine"])
        let run = await reqcli("init", folder, files: files)
        #expect(run.status == 0)
        #expect(run.messages.isEmpty)
        #expect(files.texts[root + "/.gitignore"] == ".env\n")
    }

    @Test("A .gitignore that exists is not changed, and a note says to add .env")
    func existingIgnoreFile() async {
        let files = MemoryFiles(["/work/.gitignore": .text("*.log\n.env.local\n"), "/work/a/.gitignore": .folder])
        let here = await reqcli("init", files: files)
        #expect(here.status == 0)
        #expect(!here.output.contains("gitignore"))
        #expect(
            here.messages
                == "note: \".gitignore\" already exists: add the line \".env\", because .env may hold secrets\n")
        #expect(files.texts["/work/.gitignore"] == "*.log\n.env.local\n")
        let below = await reqcli("init", "a", files: files)
        #expect(below.status == 0)
        #expect(below.messages.hasPrefix("note: \"a/.gitignore\" already exists: "))
    }

    @Test("A .gitignore that has .env needs no note", arguments: ["*.log\n.env\n", "/.env", "a\r\n.env\r\n"])
    func completeIgnoreFile(_ text: String) async {
        let files = MemoryFiles(["/work/.gitignore": text])
        let run = await reqcli("init", files: files)
        #expect(run.status == 0)
        #expect(run.messages.isEmpty)
        #expect(files.texts["/work/.gitignore"] == text)
    }

    @Test("An existing .gitignore survives a full disk", arguments: 0..<20)
    func fullBesideIgnoreFile(_ writes: Int) async {
        let files = MemoryFiles(["/work/.gitignore": "mine"])
        files.fill(after: writes)
        _ = await reqcli("init", files: files)
        #expect(files.texts["/work/.gitignore"] == "mine")
    }

    @Test("Beside a folder \"environments\" of something else, it works in a folder of its own")
    func foreignFolder() async {
        let files = MemoryFiles(["/work/environments/prod/main.tf": "mine"])
        let before = files.texts
        let here = await reqcli("init", files: files)
        #expect(here.status == 2)
        #expect(here.messages.contains("name another folder, \"reqcli init DIR\""))
        #expect(files.texts == before)
        #expect(await reqcli("init", "api", files: files).status == 0)
        #expect(await reqcli("-C", "api", "validate", files: files).output.hasPrefix("ok: 3 endpoints"))
        #expect(files.texts["/work/environments/prod/main.tf"] == "mine")
    }

    @Test("A link that leads nowhere is named, and nothing is made", arguments: [".gitignore", "endpoints"])
    func brokenLink(_ name: String) async {
        let files = MemoryFiles(["/work/\(name)": .link(to: "elsewhere")])
        let run = await reqcli("init", files: files)
        #expect(run.status == 2 && files.texts.isEmpty)
        #expect(
            run.messages == """
                error: "\(name)" is a link to a file that doesn't exist
                  remove the link, or create the missing file

                """)
    }

    // MARK: --from

    @Test("With --from it makes an endpoint for the URL and an environment for its server")
    func fromURL() async {
        let files = MemoryFiles(["/work": .folder])
        let run = await reqcli(
            "init", "--from", "https://api.example.com:8443/v1/users/42?a=1&b=x%20y+z&a=2#top", files: files)
        #expect(
            run
                == Run(
                    status: 0,
                    output: """
                        made a workspace in this folder
                          endpoints/users.json           GET /v1/users/42
                          environments/development.json  https://api.example.com:8443
                          schema/                        JSON Schemas of the format, for editors
                          .gitignore                     keeps .env out of git: it may hold secrets
                          reqcli.json                    makes development the current environment

                        Try next
                          reqcli send users
                          reqcli render users
                          reqcli list
                          reqcli show users

                        """, messages: ""))
        #expect(
            files.texts["/work/endpoints/users.json"] == """
                {
                  "$schema": "../schema/endpoint.schema.json",
                  "path": "/v1/users/42",
                  "query": {
                    "a": [
                      "1",
                      "2"
                    ],
                    "b": "x y z"
                  }
                }

                """)
        #expect(files.texts.keys.filter { $0.contains("stub") || $0.contains("offline") }.isEmpty)
        #expect(
            await reqcli("validate", files: files)
                == Run(status: 0, output: "ok: 1 endpoint, 1 environment in 2 files\n", messages: ""))
    }

    @Test(
        "The endpoint's request goes to the URL, and its id comes from the path",
        arguments: [
            ("https://api.example.com", "root", "https://api.example.com/"),
            ("HTTP://localhost:8080/", "root", "http://localhost:8080/"),
            ("http://[::1]:8080/a/b.json", "b", "http://[::1]:8080/a/b.json"),
            ("https://h.example/42/%C3%A9/7", "root", "https://h.example/42/%C3%A9/7"),
            ("https://h.example/users/?q={{x}}&flag", "users", "https://h.example/users/?q=%7B%7Bx%7D%7D&flag="),
            ("https://h.example/a{{b}}", "a", "https://h.example/a%7B%7Bb%7D%7D"),
            ("https://h.example?a=%2B", "root", "https://h.example/?a=%2B"),
        ])
    func fromOtherURL(_ url: String, _ id: String, _ sent: String) async {
        let files = MemoryFiles(["/work": .folder])
        #expect(await reqcli("init", "--from", url, files: files).status == 0)
        #expect(files.texts.keys.contains("/work/endpoints/\(id).json"), "\(files.texts.keys)")
        let curl = await reqcli("render", id, files: files).output
        #expect(curl.contains(" \(sent) ") || curl.contains(" '\(sent)' "), "\(curl)")
    }

    @Test(
        "A URL that --from can't use is an error that doesn't quote a password, and nothing is made",
        arguments: [
            ("api.example.com/users", "--from takes a URL that begins with http:// or https://"),
            ("ada:hunter2@api.example.com", "--from takes a URL that begins with http:// or https://"),
            ("ftp://ada:hunter2@api.example.com/users", "--from takes a URL that begins with http:// or https://"),
            ("", "--from takes a URL that begins with http:// or https://"),
            (
                "https://ada:hunter2@api.example.com/users",
                "--from takes a URL without a user and a password, because they would be written to a file"
            ),
            (
                "https://hunter2@h",
                "--from takes a URL without a user and a password, because they would be written to a file"
            ),
            (
                "https://ada:hunter2/x@h",
                "--from takes a URL without a user and a password, because they would be written to a file"
            ),
            (
                "https://h/x?page=2&api_key=hunter2",
                "--from: \"api_key\" in the query of the URL looks like a secret, which would be written to a file"
            ),
            (
                "https://h/x?a=ghp_hunter2hunter2",
                "--from: \"a\" in the query of the URL looks like a secret, which would be written to a file"
            ),
            (
                "https://h/ghp_hunter2hunter2/x",
                "--from: the path of the URL looks like a secret, which would be written to a file"
            ),
            ("https://", "--from: \"\" is not a host with an optional port"),
            ("https:///users", "--from: \"\" is not a host with an optional port"),
            ("http://h:0/", "--from: \"h:0\" is not a host with an optional port"),
            ("http://h:x/", "--from: \"h:x\" is not a host with an optional port"),
            ("http://a b/", "--from: \"a b\" is not a host with an optional port"),
            ("http://{{host}}/", "--from: \"{{host}}\" is not a host with an optional port"),
        ])
    func refusedURL(_ url: String, _ message: String) async {
        let files = MemoryFiles(["/work": .folder])
        let run = await reqcli("init", "--from", url, files: files)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.messages.hasPrefix("error: \(message)\n"), "\(run.messages)")
        #expect(!run.messages.contains("hunter2"))
        #expect(files.texts.isEmpty)
    }

    @Test("Anything in the way is an error, and nothing is made", arguments: ["stubs/a.json", "reqcli.json"])
    func inTheWay(_ path: String) async {
        let files = MemoryFiles(["/work/\(path)": "mine"])
        let before = files.texts
        let run = await reqcli("init", files: files)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(
            run.messages == """
                error: "\(path.prefix { $0 != "/" })" already exists
                  init replaces no files: name another folder, "reqcli init DIR"

                """)
        #expect(files.texts == before)
    }

    @Test("A second time everything is in the way")
    func twice() async {
        let files = MemoryFiles(["/work": .folder])
        _ = await reqcli("init", "demo", files: files)
        let before = files.texts
        let run = await reqcli("init", "demo", files: files)
        #expect(run.status == 2)
        #expect(run.messages.hasPrefix("error: \"demo/schema\", \"demo/stubs\", "))
        #expect(files.texts == before)
    }

    @Test("A file where the folder should be is an error")
    func notAFolder() async {
        let run = await reqcli("init", "demo", files: MemoryFiles(["/work/demo": ""]))
        #expect(run == Run(status: 2, output: "", messages: "error: \"demo\" is not a folder\n  name another folder\n"))
    }

    @Test("When the disk is full nothing is left behind", arguments: ["", "new"], 0..<20)
    func full(_ folder: String, _ writes: Int) async {
        let files = MemoryFiles(["/work/README.md": "mine"])
        files.fill(after: writes)
        let words = ["init"] + (folder.isEmpty ? [] : [folder])
        let messages = Written()
        let context = Context.test(files: files.fileSystem, writing: files.writing, messages: messages.output)
        let status = await Program.run(words, in: context)
        if status == .success {
            #expect(files.texts.count == Self.made.count + 1)
        } else {
            #expect(status == .outputFailed)
            #expect(messages.text.hasSuffix(": no space left on device\n"))
            #expect(files.texts == ["/work/README.md": "mine"])
        }
    }

    @Test("--workspace names the folder too, and DIR is seen from there")
    func workspaceOption() async {
        let files = MemoryFiles(["/work": .folder])
        #expect(await reqcli("-C", "a", "init", "b", files: files).status == 0)
        #expect(files.texts.keys.contains("/work/a/b/reqcli.json"))
    }
}
