import CommandLineKit
import ReqcliText

/// A program with one of everything, for the tests.
enum Sample {
    static let environment = Option("env", short: "e", .text("NAME", completing: .environment), "The environment")
    static let workspace = Option("workspace", short: "C", .directory(), "The workspace's folder")
    static let color = Option(
        "color", aliases: ["colour"], .oneOf(ColourFlag.self), default: .auto, "When to use colour")
    static let verbose = Flag("verbose", short: "v", "Show the request too")

    static let follow = Toggle("follow", "Follow redirects", otherwise: "the environment's")
    static let include = Flag("include", short: "i", "Show the response headers")
    static let retry = Option("retry", .integer(in: 0...20), "Try again this often")
    static let output = Option("output", short: "o", .file(), "Write the body to a file")
    static let headers = Option(
        repeated: "header", short: "H", .text("'NAME: VALUE'"),
        "Set a header; 'NAME:' removes it, 'NAME;' sends it empty")
    static let body = Option(
        "body", .text("TEXT|@FILE|-", completing: .textOrFile, mayHoldSecret: true), "The body to send")
    static let stub = Option(
        bare: "stub", .text("VARIANT", completing: .variant), "Answer from a stub",
        takesNext: { word, positionals in positionals.count == 1 && !word.contains("=") })

    static let endpoint = Argument("ENDPOINT", .text("ENDPOINT", completing: .endpoint), "The endpoint's id")
    static let parameters = Argument(
        rest: "NAME=VALUE", .text("NAME=VALUE", completing: .parameter), "Values for its parameters")

    static let send = CommandSpec(
        "send", "Send it and print the response",
        examples: [
            Example("Send it to the staging servers", "reqcli send user.get userID=42 --env staging"),
            Example("Keep the body", "reqcli send user.get -o user.json"),
        ],
        arguments: ArgumentList(endpoint, parameters),
        options: [
            OptionGroup("Request", headers, body, follow, retry, stub),
            OptionGroup("Output", include, output),
        ],
        sections: [
            TextSection("Secrets", "A secret is never shown.\n\n  \"pin\": {\"env\": \"PIN\"}\n\nNot even here.")
        ],
        exitStatuses: [ExitStatus(0, "success"), ExitStatus(4, "the server responded with 4xx")])

    static let report = Option(repeated: "report", .text("KIND=FILE", completing: .report), "Write a report")
    static let query = Flag("quiet", short: "o", "Say nothing")
    static let selectors = Argument(rest: "SELECTOR", .text("SELECTOR", completing: .endpoint), "What to check")

    static let check = CommandSpec(
        "check", "Check expectations", examples: [], arguments: ArgumentList(selectors),
        options: [OptionGroup("Reports", report, query)])

    enum Shell: String, CaseIterable, Sendable { case bash, zsh, fish }

    static let shell = Argument("SHELL", .oneOf(Shell.self), "The shell")
    static let completions = CommandSpec(
        "completions", "Print a completion script", examples: [], arguments: ArgumentList(shell))

    static let program = ProgramSpec(
        "reqcli", version: "1.2", "Describe an HTTP API once, use it everywhere",
        introduction: "An API is described in JSON files; every command works from them.",
        examples: [Example("A small workspace that works offline", "reqcli init")],
        commands: [CommandGroup("Requests", [send]), CommandGroup("More", [check, completions])],
        globalOptions: [OptionGroup("Everywhere", environment, workspace, color, verbose)],
        environment: [EnvironmentVariable("REQCLI_ENV", "The environment, if --env is not given.")],
        exitStatuses: [ExitStatus(0, "Success."), ExitStatus(2, "Wrong usage.")],
        foreignOptions: [
            ForeignOption(of: "curl", ["-X", "--request"], advice: "set the method in the file"),
            ForeignOption(of: "curl", ["-d", "--data"], option: "body", advice: "write --body TEXT"),
        ],
        furtherReading: "The rest is in README.md.")

    /// What `words` ask `send` for.
    static func sending(_ words: String...) throws -> ParsedArguments {
        try run(["send"] + words)
    }

    static func run(_ words: [String]) throws -> ParsedArguments {
        guard case .run(let parsed) = try program.parse(words) else { throw NotRun() }
        return parsed
    }

    struct NotRun: Error {}
}

extension CompletionKind {
    static let endpoint = CompletionKind("endpoint")
    static let environment = CompletionKind("environment")
    static let parameter = CompletionKind.assignment("parameter")
    static let variant = CompletionKind.assignment("variant")
    static let report = CompletionKind.assignment("report")
}
