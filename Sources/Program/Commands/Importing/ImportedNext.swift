import CommandLineKit
import Importing
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

/// The commands to run after an import: what there is, what one request looks like, and a check without a server.
struct ImportedNext {
    private let commands: [[String]]

    /// - Parameters:
    ///   - example: An endpoint that can be sent, with the values of its params.
    ///   - environment: The environment to name; nil if commands use it by default.
    init(
        _ imported: ImportedWorkspace, _ example: (id: String, arguments: [ParameterArgument])?,
        environment: String?
    ) {
        let flag = environment.map { ["--env", $0] } ?? []
        var commands = [["list"]]
        // A request with a secret can only be rendered when its variable is set.
        if let example, imported.secrets.isEmpty {
            let values = example.arguments.flatMap(\.typed)
            commands.append(["render", example.id] + values + flag)
        } else if let id = example?.id ?? imported.ids.first {
            commands.append(["show", id])
        }
        let hasCase = imported.requests.contains { $0.expect != nil && !$0.variants.isEmpty }
        // With a bad example, the check would fail.
        let isGood = !imported.notes.contains { $0.message == OpenAPIImport.badExample }
        commands.append(hasCase && isGood ? ["check", "--stub"] + flag : ["validate"])
        self.commands = commands
    }

    var lines: [Styled] {
        ["", Styled("Try next", .bold)]
            + commands.map { Styled("  ") + Styled(harmlessLine("\(Program.name) \(ShellQuoting.line($0))"), .green) }
    }
}

extension ParameterArgument {
    /// The argument as a user types it. A list is typed value by value.
    var typed: [String] {
        switch source {
        case .text(let text): ["\(name)=\(text)"]
        case .file(let path): ["\(name)@=\(path)"]
        case .value(.array(let values)): values.map { "\(name)=\($0.scalarText ?? $0.compact)" }
        case .value(let value): ["\(name)=\(value.scalarText ?? value.compact)"]
        }
    }
}
