package import CommandLineKit

/// The kinds of words that the shell completes.
extension CompletionKind {
    package static let endpoint = CompletionKind("endpoint")
    package static let environment = CompletionKind("environment")
    /// An endpoint's id, a group, `tag:…`.
    package static let selector = CompletionKind("selector")
    /// The same, or `environments`.
    static let listing = CompletionKind("listing")
    /// `name=value` for the endpoint on the line.
    package static let parameter = CompletionKind.assignment("parameter")
    /// A stub variant of the endpoint on the line, or `endpoint=variant`.
    package static let variant = CompletionKind.assignment("variant")
    /// `kind=file`: a report, and where it goes.
    static let report = CompletionKind.assignment("report")
}
