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

    /// The effect of a call on the API.
    enum Effect: Sendable {
        /// Sends nothing.
        case looks
        /// Sends requests that only read.
        case reads
        /// Sends requests that may change something.
        case changes
    }

    let name: String
    let summary: String
    let arguments: [Argument]
    let effect: Effect
    /// The command that the tool is; nil if the server answers by itself.
    let command: String?

    init(
        _ name: String, as command: String?, _ summary: String, _ arguments: [Argument], effect: Effect = .looks
    ) {
        (self.name, self.command, self.summary, self.arguments) = (name, command, summary, arguments)
        self.effect = effect
    }

    static let all = [
        AgentTool(
            "list", as: "list", "The endpoints, scenarios and loads, in pages: id, method, path, description",
            [
                Argument(
                    name: "select", kind: .texts,
                    summary:
                        "Ids, groups (user), tags (tag:smoke), scenario:*, load:*; or environments alone. Default: all"),
                environment, Argument(name: "offset", kind: .count, summary: "The \"next\" of the page before"),
            ]),
        AgentTool(
            "show", as: "show", "One endpoint with its params, stubs and definition; or a scenario, or a load",
            [
                Argument(
                    name: "id", kind: .text, summary: "user.get, scenario:checkout, load:afternoon", isRequired: true)
            ]),
        AgentTool(
            "explain", as: "explain",
            "Where each part of an endpoint's request comes from: file, line, what it replaces",
            request),
        AgentTool(
            "render", as: "render",
            "The request of an endpoint as it would be sent, with secrets masked; sends nothing",
            request),
        AgentTool(
            "validate", as: "validate", "All mistakes in the files of the workspace, with places and hints",
            []),
        AgentTool(
            "read", as: nil, "A part of an earlier result that was too large",
            [
                Argument(name: "call", kind: .text, summary: "The \"call\" of that result", isRequired: true),
                Argument(name: "select", kind: .text, summary: "A JSONPath: $.diagnostics[0:5].message"),
                Argument(name: "offset", kind: .count, summary: "Give the JSON as text from this byte on"),
            ]),
        AgentTool(
            "send", as: "send",
            "Send an endpoint's GET, HEAD, OPTIONS or TRACE request, and what it needs; the response",
            request, effect: .reads),
        AgentTool(
            "change", as: "send",
            "Send a request that may change something, as far as the person who started the server allows",
            request, effect: .changes),
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

    /// The tools of a server. A server that allows no changes has no tool for them.
    static func offered(allowingChanges: Bool) -> [AgentTool] {
        all.filter { $0.effect != .changes || allowingChanges }
    }

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
                "readOnlyHint": .bool(effect != .changes), "destructiveHint": .bool(effect == .changes),
                "idempotentHint": .bool(effect != .changes), "openWorldHint": .bool(effect != .looks),
            ]),
        ])
    }
}
