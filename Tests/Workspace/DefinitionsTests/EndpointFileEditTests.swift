import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

/// A variant put into an endpoint file.
struct EndpointFileEditTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let before: String
        let after: String
        var path = "endpoints/a.json"
        var id = "a"
        var variant = "new"

        init(
            _ name: String, path: String = "endpoints/a.json", id: String = "a", variant: String = "new",
            _ before: String, _ after: String
        ) {
            testDescription = name
            (self.path, self.id, self.variant, self.before, self.after) = (path, id, variant, before, after)
        }
    }

    static let cases = [
        Case(
            "A single endpoint without stubs",
            """
            {
              "path": "/a"
            }

            """,
            """
            {
              "path": "/a",
              "stubs": {
                "variants": {
                  "new": {
                    "status": 404
                  }
                }
              }
            }

            """),
        Case(
            "An endpoint of a group, where short objects stay on a line", id: "a.get",
            """
            {
              "endpoints": {
                "get": {
                  "path": "/a", "headers": { "Accept": "*/*" }
                },
                "list": { "path": "/b" }
              }
            }
            """,
            """
            {
              "endpoints": {
                "get": {
                  "path": "/a", "headers": { "Accept": "*/*" }, "stubs": { "variants": { "new": { "status": 404 } } }
                },
                "list": { "path": "/b" }
              }
            }
            """),
        Case(
            "A group whose endpoint has a line for each key", id: "a.get",
            """
            {
              "endpoints": {
                "get": {
                  "headers": { "Accept": "*/*" },
                  "path": "/a"
                }
              }
            }
            """,
            """
            {
              "endpoints": {
                "get": {
                  "headers": { "Accept": "*/*" },
                  "path": "/a",
                  "stubs": {
                    "variants": {
                      "new": { "status": 404 }
                    }
                  }
                }
              }
            }
            """),
        Case(
            "No variants yet",
            """
            {
              "stubs": { "variants": {} },
              "path": "/a"
            }
            """,
            """
            {
              "stubs": { "variants": {
                "new": { "status": 404 }
              } },
              "path": "/a"
            }
            """),
        Case(
            "Variants on one line",
            #"{ "path": "/a", "stubs": { "variants": { "old": { "json": [] } }, "default": "old" } }"#,
            #"{ "path": "/a", "stubs": { "variants": { "old": { "json": [] }, "new": { "status": 404 } }, "default": "old" } }"#
        ),
        Case(
            "A file without a blank", #"{"path":"/a"}"#, #"{"path":"/a","stubs":{"variants":{"new":{"status":404}}}}"#),
        Case(
            "Comments, tabs, CR LF and trailing commas", path: "endpoints/a.jsonc",
            "// A\r\n{\r\n\t\"path\": \"/a\", // where\r\n\t\"stubs\": {\r\n\t\t\"variants\": {\r\n\t\t\t"
                + "\"old\": { \"json\": [] }, // nothing\r\n\t\t\t/* to be recorded */\r\n\t\t},\r\n\t},\r\n}\r\n",
            "// A\r\n{\r\n\t\"path\": \"/a\", // where\r\n\t\"stubs\": {\r\n\t\t\"variants\": {\r\n\t\t\t"
                + "\"old\": { \"json\": [] }, // nothing\r\n\t\t\t\"new\": { \"status\": 404 },\r\n\t\t\t"
                + "/* to be recorded */\r\n\t\t},\r\n\t},\r\n}\r\n"),
        Case(
            "The variant is there already", variant: "old",
            """
            {
              "stubs": { "variants": {
                "old" : { "text": "x", "like": "other" },
                "other": { "json": {} } } },
              "path": "/a" }
            """,
            """
            {
              "stubs": { "variants": {
                "old" : { "status": 404 },
                "other": { "json": {} } } },
              "path": "/a" }
            """),
        Case(
            "An id with folders", path: "endpoints/b/c.json", id: "b.c.get",
            #"{ "endpoints": { "get": { "path": "/a" } } }"#,
            #"{ "endpoints": { "get": { "path": "/a", "stubs": { "variants": { "new": { "status": 404 } } } } } }"#),
    ]

    @Test("The variant is inserted where it belongs, and the file stays what it was", arguments: cases)
    func insertion(_ edit: Case) throws {
        let workspace = Workspace.inMemory([(edit.path, edit.before)])
        let edited = try workspace.edit(
            settingVariant: edit.variant, to: .object(["status": 404]), of: try endpoint(edit.id, in: workspace))
        #expect(edited.path == edit.path)
        #expect(String(decoding: edited.before, as: UTF8.self) == edit.before)
        #expect(String(decoding: edited.after, as: UTF8.self) == edit.after)
        let reread = try endpoint(edit.id, in: .inMemory([(edit.path, edit.after)]))
        #expect(reread.definition.stubs?.variants[named: edit.variant]?.status == 404)
    }

    @Test(
        "A file that has changed since, so that it no longer fits, is refused",
        arguments: [
            ("{", "endpoints/a.json has changed since it was read"),
            ("[]", "endpoints/a.json has changed since it was read"),
            (#"{ "endpoints": { "b": { "path": "/" } } }"#, "endpoints/a.json has changed since it was read"),
            (nil, "endpoints/a.json no longer exists"),
        ])
    func changedMeanwhile(_ text: String?, _ reason: String) throws {
        let before = Workspace.inMemory([("endpoints/a.json", #"{ "endpoints": { "get": { "path": "/" } } }"#)])
        let endpoint = try endpoint("a.get", in: before)
        let after = Workspace.inMemory([(text == nil ? "endpoints/b.json" : "endpoints/a.json", text ?? "{}")])
        #expect {
            try after.edit(settingVariant: "new", to: .object([]), of: endpoint)
        } throws: {
            ($0 as? EditProblem)?.reason == reason
        }
    }

    @Test("A draft is read, found and resolved as if it were written")
    func drafts() throws {
        let files = MemoryFiles([
            "/work/a": .bytes([1]), "/work/link": .link(to: "/elsewhere"), "/elsewhere": .bytes([2]),
        ])
        let draft = files.fileSystem.with(drafts: ["/work/link": [3], "/work/new/b": [4, 5]])
        #expect(try draft.read("/work/a", 10) == [1])
        #expect(try draft.read("/work/link", 10) == [3])
        #expect(draft.resolve("/work/link") == "/work/link")
        #expect(draft.resolve("/work/new") == "/work/new")
        #expect(draft.resolve("/work/new/b") == "/work/new/b")
        #expect(draft.kind("/work/new") == .directory)
        #expect(draft.kind("/work/new/b") == .file)
        #expect(draft.kind("/work/none") == nil)
        #expect(throws: FileProblem(.tooLarge(limit: 1))) { try draft.read("/work/new/b", 1) }
    }

    private func endpoint(_ id: String, in workspace: Workspace) throws -> LocatedEndpoint {
        let lookup = workspace.endpoint(id)
        try #require(lookup.diagnostics.isEmpty, "\(lookup.diagnostics.map(\.message))")
        guard case .found(let endpoint) = lookup.value else { throw FileProblem(.missing) }
        return endpoint
    }
}
