import CommandLineKit

/// Calls that scripts make and that help doesn't mention.
enum HiddenCall {
    /// Prints the manual page; `make install` keeps it.
    static let manPage = "__man"

    /// The handler of such a call; nil for other words.
    static func answer(_ words: [String], in context: Context) -> String? {
        switch words.first {
        case ProgramSpec.completionCall:
            let engine = CompletionEngine(Program.spec) { WorkspaceCompletions(context, $0)?.answer ?? .nothing }
            return engine.reply(toCall: Array(words.dropFirst()), home: context.setVariable("HOME"))
        case manPage: return Program.spec.manPage
        default: return nil
        }
    }
}
