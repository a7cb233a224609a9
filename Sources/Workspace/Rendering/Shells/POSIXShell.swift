import ReqcliBasics

/// The syntax of dash, bash and zsh. Text is in single quotes. `$'…'` is never used, because dash doesn't support it.
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

    func guarding(_ needs: CommandNeeds) -> String? {
        // Without a pipe, `${NAME:?}` in the arguments of curl already stops the command before it runs.
        let isPiped = needs.isFed || needs.secrets.contains(where: \.isMadeByPOSIXShell)
        let variables = isPiped ? needs.variables.map { ": \"${\($0):?}\" &&" } : []
        let programs = needs.secrets.reduce(into: Set<String>()) {
            if case .output(_, let programs) = $1.source { $0.formUnion(programs) }
        }
        let checks =
            variables + programs.sorted().map { "command -v \($0) > /dev/null &&" }
            + needs.paths.map { "[ -r \(word($0)) ] &&" }
        return checks.isEmpty ? nil : checks.joined(separator: " ")
    }

    func keeps(_ secret: RenderedSecret) -> Bool { true }

    func feeding(_ body: [BodyPiece]) -> (before: String, argument: String)? {
        piping(body, groupedBy: ("{ ", "; }")) { "\"\(expansion(of: $0))\"" }
    }

    func assignment(of variable: String, toOutputOf words: [String]) -> String {
        "export \(variable)=\"$(\(words.map(quote).joined(separator: " ")))\""
    }

    private func expansion(of secret: RenderedSecret) -> String {
        switch secret.source {
        case .environment(let name): "${\(name):?}"
        case .command(let argv, let folder):
            "$(" + (folder.map { "cd \(quote($0)) && " } ?? "") + argv.map(quote).joined(separator: " ") + ")"
        case .file(let path): "$(cat -- " + quote(path) + ")"
        case .output(let line, _): "$(\(line))"
        case .pipe, .unknown: "<\(secret.label)>"
        }
    }
}
