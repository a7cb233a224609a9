import Definitions
import SourceText

/// The workspace that `init` makes: small, and working without a server.
enum StarterWorkspace {
    struct File {
        /// Seen from the root.
        let path: String
        let bytes: [UInt8]

        init(_ path: String, _ text: String) {
            self.path = path
            bytes = Array((text + "\n").utf8)
        }
    }

    /// The entries of the root; `endpoints`, which makes a folder a workspace, comes last.
    static let topLevel = ["schema", "stubs", "environments", "reqcli.json", "endpoints"]

    static let files =
        [
            File("endpoints/todo.json", endpoints),
            File("environments/development.json", development),
            File("environments/offline.json", offline),
            File("stubs/todo.list.standard.json", standardList),
            File("reqcli.json", settings),
        ]
        + FormatSchema.allCases.map { File("schema/\($0.rawValue).schema.json", $0.json.pretty) }

    /// The file of this name in the root; nil for a folder.
    static func file(_ name: String) -> [UInt8]? { files.first { $0.path == name }?.bytes }

    /// The list of what was made, as `init` prints it.
    static let parts = [
        (name: "endpoints/todo.json", meaning: "three endpoints to change into yours"),
        (name: "environments/development.json", meaning: "a server on this machine"),
        (name: "environments/offline.json", meaning: "no server at all: stubs answer"),
        (name: "stubs/todo.list.standard.json", meaning: "what one of them says"),
        (name: "schema/", meaning: "what editors know the format from"),
        (name: "reqcli.json", meaning: "says that offline is in force"),
    ]

    /// Lines worth trying, each of which works without a server.
    static let firstSteps = [
        ["send", "todo.list"], ["render", "todo.create", "title=Buy milk"], ["list"], ["show", "todo.create"],
    ].map { "\(Program.name) \(ShellWord.line($0))" }

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
          "description": "No server at all: every endpoint answers from its stub",
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
              "description": "All of them, or those in one state",
              "path": "/todos",
              "tags": ["smoke"],
              "params": {
                "completed": { "type": "boolean", "required": false, "description": "Only those that are, or aren't" }
              },
              "query": { "completed": "{{completed}}" },
              "expect": { "status": 200, "json": { "$": { "type": "array" } } },
              "stubs": {
                "default": "standard",
                "variants": {
                  "standard": { "description": "Two of them", "file": "todo.list.standard.json" },
                  "empty": { "description": "Nothing to do", "json": [] }
                }
              }
            },
            "get": {
              "description": "One of them",
              "path": "/todos/{{id}}",
              "params": {
                "id": { "type": "integer", "minimum": 1, "example": 1, "description": "Which one" }
              },
              "checks": [
                {
                  "name": "the first one is there",
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
              "description": "One more",
              "method": "POST",
              "path": "/todos",
              "params": {
                "title": { "type": "string", "example": "Buy milk", "description": "What to do" }
              },
              "body": { "json": { "title": "{{title}}", "completed": false } },
              "checks": [
                {
                  "name": "comes back with an id",
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
