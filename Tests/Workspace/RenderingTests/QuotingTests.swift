import Foundation
import TestSupport
import Testing
import ToolSupport

@testable import Rendering

/// The quoting for each shell, compared as text and, if the shell is installed, by running it.
@Suite struct QuotingTests {
    @Test(
        "POSIX: a word is single-quoted, and a quote inside it becomes '\\''",
        arguments: [
            ("", "''"), ("plain-1.0/x:y_z", "plain-1.0/x:y_z"), ("a b", "'a b'"), ("a'b", "'a'\\''b'"),
            ("$x`y`\\", "'$x`y`\\'"),
            ("line\nbreak", "'line\nbreak'"), ("~", "'~'"), ("=cmd", "'=cmd'"), ("{a,b}", "'{a,b}'"),
            ("'\u{301}", "''\\''\u{301}'"), ("é", "'é'"),
        ])
    func posix(text: String, expected: String) {
        #expect(POSIXShell().quote(text).utf8.elementsEqual(expected.utf8))
    }

    @Test(
        "fish: a word is single-quoted, and a backslash escapes backslashes and quotes",
        arguments: [
            ("", "''"), ("a b", "'a b'"), ("a'b", "'a\\'b'"), ("a\\b", "'a\\\\b'"), ("\\'", "'\\\\\\''"),
            ("$x (y)", "'$x (y)'"),
            ("'\u{301}", "'\\'\u{301}'"),
        ])
    func fish(text: String, expected: String) {
        #expect(FishShell().quote(text).utf8.elementsEqual(expected.utf8))
    }

    @Test(
        "PowerShell: a word is single-quoted, and quotes inside it are doubled, curly ones too",
        arguments: [
            ("", "''"), ("a b", "'a b'"), ("a'b", "'a''b'"),
            ("a\u{2018}b\u{2019}", "'a\u{2018}\u{2018}b\u{2019}\u{2019}'"),
            ("$x`n\"", "'$x`n\"'"), ("\u{201A}\u{201B}", "'\u{201A}\u{201A}\u{201B}\u{201B}'"),
            ("'\u{301}", "'''\u{301}'"),
        ])
    func powershell(text: String, expected: String) {
        #expect(PowerShell().quote(text).utf8.elementsEqual(expected.utf8))
    }

    @Test(
        "an environment secret beside quoted text uses each shell's own syntax",
        arguments: [
            (Shell.sh, "'a'\\''b '\"${TOKEN:?}\"'$c'"), (.fish, "'a\\'b '\"$TOKEN\"'$c'"),
            (.powershell, "\"a'b ${env:TOKEN}`$c\""),
        ])
    func environmentSecret(shell: Shell, expected: String) {
        let secret = RenderedSecret(name: "t", value: "v", source: .environment("TOKEN"))
        let pieces: [ValuePiece] = [.bytes(Array("a'b ".utf8)), .secret(secret), .bytes(Array("$c".utf8))]
        #expect(shell.syntax.word(pieces) == expected)
    }

    @Test(
        "a secret from a command or a file is read when the rendered command runs",
        arguments: [
            (Shell.sh, "\"$(pass show 'a b')\"", "\"$(cat -- /s/t)\""),
            (.fish, "\"$(pass show 'a b')\"", "\"$(cat -- /s/t)\""),
            (
                .powershell, "\"$(& pass show 'a b')\"",
                "\"$((Get-Content -Raw -LiteralPath /s/t).TrimEnd(\"`n\"))\""
            ),
        ])
    func otherSecrets(shell: Shell, command: String, file: String) {
        let passed = RenderedSecret(name: "p", value: "v", source: .command(["pass", "show", "a b"]))
        let read = RenderedSecret(name: "f", value: "v", source: .file("/s/t"))
        #expect(shell.syntax.word([.secret(passed)]) == command)
        #expect(shell.syntax.word([.secret(read)]) == file)
    }

