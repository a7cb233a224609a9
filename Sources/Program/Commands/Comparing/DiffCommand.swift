import Calling
import Checking
package import CommandLineKit
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliJSONPath
import ReqcliRedaction
package import ReqcliText
import RequestBuilding

/// Sends a request in two environments or to two URLs, or reads two files, and prints how the responses differ.
package struct DiffCommand: Command {
    /// The first argument. It has the same name as in `send`, because the same code reads it.
    static let endpoint = Argument(
        RequestOptions.endpoint.spec.name, .text("ENDPOINT", completing: .endpointOrFile),
        "The endpoint's id, such as user.get; or [METHOD] /PATH on the environments' servers; or the first of two URLs, files or call numbers"
    )

    static let environments = Option(
        repeated: "env", short: "e", .text("NAME", completing: .environment),
        "One of the two environments to compare")

    static let last = Flag("last", "Compare the last two calls of ENDPOINT in the history")

    static let ignore = Option(
        repeated: "ignore", .jsonPath, "Ignore the values that this JSONPath (RFC 9535) selects in the bodies")
    static let shape = Flag(
        "shape", "Compare only the types of JSON values; all elements of a list are merged into one")
    static let headers = Flag("headers", "Also compare the headers, except those that always change, such as Date")
    static let json = SharedOptions.json("Print the differences as one JSON object")

    static let maxBody = Option(
        "max-body", .byteCount, default: ByteCount(ReceivedBody.usualLimit), "The largest body that is compared")

    private static let comparison = OptionGroup("Comparison", last, ignore, shape, headers, json, maxBody)
    private static let carrying = OptionGroup(
        "Transfer",
        [StubChoice.option.spec] + SendOptions.described.options
            + [SendOptions.keep.spec, yes.spec])
    private static let yes = Flag(
        "yes", short: "y",
        "Allow methods that may change data, and skip the confirmation that a policy requires")

    /// The options that only make sense for requests.
    private static let requestGroups = [
        RequestOptions.changes, ConnectionOptions.manyCalls, carrying, RequestOptions.values,
    ]

    package static let spec = CommandSpec(
        "diff", "Compare the responses of two environments or URLs",
        examples: [
            Example("In two environments", "reqcli diff user.get --env staging --env production"),
            Example("With params", "reqcli diff user.feed userID=123 -e staging -e production"),
            Example(
                "Ignore members that always differ",
                "reqcli diff user.get -e staging -e production --ignore '$..createdAt'"),
            Example("Compare only the types of the values", "reqcli diff user.get -e staging -e production --shape"),
            Example("Two URLs", "reqcli diff :8080/users https://staging.example.com/users"),
            Example("Two files", "reqcli diff before.json after.json"),
            Example("Two calls of the history", "reqcli diff 11 12"),
            Example("The last two calls of an endpoint", "reqcli diff --last user.get"),
        ],
        arguments: ArgumentList(endpoint, RequestOptions.parameters),
        options: [comparison, OptionGroup("Environment", environments)] + requestGroups,
        sections: [
            TextSection(
                "What is compared",
                """
                diff compares the status and the body. JSON is compared by value: the order of members and the notation of \
                numbers don't matter, and after an inserted list element, the other elements still match. Printed paths refer to the \
                second response. Other text is compared line by line, and binary data up to the first different byte. Secrets \
                are masked, but two different secrets count as a difference.
                """),
            TextSection(
                "Shapes",
                """
                --shape compares only the names of members and the types of their values: object, list, string, number, \
                boolean, null. A member of list elements counts as present if any element has it. An empty list matches any \
                list. If the keys of an object are ids or locales, its values are compared as one value.
                """),
            TextSection(
                "Two files, two calls",
                """
                Without --env, two words name two files, which contain JSON or text; - means standard input. Two numbers name \
                calls of the history, which "reqcli history" lists. For a file named 12, write ./12.
                """),
        ],
        exitStatuses: [
            .success,
            .expectationFailed.meaning("the responses differ, or a needed endpoint didn't respond as expected"),
            .usage, .broken, .clientError.meaning("a needed endpoint responded with 4xx"),
            .serverError.meaning("a needed endpoint responded with 5xx"), .noAnswer, .timedOut, .refusedByPolicy,
            .outputFailed, .interrupted,
        ],
        essentials: ["env", "last", "ignore", "shape", "headers", "json", "header", "stub", "yes"],
        page: "how-to/compare-responses.md")

    private enum Subject {
        case calls([ComparedSide])
        case files([String])
        case kept(KeptResponses)
    }

    private let arguments: ParsedArguments
    private let subject: Subject

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        let environments = arguments[Self.environments]
        if let kept = try Self.kept(arguments) {
            try Self.refuse(Self.requestGroups, arguments, "these calls are from the history")
            subject = .kept(kept)
            return
        }
        if environments.isEmpty, let sides = try Self.typedURLs(arguments) {
            subject = .calls(sides)
            return
        }
        if environments.isEmpty, let files = Self.files(arguments.positionals) {
            try Self.refuse(Self.requestGroups + [OptionGroup("", Self.headers)], arguments, "these are two files")
            if files == ["-", "-"] { throw Self.mistake("only one of the two files can be standard input") }
            subject = .files(files)
            return
        }
        if environments.count == 2, environments[0] == environments[1] {
            throw Self.mistake("--env \(environments[0]) is given twice", hint: "name two different environments")
        }
        guard environments.count == 2 else {
            let found =
                environments.isEmpty
                ? "" : "; found \(environments.count == 1 ? environments[0] : "\(environments.count) environments")"
            throw Self.mistake(
                "diff takes two environments, two URLs or two files\(found)",
                hint: "write --env NAME twice: --env staging --env production")
        }
        let flags = try RequestFlags(arguments)
        subject = .calls(environments.map { ComparedSide(name: $0, flags: flags, environment: $0) })
    }

    /// The recorded calls to compare, chosen by two numbers, or by an endpoint with `--last`. Nil for other arguments.
    private static func kept(_ arguments: ParsedArguments) throws(UsageError) -> KeptResponses? {
        let words = arguments.positionals
        let hasEnvironments = !arguments[environments].isEmpty
        guard arguments[last] else { return hasEnvironments ? nil : KeptResponses(words) }
        guard words.count == 1, !hasEnvironments else {
            throw mistake(
                "--last takes one endpoint, without params or --env", hint: "write: reqcli diff --last user.get")
        }
        return .lastTwo(of: words[0])
    }

    /// The requests to two typed URLs, which all other words and flags are for; nil for other arguments.
    private static func typedURLs(_ arguments: ParsedArguments) throws(UsageError) -> [ComparedSide]? {
        let words = arguments.positionals
        guard words.count > 1, words.prefix(2).allSatisfy(TypedRequest.isURL) else { return nil }
        let options = arguments.givenOptions.map(\.word)
        var sides: [ComparedSide] = []
        for (index, url) in words.prefix(2).enumerated() {
            guard
                case .run(let line) = try Program.spec.parse([spec.name] + options + ["--", url] + words.dropFirst(2))
            else { return nil }
            let flags = try RequestFlags(line)
            let isNamedTwice = index > 0 && sides[0].name == flags.endpoint
            sides.append(
                ComparedSide(name: flags.endpoint + (isNamedTwice ? " (2)" : ""), flags: flags, environment: nil))
        }
        return sides
    }

    /// The two words as paths of files. Nil if there are not two words, or if the second word has the form NAME=VALUE.
    private static func files(_ words: [String]) -> [String]? {
        guard words.count == 2 else { return nil }
        let name = words[1].prefix { $0 != "=" && $0 != "@" }
        return words[1].contains("=") && Name.isValid(String(name)) ? nil : words
    }

    private static func refuse(
        _ groups: [OptionGroup], _ arguments: ParsedArguments, _ reason: String
    ) throws(UsageError) {
        guard let option = groups.lazy.compactMap({ arguments.firstGiven(of: $0) }).first else { return }
        throw mistake(
            "\(option.longSpelling) can only be used for new requests, but \(reason)",
            hint: "leave it out, or name two environments with --env")
    }

    private static func mistake(_ message: String, hint: String? = nil) -> UsageError {
        UsageError(message, hint: hint, command: spec.name)
    }

    package func run(in context: Context) async throws(Failure) -> ExitStatus {
        let responses: [ComparedResponse]
        let endpoint: String?
        var redactor = Redactor([])
        switch subject {
        case .kept(let kept):
            guard let history = History(of: try context.openIfThere(arguments), context) else {
                throw Failure(.usage, code: .historyMissing, "there is no history without a home folder")
            }
            (endpoint, responses) = try kept.read(from: history, context)
        case .files(let paths):
            endpoint = nil
            responses = try paths.map { path throws(Failure) in try read(path, context) }
        case .calls(let sides):
            let received = try await ComparedCalls(sides, arguments, context).responses()
            endpoint = sides[0].environment.map { _ in sides[0].flags.endpoint }
            responses = received.map(\.response)
            redactor = Redactor(received.flatMap(\.secrets))
        }
        let comparison = try compare(responses, redactor)
        for note in comparison.notes { context.note(redactor.redact(note).text) }
        let report = DifferenceReport(endpoint: endpoint, comparison: comparison)
        if arguments[Self.json] {
            context.output.write(report.json.pretty + "\n")
        } else {
            context.write(report.lines(width: context.outputWidth))
        }
        return comparison.isSame ? .success : .expectationFailed
    }

    private func read(_ path: String, _ context: Context) throws(Failure) -> ComparedResponse {
        do throws(Failure) {
            return ComparedResponse(
                name: path == "-" ? "stdin" : path,
                body: try context.read(path, upTo: arguments[Self.maxBody].bytes, called: path))
        } catch {
            guard path == arguments.positionals.first, Name.isValidID(path) else { throw error }
            throw Failure(
                .usage, code: .fileUnreadable, error.message,
                hint: "to compare the responses of an endpoint, name two environments with --env")
        }
    }

    private func compare(
        _ responses: [ComparedResponse], _ redactor: Redactor
    ) throws(Failure) -> ResponseComparison {
        var options = ResponseComparison.Options()
        options.ignored = arguments[Self.ignore]
        options.comparesShape = arguments[Self.shape]
        options.comparesHeaders = arguments[Self.headers]
        if arguments[Self.json] { options.mostKept = DifferenceReport.mostInJSON }
        do throws(JSONPathLimit) {
            return try ResponseComparison(responses[0], responses[1], options, redactor)
        } catch {
            throw Failure(.usage, code: .selectionFailed, "--ignore: \(error.message)")
        }
    }
}
