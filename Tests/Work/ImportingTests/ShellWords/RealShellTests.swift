import Foundation
import Importing
import ReqcliText
import TestSupport
import Testing
import ToolSupport

/// Compares the words with those that real shells make.
@Suite("Words as bash and dash make them")
struct RealShellTests {
    /// The words with which a shell calls `curl` in each script, call by call.
    private func calls(of scripts: [String], by shell: String) async throws -> [[[String]]] {
        let folder = try TemporaryFolder()
        for (index, script) in scripts.enumerated() { try folder.write("\(index).sh", script + "\n") }
        // The commands of a pipeline may write at the same time, but each writes its words at once.
        let driver = """
            curl() { printf '%s\\0' "$#" "$@" >>"\(folder.path)/$number.calls"; }
            number=0
            while [ -f "$number.sh" ]; do (. "./$number.sh"); number=$((number+1)); done
            """
        _ = try await Tool.run(
            ["-c", driver], in: folder.path, variables: ["LC_ALL": "C.UTF-8"], program: [shell], within: .seconds(50))
        return scripts.indices.map { index in
            var texts = (folder.bytes("\(index).calls") ?? []).split(separator: 0, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }[...]
            var calls: [[String]] = []
            while let count = texts.popFirst().flatMap({ Int($0) }) {
                calls.append(Array(texts.prefix(count)))
                texts = texts.dropFirst(count)
            }
            return calls
        }
    }

    /// A word in a random style of quoting, which may change within the word.
    private func quoted(_ word: String, _ generator: inout SeededGenerator, isBash: Bool) -> String {
        if word.isEmpty { return "''" }
        var rest = word.unicodeScalars[...]
        var result = ""
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...6, using: &generator))
            rest = rest.dropFirst(piece.count)
            switch Int.random(in: 0...(isBash ? 4 : 2), using: &generator) {
            case 0: result += "'" + String(piece).replacing("'", with: "'\\''") + "'"
            case 1:
                let escaped = piece.map { "$`\"\\".unicodeScalars.contains($0) ? "\\\($0)" : "\($0)" }
                result += "\"" + escaped.joined() + "\""
            case 2: result += piece.map { $0 == "\n" ? "'\n'" : "\\\($0)" }.joined()
            case 3:
                let escaped = piece.map { scalar in
                    switch Int.random(in: 0...3, using: &generator) {
                    case 0: "\\u" + String(scalar.value, radix: 16).leftPadded(to: 4)
                    case 1: "\\U" + String(scalar.value, radix: 16).leftPadded(to: 8)
                    case 2: scalar.utf8.map { "\\" + String($0, radix: 8).leftPadded(to: 3) }.joined()
                    default: scalar.utf8.map { "\\x" + String($0, radix: 16).leftPadded(to: 2) }.joined()
                    }
                }
                result += "$'" + escaped.joined() + "'"
            default:
                result += "$'" + piece.map { "'\\".unicodeScalars.contains($0) ? "\\\($0)" : "\($0)" }.joined() + "'"
            }
            if Int.random(in: 0...9, using: &generator) == 0 { result += "\\\n" }
        }
        return result
    }

    @Test("Random words in random quotes", arguments: ["/bin/bash", "/bin/dash"])
    func random(_ shell: String) async throws {
        var generator = SeededGenerator(seed: 11)
        let letters = Array("ab01 \t\n'\"\\$`!#&;|<>(){}[]*?~^%=:,.-_/é€".unicodeScalars)
        var expected: [[String]] = []
        var script = ""
        for _ in 0..<1_500 {
            let words = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                var scalars = String.UnicodeScalarView()
                for _ in 0..<Int.random(in: 0...14, using: &generator) {
                    scalars.append(letters[Int.random(in: 0..<letters.count, using: &generator)])
                }
                return String(scalars)
            }
            expected.append(words)
            let texts = words.map { quoted($0, &generator, isBash: shell == "/bin/bash") }
            script += "curl " + texts.joined(separator: Bool.random(using: &generator) ? " " : " \\\n  ") + "\n"
        }
        #expect(try await calls(of: [script], by: shell) == [expected], "the test's own quotes are right")
        let read = ShellScript.read(script, .sh)
        #expect(read.messages == [])
        #expect(read.commands.map { $0.words.dropFirst().map { $0.text ?? "?" } } == expected)
    }

    static let folder = Repository.corpus("curl-commands")
    static let isThere = FileManager.default.fileExists(atPath: folder)

    @Test(
        "Commands from the wild have the words that a shell makes",
        .enabled(if: isThere, "not run: there is no \(folder); set REQCLI_CORPORA to the folder above it"))
    func corpus() async throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder).filter { $0.hasSuffix(".sh") }
        #expect(names.count > 100)
        var (files, sources, expected): ([String], [String], [[[String]]]) = ([], [], [])
        for name in names.sorted() {
            let text = try String(contentsOfFile: "\(Self.folder)/\(name)", encoding: .utf8)
            let script = ShellScript.read(text)
            #expect(script.dialect == .sh, "\(name)")
            let curls = script.commands.filter { $0.words.first?.text == "curl" }
            #expect(!curls.isEmpty || !script.problems.isEmpty, "\(name)")
            let words = curls.map { $0.words.dropFirst().map(\.text) }
            let isLiteral = words.allSatisfy { !$0.contains(nil) } && !text.contains("< $")
            guard script.problems.isEmpty, isLiteral else { continue }
            files.append(name)
            // A shell would not run a command whose input is missing.
            sources.append(text.replacing(#/ < [a-z_]+\.[a-z]+/#, with: " </dev/null"))
            expected.append(words.map { $0.compactMap { $0 } })
        }
        #expect(files.count > 95)
        let found = try await calls(of: sources, by: "/bin/bash")
        for (name, (found, expected)) in zip(files, zip(found, expected)) {
            // The commands of a pipeline call in any order.
            #expect(
                found.sorted { $0.joined() < $1.joined() } == expected.sorted { $0.joined() < $1.joined() }, "\(name)")
        }
    }

    @Test("A Chromium command reads the same from each shell's quotes")
    func chromium() {
        var generator = SeededGenerator(seed: 5)
        let letters = Array("ab01 '\"\\$`!#&;|<>(){}[]*?~^%=:,.-_/é€\n%%\\\\\"\"".unicodeScalars)
        for round in 0..<4_000 {
            let words = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                var scalars = String.UnicodeScalarView()
                for _ in 0..<Int.random(in: 0...14, using: &generator) {
                    scalars.append(letters[Int.random(in: 0..<letters.count, using: &generator)])
                }
                return String(scalars)
            }
            for style in Chromium.allCases {
                let expected = words.map(style.expressible)
                let texts = expected.map(style.quote)
                let source = (["curl"] + texts).joined(separator: style.separator)
                let script = ShellScript.read(source, style.dialect)
                #expect(script.shown == [["curl"] + expected], "round \(round), \(style): \(source)")
            }
        }
    }
}

