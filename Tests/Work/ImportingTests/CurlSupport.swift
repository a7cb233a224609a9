import Importing
import ReqcliText

/// Reads curl commands of a text, as a paste has it.
func readCurl(_ text: String, _ dialect: ShellDialect = .sh) -> (commands: [CurlCommand], messages: [String]) {
    let (commands, problems) = CurlCommand.read(
        ShellScript.read(SourceFile(name: "curl.txt", text: text), dialect: dialect))
    let messages = problems.map { problem in
        let position = problem.place.map { "\($0.start.line):\($0.start.column): " } ?? ""
        return position + (problem.severity == .warning ? "warning: " : "") + problem.message
    }
    return (commands, messages)
}

extension CurlCommand {
    /// What the command asks for, a line for each thing that isn't as without options.
    var shown: [String] {
        var lines = targets.map { target in
            "\(method(for: target).description) \(target.url.shown)\(target.upload.map { " \($0.shown)" } ?? "")"
        }
        lines += headers.map { "\($0.name.description): \($0.value?.description ?? "⟨removed⟩")" }
        lines += data.map { "data \($0.shown)" } + query.map { "query \($0.shown)" }
        lines += form.map(\.shown)
        let words = [
            ("user", user), ("bearer", bearer), ("aws", awsSigV4), ("ca", ca), ("cert", certificate), ("key", key),
            ("target", requestTarget),
        ]
        lines += words.compactMap { name, word in word.map { "\(name) \($0.description)" } }
        lines += transferSettings.map { "\($0.option.drop { $0 == "-" }) \($0.word.description)" }
        lines += authKinds.map { "auth \($0.value)" } + cookieFiles.map { "cookies \($0.description)" }
        if sendsDataAsQuery { lines.append("get") }
        if keepsDotSegments { lines.append("path-as-is") }
        let switches = [
            ("follow", followsRedirects), ("trust", trustsRedirects), ("insecure", isInsecure),
            ("all-errors", retriesAllErrors), ("refused", retriesRefusedConnections),
        ]
        lines += switches.compactMap { name, setting in setting.map { "\(name) \($0.value)" } }
        lines += [("redirects", maxRedirects), ("retries", retries)].compactMap { name, setting in
            setting.map { "\(name) \($0.value)" }
        }
        let durations = [
            ("timeout", timeout), ("connect", connectTimeout), ("delay", retryDelay), ("retry-max", retryMaxTime),
        ]
        lines += durations.compactMap { name, setting in setting.map { "\(name) \($0.value)" } }
        if let minTLSVersion { lines.append("tls \(minTLSVersion.value)") }
        lines += unsupported.map { note in
            "note \(note.option)\(note.value.map { " \($0.description)" } ?? "") → \(note.flag ?? "none")"
        }
        return lines
    }
}

extension CurlURL {
    var shown: String {
        pieces.map { piece in
            switch piece {
            case .text(let word): word.description
            case .alternatives(let words, _): "{" + words.map(\.description).joined(separator: "|") + "}"
            case .numbers(let range, let step, let width, _): "[\(range) by \(step), \(width) wide]"
            case .letters(let range, let step, _):
                "[\(Character(Unicode.Scalar(range.lowerBound)))…\(Character(Unicode.Scalar(range.upperBound))) by \(step)]"
            }
        }.joined()
    }
}

extension CurlContent {
    var shown: String {
        switch self {
        case .text(let word): "'\(word.description)'"
        case .file(let word): "<\(word.description)>"
        }
    }
}

extension CurlData {
    var shown: String { "\(kind) \(name.map { "\($0.description)=" } ?? "")\(content.shown)" }
}

extension CurlFormPart {
    var shown: String {
        let text =
            switch content {
            case .text(let word): "'\(word.description)'"
            case .upload(let word): "@\(word.description)"
            case .contentOfFile(let word): "<\(word.description)"
            }
        let fields = [("type", type), ("filename", filename), ("encoder", encoder)].compactMap { name, word in
            word.map { " \(name)=\($0.description)" }
        }
        return "part \(name.description) \(text)" + fields.joined()
            + headers.map { " header=\($0.description)" }.joined()
    }
}
