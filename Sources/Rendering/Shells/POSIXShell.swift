/// dash, bash, zsh: single quotes round everything, and never `$'…'`, which dash doesn't know.
struct POSIXShell: ShellSyntax {
    let curl = "curl"
    let continuation = " \\"

    func quote(_ text: String) -> String {
        if isPlain(text) { return text }
        return "'" + escaping(text) { $0 == "'" ? "'\\''" : nil } + "'"
    }

    func word(_ pieces: [ValuePiece]) -> String {
        pieces.map { piece in
            switch piece {
            case .bytes(let bytes): quote(String(decoding: bytes, as: UTF8.self))
            case .secret(let secret): "\"\(expansion(of: secret))\""
            }
        }
        .joined()
    }

    /// `${NAME:?}` inside a word ends the command before it runs.
    func guarding(_ secrets: [RenderedSecret]) -> String? { nil }

    func feeding(_ body: [BodyPiece]) -> (before: String, argument: String)? {
        // In a pipeline a failed expansion or a missing file would not keep curl from sending the rest.
        var checks: [String] = []
        let commands = body.map { piece in
            switch piece {
            case .bytes(let bytes): return "printf " + quote(PrintfFormat.format(bytes))
            case .secret(let secret):
                if case .environment = secret.source { checks.append(": \"\(expansion(of: secret))\"") }
                return "printf %s \"\(expansion(of: secret))\""
            case .file(let path):
                checks.append("[ -r \(quote(path)) ]")
                return "cat -- " + quote(path)
            }
        }
        let source = commands.count == 1 ? commands[0] : "{ " + commands.joined(separator: "; ") + "; }"
        return ((checks + [source]).joined(separator: " && ") + " |", "@-")
    }

    private func expansion(of secret: RenderedSecret) -> String {
        switch secret.source {
        case .environment(let name): "${\(name):?}"
        case .command(let argv): "$(" + argv.map(quote).joined(separator: " ") + ")"
        case .file(let path): "$(cat -- " + quote(path) + ")"
        case .unknown: "<\(secret.label)>"
        }
    }
}
