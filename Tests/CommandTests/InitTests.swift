import CommandLineKit
import Commands
import TestSupport
import Testing

struct InitTests {
    private static let made = [
        "endpoints/todo.json", "environments/development.json", "environments/offline.json", "reqcli.json",
        "schema/endpoint.schema.json", "schema/environment.schema.json", "schema/settings.schema.json",
        "stubs/todo.list.standard.json",
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
                          endpoints/todo.json            three endpoints to change into yours
                          environments/development.json  a server on this machine
                          environments/offline.json      no server at all: stubs answer
                          stubs/todo.list.standard.json  what one of them says
                          schema/                        what editors know the format from
                          reqcli.json                    says that offline is in force

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

    @Test("Anything in the way is an error, and nothing is made", arguments: ["stubs/a.json", "reqcli.json"])
    func inTheWay(_ path: String) async {
        let files = MemoryFiles(["/work/\(path)": "mine"])
        let before = files.texts
        let run = await reqcli("init", files: files)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(
            run.messages == """
                error: "\(path.prefix { $0 != "/" })" is there already
                  a workspace is made only where none of its files are: name another folder, "reqcli init DIR"

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
        #expect(run == Run(status: 2, output: "", messages: "error: \"demo\" is not a folder\n  name another one\n"))
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
