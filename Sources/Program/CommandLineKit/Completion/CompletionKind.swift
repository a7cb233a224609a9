/// The kind of a word on the command line. The kind decides which completions are offered.
///
/// A program adds its own kinds in an extension. Its provider then returns the completions for these kinds:
///
/// ```swift
/// extension CompletionKind {
///     static let environment = CompletionKind("environment")
/// }
/// ```
package struct CompletionKind: Hashable, Sendable {
    let name: String
    let isAssignment: Bool

    package init(_ name: String) {
        (self.name, isAssignment) = (name, false)
    }

    private init(assignment name: String) {
        (self.name, isAssignment) = (name, true)
    }

    /// A word such as `name=value`. The provider is asked for names, which are offered with their `=`. After the `=`, the
    /// provider is asked for values, with the name in ``CompletionRequest/assignedName``.
    package static func assignment(_ name: String) -> CompletionKind {
        CompletionKind(assignment: name)
    }

    /// A value without completions.
    package static let nothing = CompletionKind("nothing")
    package static let file = CompletionKind("file")
    package static let directory = CompletionKind("directory")
    /// The name of a command.
    package static let command = CompletionKind("command")
    /// Text, or `@` and the path of a file.
    package static let textOrFile = CompletionKind("textOrFile")
}
