package import ReqcliText

/// An error in the command line: what was found, what was expected, and which help to read.
package struct UsageError: Error, Equatable, Sendable {
    package struct Problem: Equatable, Sendable {
        package let message: String
        package let hint: String?

        package init(_ message: String, hint: String? = nil) {
            (self.message, self.hint) = (message, hint)
        }
    }

    /// The problems, in the order of the words.
    package let problems: [Problem]
    /// The command whose help is suggested; nil for the program's own help.
    package let command: String?

    package init(_ problems: [Problem], command: String? = nil) {
        (self.problems, self.command) = (problems, command)
    }

    package init(_ message: String, hint: String? = nil, command: String? = nil) {
        self.init([Problem(message, hint: hint)], command: command)
    }

    /// The error as shown on stderr, each line ended.
    package func rendered(program: String) -> Styled {
        let lines = problems.flatMap { problem in
            [Styled("error:", [.bold, .red]) + Styled(" \(problem.message)")]
                + (problem.hint.map { [Styled("  \($0)")] } ?? [])
        }
        let words = [program, "help"] + (command.map { [$0] } ?? [])
        return .lines(lines + [Styled("See \"\(words.joined(separator: " "))\".")])
    }
}
