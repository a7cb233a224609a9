/// What sort of thing a word stands for, so that completions know what to offer.
///
/// An open set: a program adds its own by extension and answers for them in its provider:
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

    /// A word such as `name=value`. The provider is asked twice: for names (to be offered with their `=`), and,
    /// once there is a `=`, for what may follow it, with the name in ``CompletionRequest/assignedName``.
    package static func assignment(_ name: String) -> CompletionKind {
        CompletionKind(assignment: name)
    }

    /// Nothing can be said about it.
    package static let nothing = CompletionKind("nothing")
    package static let file = CompletionKind("file")
    package static let directory = CompletionKind("directory")
    /// The name of a command.
    package static let command = CompletionKind("command")
    /// Text, or `@` and the path of a file.
    package static let textOrFile = CompletionKind("textOrFile")
}
