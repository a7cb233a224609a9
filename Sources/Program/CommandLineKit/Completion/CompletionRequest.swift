/// The word that is being typed, for a provider that knows the workspace.
package struct CompletionRequest: Sendable {
    package let kind: CompletionKind
    /// For ``CompletionKind/assignment(_:)``, the name before the `=`, if the word has a `=`.
    package let assignedName: String?
    /// The part of the word typed so far. The provider may ignore it: candidates that don't begin with this part are dropped
    /// later.
    package let typed: String
    /// The arguments of the line, as far as they can be understood: `request.arguments[globalWorkspace]`. A required argument may
    /// be missing, so read positional arguments from ``ParsedArguments/positionals``.
    package let arguments: ParsedArguments
}

/// The candidates that a provider offers.
package struct CompletionAnswer: Equatable, Sendable {
    package struct Candidate: Equatable, Sendable {
        package let text: String
        package let summary: String

        package init(_ text: String, _ summary: String = "") {
            (self.text, self.summary) = (text, summary)
        }
    }

    /// Whether the shell also completes paths. The shell knows best how to find and quote paths.
    package enum Paths: String, Sendable {
        case none = "words"
        case files
        case directories
    }

    package let candidates: [Candidate]
    package let paths: Paths

    package init(_ candidates: [Candidate], paths: Paths = .none) {
        (self.candidates, self.paths) = (candidates, paths)
    }

    package static let nothing = CompletionAnswer([])
    package static let files = CompletionAnswer([], paths: .files)
    package static let directories = CompletionAnswer([], paths: .directories)
}

/// Provides the completions for the kinds that the program defines itself.
package typealias CompletionProvider = @Sendable (CompletionRequest) -> CompletionAnswer
