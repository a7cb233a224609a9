/// The kind of thing that a word stands for, which decides the completions offered for it.
///
/// The set is open. A program adds kinds by extension and answers for them in its provider:
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

    /// A word such as `name=value`. The provider is asked for names, which are offered with their `=`. After the `=` it
    /// is asked for values, with the name in ``CompletionRequest/assignedName``.
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
