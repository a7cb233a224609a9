import Importing
import ReqcliText

extension ShellScript {
    static func read(_ text: String, _ dialect: ShellDialect? = nil) -> ShellScript {
        read(SourceFile(name: "curl.txt", text: text), dialect: dialect)
    }

    /// The words of the commands, with variables as `⟨NAME⟩` or `⟨NAME=fallback⟩`.
    var shown: [[String]] { commands.map { $0.words.map(\.shown) } }

    /// The problems as `line:column: message`.
    var messages: [String] {
        problems.map { problem in
            let position = problem.place.map { "\($0.start.line):\($0.start.column): " } ?? ""
            return position + (problem.severity == .warning ? "warning: " : "") + problem.message
        }
    }
}

extension ShellWord {
    var shown: String {
        parts.map { part in
            switch part.content {
            case .text(let text): text
            case .variable(let name, let fallback): "⟨\(name)\(fallback.map { "=\($0)" } ?? "")⟩"
            }
        }.joined()
    }
}

extension ShellCommand.Input {
    var shown: String {
        switch self {
        case .text(let word): "text: \(word.shown)"
        case .file(let word): "file: \(word.shown)"
        case .command: "command"
        }
    }
}
