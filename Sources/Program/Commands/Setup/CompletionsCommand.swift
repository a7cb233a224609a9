package import CommandLineKit
package import ReqcliText

/// Prints the script that teaches a shell to complete command lines.
package struct CompletionsCommand: Command {
    static let shell = Argument("SHELL", .oneOf(CompletionShell.self), "The shell: bash, zsh or fish")

    package static let spec = CommandSpec(
        "completions", "Print completions for a shell",
        examples: [
            Example("bash, in ~/.bashrc", "source <(reqcli completions bash)"),
            Example("zsh, in ~/.zshrc after compinit", "source <(reqcli completions zsh)"),
            Example(
                "fish, once", "reqcli completions fish > ~/.config/fish/completions/reqcli.fish"),
        ],
        arguments: ArgumentList(shell),
        sections: [
            TextSection(
                "What is completed",
                """
                Commands, options, and names from the workspace: endpoints, environments, params with their values, \
                stub variants, tags. The script asks the program each time, so it is never out of date.
                """)
        ],
        exitStatuses: [.success, .usage.meaning("unknown shell")])

    let shell: CompletionShell

    package init(_ arguments: ParsedArguments) {
        shell = arguments[Self.shell]
    }

    package func run(in context: Context) -> ExitStatus {
        context.output.write(Program.spec.completionScript(for: shell))
        return .success
    }
}
