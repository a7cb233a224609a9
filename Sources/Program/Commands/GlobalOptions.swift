package import CommandLineKit
package import ReqcliText

/// The options that every command takes, before or after the command's name.
package enum GlobalOptions {
    package static let workspace = Option(
        "workspace", short: "C", .directory(), "The workspace to use",
        otherwise: "REQCLI_WORKSPACE, else the current folder or its nearest parent with endpoints/")

    package static let color = Option(
        "color", aliases: ["colour"], .oneOf(ColourFlag.self), default: .auto,
        "When to use colour; \"always\" includes output to pipes")

    static let noColor = Flag("no-color", aliases: ["no-colour"], "Use no colour, like --color never")

    static let quiet = Flag(
        "quiet", short: "Q",
        "Print no notes, progress or lists of written files. With send, print nothing of the response; with check, print only the "
            + "totals and the cases that don't pass, or nothing if all pass")

    static let group = OptionGroup("Everywhere", workspace, color, noColor, quiet)
}

/// Options that several commands have in common, each defined once.
package enum SharedOptions {
    package static let environment = Option(
        "env", short: "e", .text("NAME", completing: .environment), "The environment to use",
        otherwise:
            "from REQCLI_ENV, \"env use\", reqcli.json or ~/.config/reqcli/config; else development, else the only one"
    )

    /// The flag `--json`. In every command that has this flag, problems are also reported as JSON.
    package static func json(_ summary: String) -> Flag { Flag("json", summary) }
}

/// The kinds of words that reqcli adds for the shell's completions.
extension CompletionKind {
    package static let endpoint = CompletionKind("endpoint")
    /// An endpoint's id, or the path of a file.
    static let endpointOrFile = CompletionKind("endpointOrFile")
    package static let environment = CompletionKind("environment")
    /// The first word of a line that is `send`: an endpoint's id with a dot, or a method.
    static let bareForm = CompletionKind("bareForm")
    /// The name of a format, or the path of a file.
    static let importSource = CompletionKind("importSource")
    /// The name of an environment, or `use`.
    static let environmentWord = CompletionKind("environmentWord")
    /// A JSONPath in a response.
    static let responsePath = CompletionKind("responsePath")
    /// A selector: an endpoint's id, a group or `tag:…`.
    package static let selector = CompletionKind("selector")
    /// A selector, a scenario, a load, or `environments`.
    static let listing = CompletionKind("listing")
    /// A selector, a scenario or a tag of scenarios, for `check`.
    static let cases = CompletionKind("cases")
    /// The name of a load, an endpoint's id or a scenario, for `load`.
    static let loads = CompletionKind("loads")
    /// An endpoint's id, a scenario or a load, for `show`.
    static let shown = CompletionKind("shown")
    /// A selector, or the name of another action of `history`.
    static let history = CompletionKind("history")
    /// `name=value` for the endpoint on the line.
    package static let parameter = CompletionKind.assignment("parameter")
    /// A stub variant of the endpoint on the line, or `endpoint=variant`.
    package static let variant = CompletionKind.assignment("variant")
    /// `kind=file`: the kind of a report, and the file for it.
    static let report = CompletionKind.assignment("report")
}
