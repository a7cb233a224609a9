// A stand-in for reqcli with a fixed workspace, to try completion scripts and help in real shells.

import CommandLineKit
import Glibc
import TerminalText

extension CompletionKind {
    static let endpoint = CompletionKind("endpoint")
    static let environment = CompletionKind("environment")
    static let parameter = CompletionKind.assignment("parameter")
    static let variant = CompletionKind.assignment("variant")
}

let environment = Option("env", short: "e", .text("NAME", completing: .environment), "The environment to use")
let workspace = Option("workspace", short: "C", .directory(), "The workspace's folder")
let color = Option("color", .oneOf(ColourFlag.self), default: .auto, "When to use colour")
let follow = Toggle("follow", "Follow redirects")
let header = Option(repeated: "header", short: "H", .text("'NAME: VALUE'"), "Set, remove or empty a header")
let body = Option("body", .text("TEXT|@FILE|-", completing: .textOrFile), "The body to send")
let output = Option("output", short: "o", .file(), "Write the body to a file")
let stub = Option(
    bare: "stub", .text("VARIANT", completing: .variant), "Answer from a stub: the default one, or this",
    takesNext: { word, positionals in positionals.count == 1 && variants.contains(word) })
let endpoint = Argument("ENDPOINT", .text("ENDPOINT", completing: .endpoint), "The endpoint's id: user.get")
let parameters = Argument(rest: "NAME=VALUE", .text("NAME=VALUE", completing: .parameter), "Values for its params")
let shell = Argument("SHELL", .oneOf(CompletionShell.self), "The shell to write for")

let variants = ["standard", "empty"]
let endpoints = [("user.get", "One person: by id"), ("user.feed", "A person's feed"), ("ping", "")]
let feedParameters = [("userID", "Whose feed: a number"), ("ascending", ""), ("city", "")]

let program = ProgramSpec(
    "reqcli", version: "0", "Describe an HTTP API once, use it everywhere",
    examples: [Example("Send a request", "reqcli send user.get")],
    commands: [
        CommandGroup(
            "Requests",
            [
                CommandSpec(
                    "send", "Send it and print the response",
                    examples: [Example("Send it to staging", "reqcli send user.get userID=42 --env staging")],
                    arguments: ArgumentList(endpoint, parameters),
                    options: [OptionGroup("Request", header, body, follow, stub), OptionGroup("Output", output)]),
                CommandSpec(
                    "render", "Print it as curl", examples: [], arguments: ArgumentList(endpoint, parameters)),
                CommandSpec(
                    "completions", "Print the completions of a shell", examples: [], arguments: ArgumentList(shell)),
            ])
    ],
    globalOptions: [OptionGroup("Everywhere", environment, workspace, color)])

/// The completions of the fixed workspace; none where there is no workspace.
func answer(_ request: CompletionRequest) -> CompletionAnswer {
    let root = request.arguments[workspace] ?? "."
    guard access("\(root)/endpoints", F_OK) == 0 else { return .nothing }
    let isFeed = request.arguments.positionals.first == "user.feed"
    return switch (request.kind, request.assignedName) {
    case (.environment, _): CompletionAnswer(["development", "staging", "production"].map { .init($0) })
    case (.endpoint, _): CompletionAnswer(endpoints.map { .init($0.0, $0.1) })
    case (.variant, nil): CompletionAnswer(variants.map { .init($0) } + endpoints.map { .init("\($0.0)=") })
    case (.variant, _): CompletionAnswer(variants.map { .init($0) })
    case (.parameter, nil) where isFeed: CompletionAnswer(feedParameters.map { .init("\($0.0)=", $0.1) })
    case (.parameter, "ascending") where isFeed: CompletionAnswer([.init("true"), .init("false")])
    case (.parameter, "city") where isFeed: CompletionAnswer([.init("Berlin"), .init("San Francisco")])
    default: .nothing
    }
}

let words = Array(CommandLine.arguments.dropFirst())
if words.first == ProgramSpec.completionCall {
    let home = getenv("HOME").map { String(cString: $0) }
    let engine = CompletionEngine(program, provider: answer)
    print(engine.reply(toCall: Array(words.dropFirst()), home: home), terminator: "")
    exit(0)
}
if words.first == "man" {
    print(program.manPage, terminator: "")
    exit(0)
}
let terminal = Terminal.live()
do {
    switch try program.parse(words) {
    case .run(let parsed) where parsed.command.name == "completions":
        print(program.completionScript(for: parsed[shell]), terminator: "")
    case .run(let parsed): print(parsed.command.name, parsed.positionals)
    case .help(let command):
        print(
            program.help(for: command, width: terminal.width(), inColour: terminal.isTerminal(.output)), terminator: "")
    case .version: print(program.version)
    case .nothing: print(program.help(width: terminal.width()), terminator: "")
    }
} catch {
    terminal.write(error.rendered(program: program.name))
    exit(UsageError.exitStatus)
}
