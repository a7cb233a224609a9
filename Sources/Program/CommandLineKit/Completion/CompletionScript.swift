import ReqcliBasics

extension ProgramSpec {
    /// The script that a shell loads once. It calls the program for every completion, so it is never out of date.
    package func completionScript(for shell: CompletionShell) -> String {
        let template =
            switch shell {
            case .bash: Self.bashScript
            case .zsh: Self.zshScript
            case .fish: Self.fishScript
            }
        let identifier = String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
        return template.replacing("%identifier%", with: identifier).replacing("%program%", with: name)
    }

    /// The hidden command that the scripts call; see ``CompletionEngine/reply(toCall:)``.
    package static let completionCall = "__complete"
}
