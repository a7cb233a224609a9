import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// The arguments of a call that fit the tool's row, and the words of the command line that they become.
struct ToolWords {
    private let tool: AgentTool
    private let given: JSONValue?

    /// - Throws: A message for the agent, if an argument is unknown, missing, or of another type.
    init(_ tool: AgentTool, _ given: JSONValue?) throws(ToolProblem) {
        self.tool = tool
        self.given = given
        guard let given else {
            try requireAll()
            return
        }
        guard given.kind == .object else { throw ToolProblem("\"arguments\" must be an object") }
        for member in given.members {
            guard let argument = tool.arguments.first(where: { $0.name == member.name }) else {
                let names = tool.arguments.map(\.name)
                throw ToolProblem(
                    "\(tool.name) has no argument \"\(TerminalText.harmless(member.name))\"",
                    hint: names.isEmpty ? "leave it out" : "it has \(names.joined(separator: ", "))")
            }
            try Self.check(member.value, argument)
        }
        try requireAll()
    }

    private func requireAll() throws(ToolProblem) {
        for argument in tool.arguments where argument.isRequired && given?[argument.name] == nil {
            throw ToolProblem("\(tool.name) needs \"\(argument.name)\"", hint: argument.summary)
        }
    }

    private static func check(_ value: JSONValue, _ argument: AgentTool.Argument) throws(ToolProblem) {
        let isFit =
            switch argument.kind {
            case .text: value.kind == .string
            case .texts: value.kind == .array && value.elements.allSatisfy { $0.kind == .string }
            case .values: value.kind == .object
            case .count: value.kind == .number && (Int(value.numberText) ?? -1) >= 0
            }
        if isFit { return }
        let expected =
            switch argument.kind {
            case .text: "a string"
            case .texts: "a list of strings"
            case .values: "an object"
            case .count: "an integer of at least 0"
            }
        throw ToolProblem("\"\(argument.name)\" must be \(expected)")
    }

    func text(_ name: String) -> String? { given?[name]?.string }

    func count(_ name: String) -> Int? { given?[name].flatMap { Int($0.numberText) } }

    /// The values of params, as texts. A list has several.
    func values() throws(ToolProblem) -> [(name: String, values: [String])] {
        var found: [(name: String, values: [String])] = []
        for member in given?["params"].map({ Array($0.members) }) ?? [] {
            guard Name.isValidID(member.name), !member.name.hasPrefix("-") else {
                throw ToolProblem("\"\(TerminalText.harmless(member.name))\" is not the name of a param")
            }
            let values = member.value.kind == .array ? Array(member.value.elements) : [member.value]
            found.append((member.name, values.map { OrderedJSON($0).plainText }))
        }
        return found
    }

    /// The words of the command line. All words from the agent come after `--`, so none can be an option, and `--env` has one of the
    /// names that the server allows.
    func words(root: String, environments: [String]) throws(ToolProblem) -> [String] {
        var words = [tool.command ?? tool.name, "--json", "--no-color", "--workspace=\(root)"]
        if let name = try environment(among: environments) { words.append("--env=\(name)") }
        words.append("--")
        words += given?["select"].map { $0.elements.map { $0.string ?? "" } } ?? []
        if let id = text("id") { words.append(id) }
        if let endpoint = text("endpoint") {
            // A URL or a path would be another request than an endpoint's.
            guard Name.isValidID(endpoint) else {
                throw ToolProblem(
                    "\"\(TerminalText.harmless(endpoint))\" is not an endpoint's id", hint: "`list` has the ids")
            }
            words.append(endpoint)
            for (name, values) in try values() { words += values.map { "\(name)=\($0)" } }
        }
        if words.contains(where: { $0.utf8.contains(0) }) { throw ToolProblem("a text has a NUL character") }
        return words
    }

    /// The environment of the call; nil if the tool has none, or if the workspace has none.
    private func environment(among allowed: [String]) throws(ToolProblem) -> String? {
        guard tool.arguments.contains(where: { $0.name == "env" }) else { return nil }
        // `list` without an environment shows what holds for all.
        guard let name = text("env") else { return tool.name == "list" ? nil : allowed.first }
        if allowed.contains(name) { return name }
        throw ToolProblem(
            "this server does not allow the environment \"\(TerminalText.harmless(name))\"",
            hint: allowed.isEmpty ? "leave out \"env\"" : "it allows \(allowed.joined(separator: ", "))")
    }
}

/// The reason why a call is not carried out, for the agent.
struct ToolProblem: Error, Equatable {
    let message: String
    let hint: String?

    init(_ message: String, hint: String? = nil) { (self.message, self.hint) = (message, hint) }

    var json: OrderedJSON {
        .object(["problems": [.object(["message": .string(message), "hint": hint.map { .string($0) }])]])
    }
}
