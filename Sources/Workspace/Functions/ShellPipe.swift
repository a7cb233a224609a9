import ReqcliText

/// A value as a POSIX shell makes it: a text that passes through commands.
package struct ShellPipe: Sendable, Hashable {
    package struct Filter: Sendable, Hashable {
        package let command: String
        /// The last argument of the command, such as the key of an HMAC.
        package let argument: String?
    }

    package let input: String
    package let filters: [Filter]
}

/// The command that does in a POSIX shell what a function does.
struct ShellFilter: Sendable {
    let command: String
    /// Whether the command does the same only with ASCII text.
    var isForASCII = false
}

extension Pipeline {
    /// The value as a shell makes it; nil if a shell can't make exactly this value.
    ///
    /// The pipe begins with the value of the source, because what functions made from a secret before would be shown.
    package func shellPipe(of inputs: Inputs) -> ShellPipe? {
        guard case .name(let name) = source, let value = inputs[name.range.lowerBound].map({ FunctionValue.json($0) }),
            ValueTypes.scalar.isSuperset(of: value.types), !value.text.utf8.contains(0)
        else { return nil }
        let input = value.text
        var filters: [ShellPipe.Filter] = []
        for call in calls {
            guard let shell = call.function.shell, let arguments = arguments(of: call, inputs),
                arguments.allSatisfy({ !$0.text.isEmpty && !$0.text.utf8.contains(0) }),
                !shell.isForASCII || input.utf8.allSatisfy({ $0 < 0x80 })
            else { return nil }
            filters.append(ShellPipe.Filter(command: shell.command, argument: arguments.first?.text))
        }
        return ShellPipe(input: input, filters: filters)
    }
}
