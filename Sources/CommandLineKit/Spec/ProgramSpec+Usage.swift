extension ProgramSpec {
    /// The usage line `reqcli send [OPTIONS] ENDPOINT [NAME=VALUE ...]`.
    package func usage(of command: CommandSpec) -> String {
        let arguments = command.arguments.map(\.usage)
        let options = command.options.isEmpty ? [] : ["[OPTIONS]"]
        return ([name, command.name] + options + arguments).joined(separator: " ")
    }

    /// The usage line `reqcli [OPTIONS] COMMAND ...`.
    package var usage: String {
        "\(name) [OPTIONS] COMMAND ..."
    }
}

extension ArgumentSpec {
    var usage: String {
        switch count {
        case .one: name
        case .optional: "[\(name)]"
        case .any: "[\(name) ...]"
        case .oneOrMore: "\(name) ..."
        }
    }
}
