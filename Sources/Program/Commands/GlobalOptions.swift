package import CommandLineKit
package import ReqcliText

/// The options that every command takes, before or after its name.
package enum GlobalOptions {
    package static let workspace = Option(
        "workspace", short: "C", .directory(), "The workspace to use",
        otherwise: "REQCLI_WORKSPACE, else the nearest folder upwards that holds endpoints/")

    package static let color = Option(
        "color", aliases: ["colour"], .oneOf(ColourFlag.self), default: .auto,
        "When to use colour; always: in pipes, too")

    static let group = OptionGroup("Everywhere", workspace, color)
}

/// Options that several commands have in common, each defined once.
package enum SharedOptions {
    package static let environment = Option(
        "env", short: "e", .text("NAME", completing: .environment), "The environment to use",
        otherwise: "REQCLI_ENV, else reqcli.json, else development")

    /// With `--json`, problems are told as JSON too: a command that has a flag of this name gets that for free.
    package static func json(_ summary: String) -> Flag { Flag("json", summary) }
}

/// The kinds of words that the shell completes.
extension CompletionKind {
    package static let endpoint = CompletionKind("endpoint")
    /// An endpoint's id, or the path of a file.
    static let endpointOrFile = CompletionKind("endpointOrFile")
    package static let environment = CompletionKind("environment")
    /// An endpoint's id, a group, `tag:…`.
    package static let selector = CompletionKind("selector")
    /// A selector, or `environments`.
    static let listing = CompletionKind("listing")
    /// What `check` selects.
    static let cases = CompletionKind("cases")
    /// What `show` shows.
    static let shown = CompletionKind("shown")
    /// A selector, or what `history` does besides listing.
    static let history = CompletionKind("history")
    /// `name=value` for the endpoint on the line.
    package static let parameter = CompletionKind.assignment("parameter")
    /// A stub variant of the endpoint on the line, or `endpoint=variant`.
    package static let variant = CompletionKind.assignment("variant")
    /// `kind=file`: a report, and where it goes.
    static let report = CompletionKind.assignment("report")
}
