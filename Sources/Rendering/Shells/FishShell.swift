/// fish: in single quotes a backslash still escapes itself and the quote.
struct FishShell: ShellSyntax {
    let curl = "curl"
    let continuation = " \\"

    func quote(_ text: String) -> String {
        if isPlain(text) { return text }
        return "'" + escaping(text) { $0 == "\\" || $0 == "'" ? "\\\($0)" : nil } + "'"
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

    /// fish has no `${NAME:?}`: an unset variable would be sent as nothing.
    func guarding(_ secrets: [RenderedSecret]) -> String? {
        let checks = secrets.compactMap { secret -> String? in
            guard case .environment(let name) = secret.source else { return nil }
            return "test -n \"$\(name)\"; and"
        }
        return checks.isEmpty ? nil : checks.joined(separator: " ")
    }

    func feeding(_ body: [BodyPiece]) -> (before: String, argument: String)? {
        var checks: [String] = []
        let commands = body.map { piece in
            switch piece {
            case .bytes(let bytes): return "printf " + quote(PrintfFormat.format(bytes))
            case .secret(let secret): return "printf %s \"\(expansion(of: secret))\""
            case .file(let path):
                checks.append("test -r \(quote(path)); and")
                return "cat -- " + quote(path)
            }
        }
        let source = commands.count == 1 ? commands[0] : "begin; " + commands.joined(separator: "; ") + "; end"
        return ((checks + [source]).joined(separator: " ") + " |", "@-")
    }

    private func expansion(of secret: RenderedSecret) -> String {
        switch secret.source {
        case .environment(let name): "$\(name)"
        case .command(let argv): "$(" + argv.map(quote).joined(separator: " ") + ")"
        case .file(let path): "$(cat -- " + quote(path) + ")"
        case .unknown: "<\(secret.label)>"
        }
    }
}
