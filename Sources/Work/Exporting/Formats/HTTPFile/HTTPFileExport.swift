import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText

extension ExportFormat {
    /// A `.http` file for VS Code's REST Client and JetBrains' HTTP Client, and the files with the environments for both.
    static let httpFile = ExportFormat(
        name: "http", summary: "a .http file for VS Code and JetBrains, with files for the environments", mode: .open,
        abilities: { options in
            options[HTTPFileFlavor.self] == .jetbrains
                ? ToolAbilities(
                    features: [.needs, .captures, .headers, .body, .json, .types], operations: .common,
                    captures: [.member, .header, .match, .body, .status])
                : ToolAbilities(features: [.needs, .captures], captures: [.member, .header, .body])
        }
    ) { requests, notes in
        var writer = HTTPFileWriter(requests)
        let text = writer.text()
        notes += writer.notes
        return [ExportedFile("requests.http", text)] + writer.environments()
    }
}

/// The programs that a `.http` file is for.
package enum HTTPFileFlavor: String, CaseIterable, ExportChoice {
    case both, jetbrains, vscode

    package static let standard = Self.both
}

extension TemplateDialect {
    static func httpFile(_ flavor: HTTPFileFlavor) -> TemplateDialect {
        TemplateDialect(
            generated: { flavor.generated($0) }, literal: { text, _ in text }, escapesBraces: false,
            holds: { $0.isOneTrimmedLine && !$0.contains("{{") },
            impliesContentType: false)
    }
}

extension HTTPFileFlavor {
    /// The name or the call that makes the value of a placeholder for each request; nil if there is none.
    fileprivate func generated(_ placeholder: String) -> String? {
        let names = self == .jetbrains ? GeneratedNames.jetBrains : .restClient
        if let name = names.name(of: placeholder) { return name }
        let words = placeholder.split { $0 == " " }.map(String.init)
        switch (words.first, self) {
        case ("$random.int", _):
            // The tools leave the upper end out.
            guard words.count == 3, let from = Int(words[1]), let to = Int(words[2]), to < 1 << 39 else { return nil }
            return self == .jetbrains ? "$random.integer(\(from), \(to + 1))" : "$randomInt \(from) \(to + 1)"
        case ("$random.hex", .jetbrains) where words.count == 2: return "$random.hexadecimal(\(words[1]))"
        case ("$now", .both), ("$now", .vscode): return Self.shiftedTime(words)
        default: return nil
        }
    }

    /// The call for `$now | plus 2h | unix`.
    private static func shiftedTime(_ words: [String]) -> String? {
        guard words.count == 6, words[1] == "|", words[4] == "|", ["plus", "minus"].contains(words[2]),
            let name = ["unix": "$timestamp", "iso": "$datetime iso8601"][words[5]]
        else { return nil }
        let amount = words[3].prefix(while: \.isNumber)
        let unit = words[3].dropFirst(amount.count)
        guard Int(amount).map({ $0 < 10_000 }) == true, ["d", "h", "m", "s", "ms"].contains(unit) else { return nil }
        return "\(name) \(words[2] == "minus" ? "-" : "")\(amount) \(unit)"
    }
}