    @Test(
        "a secret's command that runs in another folder does not change the shell's folder",
        arguments: [
            (Shell.sh, "\"$(cd '/a b' && pass show)\""),
            (.fish, "\"$(sh -c 'cd \"$0\" && exec \"$@\"' '/a b' pass show)\""),
            (
                .powershell,
                "\"$(Push-Location -LiteralPath '/a b'; try { & pass show } finally { Pop-Location })\""
            ),
        ])
    func commandElsewhere(shell: Shell, expected: String) {
        let secret = RenderedSecret(name: "p", value: "v", source: .command(["pass", "show"], folder: "/a b"))
        #expect(shell.syntax.word([.secret(secret)]) == expected)
    }

    @Test("PowerShell: characters that end or expand a double-quoted word are escaped, curly quotes too")
    func powershellDouble() {
        let secret = RenderedSecret(name: "t", value: "v", source: .environment("T"))
        let pieces: [ValuePiece] = [.bytes(Array("\"`$\u{201C}\u{201D}\u{201E}'".utf8)), .secret(secret)]
        #expect(PowerShell().word(pieces) == "\"`\"```$`\u{201C}`\u{201D}`\u{201E}'${env:T}\"")
    }

    @Test(
        "printf: nonprintable bytes become octal, and no text starts a conversion or an option",
        arguments: [
            (Array("a b'é".utf8), "a b'é"), ([0, 255, 0x61], "\\000\\377a"),
            (Array("100%\\n\n".utf8), "100%%\\\\n\\012"),
            (Array("-n -".utf8), "\\055n -"), ([0x7F], "\\177"), (Array("é".utf8) + [0xFF], "\\303\\251\\377"),
        ] as [([UInt8], String)])
    func printfFormat(bytes: [UInt8], expected: String) {
        #expect(PrintfFormat.format(bytes) == expected)
    }

    private static let hostile: [String] = {
        var random = SeededGenerator(seed: 3)
        let pieces = [
            "'", "\"", "\\", "$", "`", "(", ")", "{", "}", "\n", "\r", "\t", " ", "!", "*", "?", "~", "#", "&", "|",
            ";", "<",
            ">", "=", "%", "@", "^", ",", "\u{301}", "é", "\u{2018}", "\u{2019}", "\u{A0}", "\u{85}", "\u{1}", "a", "-",
            "EOF",
        ]
        return (0..<400).map { _ in
            (0..<Int.random(in: 0...8, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        }
    }()

    @Test(
        "the installed shell reads a quoted word back as the original text",
        arguments: [("dash", Shell.sh), ("bash", .sh), ("zsh", .sh), ("fish", .fish)])
    func realShells(name: String, shell: Shell) async throws {
        guard let path = Tool.path(of: name) else {
            // Not every machine has every shell. The tests above run everywhere.
            return
        }
        let folder = try TemporaryFolder()
        let script = Self.hostile.map { "printf '%s\\000' \(shell.syntax.quote($0))\n" }.joined()
        let file = try folder.write("script", Array(script.utf8))
        let outcome = try await Tool.run(
            file, in: folder.path, variables: ["LC_ALL": "C.UTF-8", "HOME": folder.path], program: [path])
        #expect(outcome.output.elementsEqual(Self.hostile.map { $0 + "\0" }.joined().utf8), "\(outcome.errors)")
    }

    @Test(
        "the installed shell's printf prints the original bytes",
        arguments: [("dash", Shell.sh), ("bash", .sh), ("zsh", .sh), ("fish", .fish)])
    func realPrintf(name: String, shell: Shell) async throws {
        guard let path = Tool.path(of: name) else { return }
        let folder = try TemporaryFolder()
        let all = (0...255).map { UInt8($0) } + Array("-%s%%\\n\\0'é".utf8)
        let texts = Self.hostile.filter { !$0.isEmpty }.map { Array($0.utf8) } + [all]
        let script = texts.map { "printf \(shell.syntax.quote(PrintfFormat.format($0))) >>bytes\n" }.joined()
        let file = try folder.write("script", Array(script.utf8))
        _ = try await Tool.run(
            file, in: folder.path, variables: ["LC_ALL": "C.UTF-8", "HOME": folder.path], program: [path])
        #expect(folder.bytes("bytes") == Array(texts.joined()))
    }
}
