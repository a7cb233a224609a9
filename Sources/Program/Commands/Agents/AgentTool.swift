import ReqcliText

/// A tool that an agent can call: a row of the table.
struct AgentTool: Sendable {
    /// An argument of a tool.
    struct Argument: Sendable {
        enum Kind: Sendable {
            case text
            case texts
            case values
            case count
        }

        let name: String
        let kind: Kind
        let summary: String
        var isRequired = false

        var schema: OrderedJSON {
            let summary = OrderedJSON.string(summary)
            return switch kind {
            case .text: .object(["type": "string", "description": summary])
            case .texts: .object(["type": "array", "items": .object(["type": "string"]), "description": summary])
            case .values: .object(["type": "object", "description": summary])
            case .count: .object(["type": "integer", "minimum": 0, "description": summary])
            }
        }
    }

    let name: String
    let summary: String
    let arguments: [Argument]
    /// Whether the tool is the command of its name; otherwise the server answers by itself.
    var isCommand = true

    static let all = [
        AgentTool(
            name: "list", summary: "The endpoints, scenarios and loads, in pages: id, method, path, description",
            arguments: [
                Argument(
                    name: "select", kind: .texts,
                    summary:
                        "Ids, groups (user), tags (tag:smoke), scenario:*, load:*; or environments alone. Default: all"),
                environment, Argument(name: "offset", kind: .count, summary: "The \"next\" of the page before"),
            ]),
        AgentTool(
            name: "show", summary: "One endpoint with its params, stubs and definition; or a scenario, or a load",
            arguments: [
                Argument(
                    name: "id", kind: .text, summary: "user.get, scenario:checkout, load:afternoon", isRequired: true)
            ]),
        AgentTool(
            name: "explain",
            summary: "Where each part of an endpoint's request comes from: file, line, what it replaces",
            arguments: request),
        AgentTool(
            name: "render",
            summary: "The request of an endpoint as it would be sent, with secrets masked; sends nothing",
            arguments: request),
        AgentTool(
            name: "validate", summary: "All mistakes in the files of the workspace, with places and hints",
            arguments: []),
        AgentTool(
            name: "read", summary: "A part of an earlier result that was too large",
            arguments: [
                Argument(name: "call", kind: .text, summary: "The \"call\" of that result", isRequired: true),
                Argument(name: "select", kind: .text, summary: "A JSONPath: $.diagnostics[0:5].message"),
                Argument(name: "offset", kind: .count, summary: "Give the JSON as text from this byte on"),
            ], isCommand: false),
    ]

    private static let environment = Argument(
        name: "env", kind: .text, summary: "An environment that the server allows")
    private static let request = [
        Argument(name: "endpoint", kind: .text, summary: "The endpoint's id: user.get", isRequired: true),
        Argument(
            name: "params", kind: .values,
            summary: "Values by the param's name, or by need.capture; a list for a param of that type"),
        environment,
    ]

    static func named(_ name: String) -> AgentTool? { all.first { $0.name == name } }

    /// The tool as `tools/list` has it.
    var json: OrderedJSON {
        let required = arguments.filter(\.isRequired).map { OrderedJSON.string($0.name) }
        return .object([
            "name": .string(name), "description": .string(summary),
            "inputSchema": .object([
                "type": "object", "properties": .object(arguments.map { .init($0.name, $0.schema) }),
                "required": required.isEmpty ? nil : .array(required), "additionalProperties": .bool(false),
            ]),
            "annotations": .object([
                "readOnlyHint": .bool(true), "destructiveHint": .bool(false), "idempotentHint": .bool(true),
                "openWorldHint": .bool(false),
            ]),
        ])
    }
}
