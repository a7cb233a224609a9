/// What the person is in the middle of typing, for a provider that knows the workspace.
package struct CompletionRequest: Sendable {
    package let kind: CompletionKind
    /// What stands before the `=`, once there is one, for ``CompletionKind/assignment(_:)``.
    package let assignedName: String?
    /// The part typed so far of what is to be completed. Offering more than what begins with it does no harm.
    package let typed: String
    /// The rest of the line, as far as it can be understood: `request.arguments[globalWorkspace]`. A required
    /// argument may be missing, so positionals are best read from ``ParsedArguments/positionals``.
    package let arguments: ParsedArguments
}

/// What may stand at the cursor.
package struct CompletionAnswer: Equatable, Sendable {
    package struct Candidate: Equatable, Sendable {
        package let text: String
        package let summary: String

        package init(_ text: String, _ summary: String = "") {
            (self.text, self.summary) = (text, summary)
        }
    }

    /// Paths, which the shell knows best how to complete and to quote.
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

/// Answers for the kinds that the program defined itself.
package typealias CompletionProvider = @Sendable (CompletionRequest) -> CompletionAnswer
