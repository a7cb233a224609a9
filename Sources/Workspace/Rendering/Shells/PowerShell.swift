import Foundation

/// The syntax of PowerShell. Quotes inside quotes are doubled, curly quotes count as quotes, too, and pipes change bytes.
struct PowerShell: ShellSyntax {
    let curl = "curl.exe"
    let continuation = " `"

    func quote(_ text: String) -> String {
        if isPlain(text) { return text }
        return "'" + escaping(text) { Self.singleQuotes.contains($0) ? "\($0)\($0)" : nil } + "'"
    }

    func word(_ pieces: [ValuePiece]) -> String {
        let hasSecret = pieces.contains { if case .secret = $0 { true } else { false } }
        let texts = pieces.map { piece in
            switch piece {
            case .bytes(let bytes): hasSecret ? quotedInside(bytes) : quote(String(decoding: bytes, as: UTF8.self))
            case .secret(let secret): expansion(of: secret)
            }
        }
        // Two strings side by side would be two arguments, so a word with an expansion uses only double quotes.
        return hasSecret ? "\"" + texts.joined() + "\"" : texts.joined()
    }

    /// False for a program's output of several lines, because PowerShell makes a list of the lines and joins them with spaces.
    func keeps(_ secret: RenderedSecret) -> Bool {
        if case .command = secret.source { return !secret.value.utf8.contains { $0 == 0x0A || $0 == 0x0D } }
        return !secret.isMadeByPOSIXShell
    }

    func guarding(_ needs: CommandNeeds) -> String? {
        let variables = needs.variables.map { "if (-not ${env:\($0)}) { throw '\($0) is not set' };" }
        let files = needs.paths.map { path in
            "if (-not (Test-Path -LiteralPath \(word(path)))) { throw 'a file of the request is missing' };"
        }
        let checks = variables + files
        return checks.isEmpty ? nil : checks.joined(separator: " ")
    }

    func feeding(_ body: [BodyPiece]) -> (before: String, argument: String)? {
        guard case .bytes(let bytes)? = body.first, body.count == 1 else { return nil }
        let write =
            "[IO.File]::WriteAllBytes($body, [Convert]::FromBase64String('\(Data(bytes).base64EncodedString())'));"
        return ("$body = [IO.Path]::GetTempFileName(); \(write)", "\"@$body\"")
    }

    func caveat(aboutArgument text: String) -> String? {
        text.utf8.contains(UInt8(ascii: "\""))
            ? "PowerShell before 7.3 drops double quotes inside arguments: use 7.3 or later" : nil
    }

    private static let singleQuotes: Set<Unicode.Scalar> = ["'", "\u{2018}", "\u{2019}", "\u{201A}", "\u{201B}"]
    private static let doubleQuotes: Set<Unicode.Scalar> = ["\"", "\u{201C}", "\u{201D}", "\u{201E}"]

    private func quotedInside(_ bytes: [UInt8]) -> String {
        escaping(String(decoding: bytes, as: UTF8.self)) {
            Self.doubleQuotes.contains($0) || $0 == "`" || $0 == "$" ? "`\($0)" : nil
        }
    }

    /// A command that runs `call` in another folder, and then returns to the current folder.
    private func inside(_ folder: String?, _ call: String) -> String {
        guard let folder else { return call }
        return "Push-Location -LiteralPath \(quote(folder)); try { \(call) } finally { Pop-Location }"
    }

    func assignment(of variable: String, toOutputOf words: [String]) -> String {
        "$env:\(variable) = & \(words.map(quote).joined(separator: " "))"
    }

    private func expansion(of secret: RenderedSecret) -> String {
        switch secret.source {
        case .environment(let name): "${env:\(name)}"
        case .command(let argv, let folder):
            "$(" + inside(folder, "& " + argv.map(quote).joined(separator: " ")) + ")"
        case .file(let path): "$((Get-Content -Raw -LiteralPath \(quote(path))).TrimEnd(\"`n\"))"
        case .pipe, .output, .unknown: "<\(secret.label)>"
        }
    }
}
