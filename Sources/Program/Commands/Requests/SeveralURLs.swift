import CommandLineKit
import Importing
import ReqcliBasics
import ReqcliText

/// The command lines that a typed URL with ranges or lists stands for: `:8080/users/[1-3]`, `http://h/{a,b}`, as in curl.
struct SeveralURLs {
    let lines: [ParsedArguments]

    /// The commands that take one request.
    private static let commands = [SendCommand.spec.name, RenderCommand.spec.name, ExplainCommand.spec.name]

    /// Nil if the command sends or shows just one request.
    init?(_ arguments: ParsedArguments) throws(UsageError) {
        guard Self.commands.contains(arguments.command.name),
            // Most lines have no bracket.
            let index = arguments.positionals.prefix(2).firstIndex(where: Self.hasBracket),
            try TypedRequest(arguments) != nil, let urls = Self.urls(arguments.positionals[index])
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
                option.name == SendOptions.output.spec.name ? Self.naming(option.word, url.parts) : option.word
            }
            guard
                case .run(let line) = try Program.spec.parse([arguments.command.name] + options + ["--"] + positionals)
            else { continue }
            lines.append(line)
        }
        self.lines = lines
    }

    private static func hasBracket(_ word: String) -> Bool {
        word.utf8.contains { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
    }

    /// The URLs of a word; nil if it is a single URL. A list of anything but plain words, or in a query, is part of the URL, because
    /// it may be JSON or a template.
    private static func urls(_ word: String) -> [(text: String, parts: [String])]? {
        guard let url = CurlURL.read(word) else { return nil }
        var isQuery = false
        for piece in url.pieces {
            switch piece {
            case .text(let text): isQuery = isQuery || text.text?.contains("?") != false
            case .alternatives(let words, _):
                let isPlain = words.allSatisfy { word in
                    word.text?.utf8.allSatisfy { $0.isPlain } == true
                }
                guard !isQuery, words.count > 1, isPlain else { return nil }
            case .numbers, .letters: break
            }
        }
        let urls = url.expanded(atMost: CurlCommand.mostURLs)
        return urls.count > 1 ? urls.compactMap { url in url.word.text.map { ($0, url.parts) } } : nil
    }

    /// `--output=user-#1.json` with the parts of one URL.
    private static func naming(_ word: String, _ parts: [String]) -> String {
        parts.enumerated().reduce(word) { $0.replacing("#\($1.offset + 1)", with: $1.element) }
    }
}

extension UInt8 {
    fileprivate var isPlain: Bool { isAlphanumeric || "-._~/".utf8.contains(self) }
}
