import ReqcliBasics
package import ReqcliText

extension ShellDialect {
    /// The shell that a text is quoted for, guessed from its line ends and escaped quotes.
    static func guess(_ bytes: [UInt8]) -> ShellDialect {
        var marks = Marks()
        for (index, byte) in bytes.enumerated() {
            let before = index > 0 ? bytes[index - 1] : .space
            let after = index + 1 < bytes.count ? bytes[index + 1] : .lineFeed
            let endsLine = after == .lineFeed || after == .carriageReturn
            switch byte {
            case .backslash where endsLine: marks.backslashAtEnd = true
            case UInt8(ascii: "^"):
                if endsLine, before.isSpaceOrTab || before == .quote { marks.caret = true }
                if after == .quote, before.isSpaceOrTab { marks.caret = true }
            case UInt8(ascii: "`"):
                if endsLine, before.isSpaceOrTab { marks.backquoteAtEnd = true }
                if after == .quote, before != UInt8(ascii: "`") { marks.escapedQuotes += 1 }
                marks.backquotes += 1
            case .apostrophe: marks.apostrophe = true
            default: break
            }
        }
        if marks.backslashAtEnd { return .sh }
        if isForPowerShell(bytes), bytes.firstRange(of: Array(" --% ".utf8)) != nil { return .powershell }
        if marks.caret { return .cmd }
        if marks.backquoteAtEnd { return .powershell }
        // Command substitutions of POSIX shells also have backquotes, but there is usually no quote after such a backquote.
        if marks.escapedQuotes > 0, marks.escapedQuotes * 2 > marks.backquotes { return .powershell }
        return marks.apostrophe && isForPowerShell(bytes) ? .powershell : .sh
    }

    private struct Marks {
        var backslashAtEnd = false
        var caret = false
        var backquoteAtEnd = false
        var backquotes = 0
        var escapedQuotes = 0
        var apostrophe = false
    }

    /// Whether the text begins with `curl.exe`. Users write `curl.exe` in PowerShell, because `curl` is another command there.
    private static func isForPowerShell(_ bytes: [UInt8]) -> Bool {
        bytes.drop { $0.isJSONWhitespace || $0 == UInt8(ascii: "&") }.starts(with: "curl.exe".utf8)
    }
}

/// Finds commands that browsers can copy and that aren't curl commands.
package enum ForeignCommand {
    /// The problem of a text that begins with such a command; nil for other texts.
    package static func problem(in file: SourceFile) -> Diagnostic? {
        var offset = 0
        while offset < file.bytes.count {
            let line = file.lineRange(containing: offset)
            let text = file.text(line.lowerBound..<min(line.upperBound, line.lowerBound + 200))
            let trimmed = text.drop { $0 == " " || $0 == "\t" }
            if trimmed.isEmpty || trimmed.hasPrefix("#") || trimmed.hasPrefix("//") {
                offset = (file.bytes[line.upperBound...].firstIndex(of: .lineFeed) ?? file.bytes.count) + 1
                continue
            }
            let start = line.lowerBound + text.utf8.count - trimmed.utf8.count
            return name(trimmed.lowercased(), in: file).map { name in
                Diagnostic(
                    code: .shellForeign, "found \(name), expected a curl command",
                    at: Place(file, start..<line.upperBound),
                    hint: "in the browser's list of requests choose \"Copy as cURL (bash)\"")
            }
        }
        return nil
    }

    private static func name(_ line: String, in file: SourceFile) -> String? {
        if ["fetch(", "await fetch("].contains(where: line.hasPrefix) { return "a call of fetch" }
        if line.hasPrefix("iwr ") || line.hasPrefix("irm ") { return "Invoke-WebRequest" }
        // PowerShell's command is often after lines that set a variable.
        return ["Invoke-WebRequest", "Invoke-RestMethod"].first { name in
            line.hasPrefix(name.lowercased()) || line.hasPrefix("$") && begins(aLineOf: file.bytes, with: name)
        }
    }

    /// Whether a line begins with a command, or assigns its result to a variable.
    private static func begins(aLineOf bytes: [UInt8], with name: String) -> Bool {
        bytes.split(separator: .lineFeed).contains { line in
            let value = line.first == UInt8(ascii: "$") ? line.drop { $0 != UInt8(ascii: "=") }.dropFirst() : line
            return value.trimmingSpacesAndTabs.starts(with: name.utf8)
        }
    }
}
