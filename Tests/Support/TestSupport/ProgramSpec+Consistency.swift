import ReqcliText

@testable package import CommandLineKit

extension ProgramSpec {
    /// Contradictions within the definitions of commands and options. A test checks that there are none.
    package var inconsistencies: [String] {
        let doubledCommands = Self.repeated(commands.map(\.name)).map { "two commands are called \"\($0)\"" }
        return doubledCommands + commands.flatMap(inconsistencies(of:))
    }

    private func inconsistencies(of command: CommandSpec) -> [String] {
        let options = globalOptions + command.options
        let doubled =
            Self.repeated(options.flatMap(\.spellings).map { "--\($0)" })
            + Self.repeated(options.compactMap(\.short).map { "-\($0)" })
        var found = doubled.map { "\"\(command.name)\" has two options \($0)" }
        if command.arguments.dropLast().contains(where: \.takesRest) {
            found.append("\"\(command.name)\" has an argument after one that takes all the rest")
        }
        let optional = command.arguments.drop { $0.isRequired }
        if optional.contains(where: \.isRequired) {
            found.append("\"\(command.name)\" has a required argument after an optional one")
        }
        return found
            + Self.repeated(command.arguments.map(\.name)).map { "\"\(command.name)\" has two arguments \($0)" }
    }

    private static func repeated(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { !seen.insert($0).inserted }
    }
}
