/// A command line that was understood. Values are read with the keys that define them.
///
/// ```swift
/// let timeout = parsed[SendCommand.timeout]
/// ```
package struct ParsedArguments: Sendable {
    package let command: CommandSpec
    /// The positional arguments as typed.
    package let positionals: [String]
    let definedOptions: Set<String>
    let optionUses: [String: [OptionUse]]
    let argumentValues: [String: [any Sendable]]

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

    /// Whether the command or the program defines this option.
    package func isDefined<Value>(_ option: Option<Value>) -> Bool {
        definedOptions.contains(option.spec.name)
    }

    /// The last spelling of the option (`-e`, `--env`), for messages about the origin of a value.
    package func spelling<Value>(of option: Option<Value>) -> String? {
        optionUses[option.spec.name]?.last?.spelling
    }
}
