import ReqcliDefinitions
import ReqcliText

/// The workspace that `init` makes.
struct StarterWorkspace {
    struct File {
        /// The path from the root.
        let path: String
        let bytes: [UInt8]

        init(_ path: String, _ text: String) {
            self.path = path
            bytes = Array((text + "\n").utf8)
        }
    }

    /// A line of the output of `init`, and the files that this line is about.
    struct Part {
        let name: String
        let meaning: String
        let files: [File]

        init(_ name: String, _ meaning: String, _ files: [File]) {
            self.name = name
            self.meaning = meaning
            self.files = files
        }

        /// A part with one file. The name of the part is also the name of the file.
        init(_ name: String, _ meaning: String, text: String) {
            self.init(name, meaning, [File(name, text)])
        }
    }

    var parts: [Part]
    /// Command lines to try first.
    let firstSteps: [String]

    var files: [File] { parts.flatMap(\.files) }

    /// The entries of the root; `endpoints`, which makes a folder a workspace, comes last.
    var topLevel: [String] {
        ["schema", "stubs", "environments", DotEnvFile.ignoreFile, "reqcli.json", "endpoints"].filter { name in
            files.contains { $0.path == name || $0.path.hasPrefix(name + "/") }
        }
    }

    /// The file of this name in the root; nil for a folder.
    func file(_ name: String) -> [UInt8]? { files.first { $0.path == name }?.bytes }
}

// MARK: - The example

extension StarterWorkspace {
    /// Endpoints for things to do, which work without a server.
    static let todo = StarterWorkspace(
        parts: [
            Part("endpoints/todo.json", "three example endpoints to replace with yours", text: endpoints),
            Part("environments/development.json", "a server on this machine", text: development),
            Part("environments/offline.json", "no server: stubs respond", text: offline),
            Part("stubs/todo.list.standard.json", "the body of one stub", text: standardList),
            schemas, ignored,
            Part("reqcli.json", "makes offline the current environment", text: settings),
        ],
        firstSteps: [
            ["send", "todo.list"], ["render", "todo.create", "title=Buy milk"], ["list"], ["show", "todo.create"],
        ].map { "\(Program.name) \(ShellQuoting.line($0))" })

    static let schemas = Part(
        "schema/", "JSON Schemas of the format, for editors",
        FormatSchema.allCases.map { File("schema/\($0.rawValue).schema.json", $0.json.pretty) })

    static let ignored = Part(
        DotEnvFile.ignoreFile, "keeps .env out of git: it may hold secrets", text: DotEnvFile.name)

    private static let settings = """
        {
          "$schema": "schema/settings.schema.json",
          "environment": "offline"
        }
        """

    private static let development = """
        {
          "$schema": "../schema/environment.schema.json",
          "description": "A server on this machine",
          "baseURL": "http://localhost:8080",
          "headers": { "Accept": "application/json" },
          "timeout": "30s"
        }
        """

    private static let offline = """
        {
          "$schema": "../schema/environment.schema.json",
          "description": "No server: every endpoint responds from its stub",
          "extends": "development",
          "stubs": { "*": "standard" }
        }
        """

    private static let standardList = """
        [
          { "id": 1, "title": "Buy milk", "completed": false },
          { "id": 2, "title": "Write a letter", "completed": true }
        ]
        """

    private static let endpoints = """
        {
          "$schema": "../schema/endpoint.schema.json",
          "description": "Things to do",
          "endpoints": {
            "list": {
              "description": "List all items, or only completed or only open items",
              "path": "/todos",
              "tags": ["smoke"],
              "params": {
                "completed": { "type": "boolean", "required": false, "description": "true for completed items, false for open items" }
              },
              "query": { "completed": "{{completed}}" },
              "expect": { "status": 200, "json": { "$": { "type": "array" } } },
              "stubs": {
                "default": "standard",
                "variants": {
                  "standard": { "description": "Two items", "file": "todo.list.standard.json" },
                  "empty": { "description": "No items", "json": [] }
                }
              }
            },
            "get": {
              "description": "One item",
              "path": "/todos/{{id}}",
              "params": {
                "id": { "type": "integer", "minimum": 1, "example": 1, "description": "The id of the item" }
              },
              "checks": [
                {
                  "name": "the first item exists",
                  "with": { "id": 1 },
                  "expect": { "status": 200, "json": { "$.id": 1, "$.title": { "type": "string" } } }
                }
              ],
              "stubs": {
                "default": "standard",
                "variants": {
                  "standard": { "json": { "id": 1, "title": "Buy milk", "completed": false } },
                  "missing": { "status": 404, "expect": "fail" }
                }
              }
            },
            "create": {
              "description": "Add an item",
              "method": "POST",
              "path": "/todos",
              "params": {
                "title": { "type": "string", "example": "Buy milk", "description": "The text of the item" }
              },
              "body": { "json": { "title": "{{title}}", "completed": false } },
              "checks": [
                {
                  "name": "the new item has an id",
                  "with": { "title": "Buy milk" },
                  "expect": { "status": 201, "json": { "$.id": { "type": "integer" } } }
                }
              ],
              "stubs": {
                "default": "standard",
                "variants": {
                  "standard": { "status": 201, "json": { "id": 3, "title": "Buy milk", "completed": false } }
                }
              }
            }
          }
        }
        """
}
