import Calling
import CommandLineKit
import Importing
import ReqcliAssembly
import ReqcliBasics
import ReqcliText
import RequestBuilding

/// The command lines that a typed URL with ranges or lists stands for: `:8080/users/[1-3]`, `http://h/{a,b}`, as in curl.
struct SeveralURLs {
    let lines: [ParsedArguments]
    /// The maximum number of requests that are made at the same time.
    let jobs: Int
    /// The method of the requests, if they are sent, may change something, and the command line doesn't agree to them.
    private let unsafeMethod: String?

    /// The commands that take one request.
    private static let commands = [SendCommand.spec.name, RenderCommand.spec.name, ExplainCommand.spec.name]

    /// Nil if the command sends or shows just one request.
    init?(_ arguments: ParsedArguments) throws(UsageError) {
        guard Self.commands.contains(arguments.command.name),
            // Most lines have no bracket.
            arguments.positionals.prefix(2).contains(where: Self.hasBracket),
            let index = try TypedRequest.targetIndex(arguments), let urls = try Self.urls(arguments.positionals[index])
        else { return nil }
        if let option = [Watching.flag.spec, RecordingOptions.save.spec, RecordingOptions.saveStub.spec].first(where: {
            spec in
            arguments.givenOptions.contains { $0.name == spec.name }
        }) {
            throw UsageError(
                "\(option.longSpelling) takes one request; the URL stands for \(urls.count)",
                hint: "write the brackets as %5B and %5D, or %7B and %7D, to send them", command: arguments.command.name
            )
        }
        var lines: [ParsedArguments] = []
        for url in urls {
            var positionals = arguments.positionals
            positionals[index] = url.text
            let options = arguments.givenOptions.map { option in
                option.name == SendOptions.output.spec.name ? CurlURL.naming(option.word, url.parts) : option.word
            }
            guard
                case .run(let line) = try Program.spec.parse([arguments.command.name] + options + ["--"] + positionals)
            else { continue }
            lines.append(line)
        }
        self.lines = lines
        jobs = arguments.isDefined(SendOptions.jobs) ? arguments[SendOptions.jobs] : 1
        guard let first = lines.first, first.isDefined(SendOptions.yes), !first[SendOptions.yes] else {
            unsafeMethod = nil
            return
        }
        let methods = try RequestFlags(first).overrides.compactMap { override in
            if case .method(let method) = override.change { method } else { nil }
        }
        unsafeMethod = methods.last.flatMap { HTTPMethod.isSafe($0) ? nil : $0 }
    }

    /// Asks once before several requests that may change something. Without a terminal, they need `--yes`.
    func confirm(_ context: Context) throws(Failure) {
        guard let unsafeMethod, let first = lines.first else { return }
        guard TrustFlags(first).mayAsk, context.terminal.canAsk else {
            throw Failure(
                .usage, code: .usageInvalid,
                "the ranges and lists of the URL would send \(lines.count) \(unsafeMethod) requests",
                hint: "pass --yes if that is what you want")
        }
        switch context.answer("The URL stands for \(lines.count) \(unsafeMethod) requests. Send them?") {
        case .yes: return
        case .interrupted: throw Failure(.interrupted, [])
        case .other: throw Failure(.refusedByPolicy, code: .policyRefused, "not sent")
        }
    }

    private static func hasBracket(_ word: String) -> Bool {
        word.utf8.contains { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
    }

    /// The URLs of a word; nil if it has no range and no list. What may be JSON, a template or a regular expression is part of the
    /// URL: lists of anything but plain words, and everything in a query.
    private static func urls(_ word: String) throws(UsageError) -> [(text: String, parts: [String])]? {
        let query = word.unicodeScalars.firstIndex { $0 == "?" || $0 == "#" } ?? word.endIndex
        guard hasBracket(String(word[..<query])), let url = CurlURL.read(String(word[..<query])) else { return nil }
        var hasPart = false
        for piece in url.pieces {
            switch piece {
            case .text: break
            case .alternatives(let words, _):
                let isPlain = words.allSatisfy { word in
                    word.text?.utf8.allSatisfy { $0.isPlain } == true
                }
                guard words.count > 1, isPlain else { return nil }
                hasPart = true
            case .numbers, .letters: hasPart = true
            }
        }
        guard hasPart else { return nil }
        let urls = url.expanded(atMost: CurlCommand.mostURLs)
        if urls.isEmpty {
            throw UsageError("the ranges of the URL stand for more than \(CurlCommand.mostURLs) URLs")
        }
        return urls.compactMap { url in url.word.text.map { ($0 + word[query...], url.parts) } }
    }
}

extension UInt8 {
    fileprivate var isPlain: Bool { isAlphanumeric || "-._~/".utf8.contains(self) }
}
