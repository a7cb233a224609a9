import ReqcliDefinitions
import TestSupport
import Testing

@testable import Commands

/// A workspace in which one file, of any kind, is only half saved.
struct CutWorkspaceTests {
    static let files = [
        "reqcli.json": #"{"environment": "dev"}"#,
        "endpoints/a.json": """
        {"defaults": {"params": {"p": {"type": "string", "default": "x"}}}, "endpoints": {
          "get": {"path": "/{{p}}", "headers": {"A": "{{v}}"}, "expect": {"schema": "schemas/s.json", "snapshot": true},
            "stubs": {"variants": {"ok": {"json": {"id": 1}}}}},
          "described": {"path": "/b", "expect": {"openapi": {"file": "api.yaml"}}, "stubs": {"variants": {"ok": {"file": "b.json"}}}}}}
        """,
        "endpoints/b.jsonc":
            "// one\\n{\"path\": \"/c\", /* two */ \"query\": {\"q\": [1, null,]}, \"checks\": [{\"name\": \"n\", \"with\": {}}]}",
        "environments/dev.json": #"{"baseURL": "http://h", "variables": {"v": "w"}, "secrets": {"s": {"env": "S"}}}"#,
        "scenarios/s.json":
            #"{"steps": [{"call": "a.get", "capture": {"id": {"json": "$.id"}}, "expect": {"status": 200}}]}"#,
        "schemas/s.json":
            ##"{"type": "object", "$defs": {"a": {"enum": ["x", 1.5e3]}}, "properties": {"id": {"type": "integer"}}}"##,
        "snapshots/a.get.json": #"{"status": 200, "body": {"id": 1}}"#, "stubs/b.json": #"{"a": ["\u00e9\n", {}]}"#,
        "api.yaml": """
        openapi: 3.0.3
        info: {title: "t", version: '1'}
        paths:
          /b:
            get:
              responses:
                "200":
                  content:
                    application/json: {schema: &s {type: object, required: [a]}}
                    text/plain: {schema: *s}
        """,
        ".env": "S='secret'\nexport T=\"a\\\"b\"\n",
    ]

    @Test("Each command tells about a file that is cut off at any byte, and goes on", arguments: files.keys.sorted())
    func cuts(_ name: String) async throws {
        let whole = Array(try #require(Self.files[name]).utf8)
        let others = [["list"], ["check", "--stub", "--list"], ["render", "a.get"]]
        let completions = [["3", "send", "a.get", "-e", ""], ["2", "check", "a."]].map { ["__complete", "bash"] + $0 }
        for count in whole.indices {
            let files = MemoryFiles(Self.files)
            try files.write(.bytes(Array(whole[..<count])), at: "/work/" + name)
            // What serve reads again after a save.
            let workspace = Workspace(root: "/work", currentFolder: "/work", files: files.fileSystem)
            let source = ServedSource(selection: Selection([]), environment: nil, stubs: [], rest: nil, isStrict: false)
            let loaded = try? source.load(workspace, Context.test(files: files.fileSystem))
            #expect(loaded == nil || loaded?.environment == "dev")
            // The others read as validate does: one of them is tried at each byte, and in `make fuzz` all.
            let tried = RandomInputs.areMany ? others : [others[count % others.count]]
            for words in completions + [["validate"]] + tried {
                let run = await reqcli(words, files: files)
                #expect([0, 1, 2, 3].contains(run.status), "\(words) at \(count): \(run)")
            }
        }
    }
}
