import TestSupport
import Testing

@Suite("Using import: environments")
struct ImportEnvironmentTests {
    @Test("An import into a new folder makes it a workspace that uses the environment of the source")
    func start() async {
        let files = MemoryFiles(["shop.yaml": ImportUseTests.shop])
        let run = await reqcli("import", "openapi", "shop.yaml", files: files)
        #expect(run.status == 0 && run.output.contains("reqcli.json"), "\(run)")
        let texts = files.texts
        #expect(texts["/work/reqcli.json"]?.contains(#""environment": "production""#) == true)
        #expect(texts["/work/.gitignore"] == ".env\n")
        #expect(texts["/work/schema/endpoint.schema.json"] != nil)
        let reference = #""$schema": "../../schema/endpoint.schema.json""#
        #expect(texts["/work/endpoints/shop/orders.json"]?.contains(reference) == true)
        for command in [["list"], ["validate"], ["render", "shop.orders.list"]] {
            let next = await reqcli(command, files: files)
            #expect(next.status == 0, "\(next)")
        }
    }

    @Test("A second API with the same environments never sends its credentials to the servers of the first")
    func sameEnvironments() async {
        func environments(_ number: Int) -> String {
            #"{"prod": {"host": "https://prod\#(number).example", "token": "prod-token-\#(number)"}, "dev": {"host": "https://dev\#(number).example", "token": "dev-token-\#(number)"}}"#
        }
        let request = "GET {{host}}/me\nAuthorization: Bearer {{token}}\n"
        let files = MemoryFiles([
            "one/api.http": request, "one/http-client.env.json": environments(1), "two/api.http": request,
            "two/http-client.env.json": environments(2),
        ])
        let first = await reqcli("import", "one/api.http", "--into", "one", files: files)
        #expect(first.status == 0, "\(first)")
        let second = await reqcli("import", "two/api.http", "--into", "two", files: files)
        #expect(second.status == 2 && second.messages.contains("which would get credentials"), "\(second)")
        let again = await reqcli("import", "one/api.http", "--into", "one", "--force", files: files)
        #expect(again.status == 0, "\(again)")
        #expect(files.texts["/work/environments/prod.json"]?.contains("DEV") == false, "\(files.texts)")
    }

    @Test(
        "Without a name of the API, process variables begin with the name of their environment",
        arguments: [["ci"], ["ci", "staging"]])
    func variables(environments: [String]) async {
        let files = MemoryFiles(["smoke.hurl": "POST http://127.0.0.1:8080/login\n[Form]\npassword: {{password}}\n"])
        for name in environments { try? files.write(.text("password=\(name)-hunter2\n"), at: "/work/\(name).env") }
        let sources = ["smoke.hurl"] + environments.map { $0 + ".env" }
        let run = await reqcli(["import"] + sources, files: files)
        #expect(run.status == 0, "\(run)")
        for name in environments {
            let text = files.texts["/work/environments/\(name).json"] ?? ""
            #expect(text.contains(#""password": { "env": "\#(name.uppercased())_PASSWORD" }"#), "\(text)")
        }
    }

    @Test("An import without the environment that commands use says what to run")
    func environmentAdvice() async {
        let files = ImportUseTests.files()
        let run = await reqcli("import", "openapi", "shop.yaml", files: files)
        #expect(
            run.messages.contains(
                #"no environment is named "development": run "reqcli check --env production shop", "#
                    + #"or set "environment": "production" in reqcli.json"#), "\(run)")
        let none = MemoryFiles(["endpoints/a.json": #"{ "path": "/" }"#])
        let missing = await reqcli("render", "a", files: none)
        #expect(
            missing.messages.contains("the workspace has no environments; make environments/development.json"),
            "\(missing)")
        for words in [["render", "shop.users.list"], ["check"], ["export", "openapi"]] {
            let run = await reqcli(words, files: files)
            #expect(
                run.status == 2
                    && run.messages.contains(
                        #"available: production, staging; pass --env NAME, or choose one with "reqcli env use NAME""#),
                "\(run)")
        }
        #expect(await reqcli("render", "shop.users.list", "--env", "production", files: files).status == 0)
        let one = ImportUseTests.files("a", "curl http://h.example/a")
        #expect(await !reqcli("import", "a", files: one).messages.contains("no environment"))
    }
}
