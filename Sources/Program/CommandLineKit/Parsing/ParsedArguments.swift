/// An option of a command line, with its value as it was typed.
package struct GivenOption: Sendable, Equatable {
    /// The long name, without dashes.
    package let name: String
    package let value: String?
    /// The option and its value written as one word: `--env=staging`, `--no-follow`.
    package let word: String

    init(_ use: ArgumentReader.Use) {
        name = use.option.name
        let spelling = use.option.longSpelling
        switch use.content {
        case .on, .bare: (value, word) = (nil, spelling)
        case .off: (value, word) = (nil, "--no-\(name)")
        case .text(let text, _): (value, word) = (text, "\(spelling)=\(text)")
        }
    }
}

/// A command line that was parsed without errors. Values are read with the options and arguments that define them as keys.
///
/// ```swift
/// let timeout = parsed[SendCommand.timeout]
/// ```
package struct ParsedArguments: Sendable {
    package let command: CommandSpec
    /// The positional arguments as typed.
    package let positionals: [String]
    /// The number of positional arguments before `--`. Without `--`, the number of all positional arguments.
    package let countBeforeEnd: Int
    let definedOptions: Set<String>
    let optionUses: [String: [OptionSetting]]
    let argumentValues: [String: [any Sendable]]
    /// The options in the order given.
    package let givenOptions: [GivenOption]

    /// The value of an option. The command or the program must define the option; anything else is a bug in the caller.
    package subscript<Value>(option: Option<Value>) -> Value {
        precondition(
            definedOptions.contains(option.spec.name), "\(command.name) does not define --\(option.spec.name)")
        return option.read(optionUses[option.spec.name] ?? [])
    }

    package subscript<Value>(argument: Argument<Value>) -> Value {
        guard let value = argument.read(argumentValues[argument.spec.name] ?? []) else {
            // Parsing rejects a line without a required argument, so the argument belongs to another command.
            preconditionFailure("\(command.name) does not define \(argument.spec.name)")
        }
        return value
    }

    /// Whether the option was on the command line.
    package func isGiven<Value>(_ option: Option<Value>) -> Bool {
        optionUses[option.spec.name]?.isEmpty == false
    }

    /// The first option of a group that was on the command line.
    package func firstGiven(of group: OptionGroup) -> OptionSpec? {
        group.options.first { optionUses[$0.name]?.isEmpty == false }
    }

    /// Whether the command or the program defines this option.
    package func isDefined<Value>(_ option: Option<Value>) -> Bool {
        definedOptions.contains(option.spec.name)
    }
}
