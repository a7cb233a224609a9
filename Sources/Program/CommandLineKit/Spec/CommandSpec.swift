package import ReqcliText

/// The full description of a command. The parser, help, the man page, suggestions and completions are derived from it.
package struct CommandSpec: Sendable {
    package let name: String
    /// One line for the list of commands.
    package let summary: String
    /// Whether the words after the command's name are arguments, even those that begin with a dash. Only `--help` and
    /// `--version` as the first word keep their meaning.
    package let takesWordsLiterally: Bool
    private let parts: Parts

    /// Everything except the name, computed only when needed. A run needs only the options of one command, and usually no help.
    /// Computing all parts would double the instructions of `--version`, and add 24 % to `render`.
    private struct Parts: Sendable {
        let examples: @Sendable () -> [Example]
        let arguments: @Sendable () -> ArgumentList
        let groups: @Sendable () -> [OptionGroup]
        let sections: @Sendable () -> [TextSection]
        let exitStatuses: @Sendable () -> [ExitStatus]
        let essentials: @Sendable () -> [String]
        let page: @Sendable () -> String?
    }

    package init(
        _ name: String,
        _ summary: String,
        examples: @autoclosure @escaping @Sendable () -> [Example],
        arguments: @autoclosure @escaping @Sendable () -> ArgumentList = ArgumentList(),
        options groups: @autoclosure @escaping @Sendable () -> [OptionGroup] = [],
        sections: @autoclosure @escaping @Sendable () -> [TextSection] = [],
        exitStatuses: @autoclosure @escaping @Sendable () -> [ExitStatus] = [],
        essentials: @autoclosure @escaping @Sendable () -> [String] = [],
        page: @autoclosure @escaping @Sendable () -> String? = nil,
        takesWordsLiterally: Bool = false
    ) {
        self.name = name
        self.summary = summary
        self.takesWordsLiterally = takesWordsLiterally
        parts = Parts(
            examples: examples, arguments: arguments, groups: groups, sections: sections, exitStatuses: exitStatuses,
            essentials: essentials, page: page)
    }

    package var examples: [Example] { parts.examples() }
    package var arguments: [ArgumentSpec] { parts.arguments().specs }

    /// Whether words such as `name=value` may follow the command.
    var takesAssignments: Bool { arguments.contains { $0.value.completion.isAssignment } }
    package var groups: [OptionGroup] { parts.groups() }
    package var sections: [TextSection] { parts.sections() }
    package var exitStatuses: [ExitStatus] { parts.exitStatuses() }
    /// The names of the options that the short page lists, if there are too many to list all.
    package var essentialNames: [String] { parts.essentials() }
    /// The page of the documentation about the command: `reference/check.md`.
    package var page: String? { parts.page() }

    var options: [OptionSpec] { groups.flatMap(\.options) }
    var rules: [OptionRule] { groups.flatMap(\.rules) }

    /// The argument that receives the positional argument at `index`.
    func argument(at index: Int) -> ArgumentSpec? {
        if index < arguments.count { return arguments[index] }
        return arguments.last.flatMap { $0.takesRest ? $0 : nil }
    }
}

/// An example command line and what it does.
package struct Example: Equatable, Sendable {
    package let line: String
    package let meaning: String

    package init(_ meaning: String, _ line: String) {
        (self.meaning, self.line) = (meaning, line)
    }
}

/// Options under one heading.
package struct OptionGroup: Sendable {
    package let title: String
    package let options: [OptionSpec]
    /// The rules about options that exclude or need each other. A rule may name options of this group and of the command's other
    /// groups.
    package private(set) var rules: [OptionRule] = []

    package init<each Value>(_ title: String, _ options: repeat Option<each Value>) {
        var specs: [OptionSpec] = []
        repeat specs.append((each options).spec)
        self.init(title, specs)
    }

    package init(_ title: String, _ options: [OptionSpec]) {
        self.title = title
        self.options = options
    }

    /// A copy of the group with these rules about its options.
    package func ruled(by rules: [OptionRule]) -> OptionGroup {
        var group = self
        group.rules += rules
        return group
    }
}

/// Positional arguments, in order.
package struct ArgumentList: Sendable {
    package let specs: [ArgumentSpec]

    package init<each Value>(_ arguments: repeat Argument<each Value>) {
        var specs: [ArgumentSpec] = []
        repeat specs.append((each arguments).spec)
        self.specs = specs
    }
}

/// A heading with text below it. Lines that begin with spaces are not rewrapped.
package struct TextSection: Equatable, Sendable {
    package let title: String
    package let text: String

    package init(_ title: String, _ text: String) {
        (self.title, self.text) = (title, text)
    }
}