/// How Chromium's developer tools have quoted the words of a copied command over the years.
private enum Chromium: CaseIterable {
    case posix, cmd, cmd2019, cmd2013, powerShell

    var dialect: ShellDialect {
        switch self {
        case .posix: .sh
        case .cmd, .cmd2019, .cmd2013: .cmd
        case .powerShell: .powershell
        }
    }

    var separator: String {
        switch dialect {
        case .sh: " \\\n  "
        case .cmd: " ^\n  "
        case .powershell: " `\n  "
        }
    }

    /// What the style can say of a word without doubt. The first one lost the number of line breaks, doubled backslashes for
    /// nothing, and its carets look like escapes. In PowerShell, `\"` is a quote of a program before version 7.3.
    func expressible(_ word: String) -> String {
        switch self {
        case .cmd2013: String(word.map { "\n\\^".contains($0) ? "x" : $0 })
        case .powerShell: word.replacing("\\", with: "x")
        default: word
        }
    }

    func quote(_ word: String) -> String {
        switch self {
        case .posix:
            guard word.contains(where: { $0 == "'" || $0 == "!" || $0 == "\n" }) else { return "'\(word)'" }
            let escaped = word.replacing("\\", with: "\\\\").replacing("'", with: "\\'").replacing("\n", with: "\\n")
            return "$'" + escaped.replacing("!", with: "\\u0021") + "'"
        case .cmd, .cmd2019:
            // The middle one escaped its quotes only around line breaks.
            let quote = self == .cmd || word.contains("\n") ? "^\"" : "\""
            let plain = quote == "^\"" ? "_-:=+~'/.',?;()*`" : "_-:=+~'/.',?;()*`&"
            var escaped = ""
            var before: Character?
            for character in word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") {
                let isWord = character.isASCII && (character.isLetter || character.isNumber)
                if before == "%", isWord || character == "_" { escaped += "^" }
                escaped +=
                    isWord || character.isWhitespace || plain.contains(character) ? "\(character)" : "^\(character)"
                before = character
            }
            return quote + escaped.replacing("\n", with: "^\n\n") + quote
        case .cmd2013:
            let escaped = word.replacing("\"", with: "\"\"").replacing("%", with: "\"%\"")
            return "\"" + escaped + "\""
        case .powerShell:
            // Not the browser's, which copies another command for PowerShell: what people write by hand.
            let escaped = word.map { "`$\"".contains($0) ? "`\($0)" : "\($0)" }.joined()
            return "\"" + escaped + "\""
        }
    }
}

extension String {
    fileprivate func leftPadded(to length: Int) -> String {
        String(repeating: "0", count: max(0, length - count)) + self
    }
}
