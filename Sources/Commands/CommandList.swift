import CommandLineKit

/// Every command there is, in the order and under the headings in which help shows them.
package enum CommandList {
    package struct Group: Sendable {
        package let title: String
        package let commands: [any Command.Type]
    }

    package static let groups = [
        Group(
            title: "Requests", commands: [SendCommand.self, RenderCommand.self, ExplainCommand.self, CheckCommand.self]),
        Group(title: "Definitions", commands: [ListCommand.self, ShowCommand.self, ValidateCommand.self]),
        Group(title: "Setting up", commands: [InitCommand.self, SchemaCommand.self, CompletionsCommand.self]),
    ]

    /// Nil for a name that no command has: a text that mentions a command asks first.
    package static func command(named name: String) -> (any Command.Type)? {
        groups.flatMap(\.commands).first { $0.spec.name == name }
    }
}
