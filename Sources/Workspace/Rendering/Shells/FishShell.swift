/// The syntax of fish. Inside single quotes, a backslash still escapes a backslash or a single quote.
struct FishShell: ShellSyntax {
    let curl = "curl"
    let continuation = " \\"

    func quote(_ text: String) -> String {
        if isPlain(text) { return text }
        return "'" + escaping(text) { $0 == "\\" || $0 == "'" ? "\\\($0)" : nil } + "'"
    }

    func word(_ pieces: [ValuePiece]) -> String {
        // fish 3.6 reads single quotes after `"$(…)"` as a part of the substitution. So a word with a substitution uses only
        // double quotes.
        let hasSubstitution = pieces.contains { piece in
            guard case .secret(let secret) = piece else { return false }
            if case .environment = secret.source { return false }
            return true
        }
        return pieces.map { piece in
            switch piece {
            case .bytes(let bytes):
                let text = String(decoding: bytes, as: UTF8.self)
                return hasSubstitution ? doubleQuote(text) : quote(text)
            case .secret(let secret): return "\"\(expansion(of: secret))\""
            }
        }
        .joined()
    }

    private func doubleQuote(_ text: String) -> String {
        "\"" + escaping(text) { $0 == "\\" || $0 == "\"" || $0 == "$" ? "\\\($0)" : nil } + "\""
    }

    func guarding(_ needs: CommandNeeds) -> String? {
        // fish has no `${NAME:?}`, and would send an unset variable as an empty text.
        let checks = needs.variables.map { "test -n \"$\($0)\" &&" } + needs.paths.map { "test -r \(word($0)) &&" }
        return checks.isEmpty ? nil : checks.joined(separator: " ")
    }

    func feeding(_ body: [BodyPiece]) -> (before: String, argument: String)? {
        piping(body, groupedBy: ("begin; ", "; end")) { "\"\(expansion(of: $0))\"" }
    }

    func assignment(of variable: String, toOutputOf words: [String]) -> String {
        "set -x \(variable) \"$(\(words.map(quote).joined(separator: " ")))\""
    }

    private func expansion(of secret: RenderedSecret) -> String {
        switch secret.source {
        case .environment(let name): "$\(name)"
        case .command(let argv, let folder):
            // fish runs substitutions in the shell itself, and the folder of the shell must not change. So `sh` changes its own
            // folder.
            "$("
                + ((folder.map { ["sh", "-c", "cd \"$0\" && exec \"$@\"", $0] } ?? []) + argv).map(quote)
                .joined(separator: " ") + ")"
        case .file(let path): "$(cat -- " + quote(path) + ")"
        case .pipe, .output, .unknown: "<\(secret.label)>"
        }
    }
}
