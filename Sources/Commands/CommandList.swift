import CommandLineKit

/// Every command there is, in the order and under the headings in which help shows them.
package enum CommandList {
    package struct Group: Sendable {
        package let title: String
        package let commands: [any Command.Type]
    }

    package static let groups = [
        Group(title: "Requests", commands: [SendCommand.self, RenderCommand.self, ExplainCommand.self]),
        Group(title: "Definitions", commands: [ListCommand.self, ValidateCommand.self]),
    ]

    package static func command(named name: String) -> (any Command.Type)? {
        groups.flatMap(\.commands).first { $0.spec.name == name }
    }
}
