/// A command line that was understood: its values, read by the keys that defined them.
///
/// ```swift
/// let timeout = parsed[SendCommand.timeout]
/// ```
package struct ParsedArguments: Sendable {
    package let command: CommandSpec
    /// The positional arguments as they were typed.
    package let positionals: [String]
    let definedOptions: Set<String>
    let optionUses: [String: [OptionUse]]
    let argumentValues: [String: [any Sendable]]

    /// Reading an option that neither the command nor the program has is a mistake of the caller's.
    package subscript<Value>(option: Option<Value>) -> Value {
        precondition(
            definedOptions.contains(option.spec.name), "\(command.name) does not define --\(option.spec.name)")
        return option.read(optionUses[option.spec.name] ?? [])
    }

    package subscript<Value>(argument: Argument<Value>) -> Value {
        guard let value = argument.read(argumentValues[argument.spec.name] ?? []) else {
            // Parsing refuses a line without a required argument, so it is another command's argument.
            preconditionFailure("\(command.name) does not define \(argument.spec.name)")
        }
        return value
    }

    /// Whether the option was on the command line, whatever its value.
    package func isGiven<Value>(_ option: Option<Value>) -> Bool {
        optionUses[option.spec.name]?.isEmpty == false
    }

    /// Whether the command, or the program, has this option at all.
    package func isDefined<Value>(_ option: Option<Value>) -> Bool {
        definedOptions.contains(option.spec.name)
    }

    /// How the option was last spelt (`-e`, `--env`), for saying where a value came from.
    package func spelling<Value>(of option: Option<Value>) -> String? {
        optionUses[option.spec.name]?.last?.spelling
    }
}
