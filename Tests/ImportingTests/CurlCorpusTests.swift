import Foundation
import Importing
import ShellWords
import SourceText
import TestSupport
import Testing

/// Commands from the wild, kept outside the repository, and damaged ones.
@Suite("Many curl commands")
struct CurlCorpusTests {
    static let folder =
        (ProcessInfo.processInfo.environment["REQCLI_CORPORA"]
            ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared/corpora").path)
        + "/curl-commands"
    static let isThere = FileManager.default.fileExists(atPath: folder)

    @Test(
        "Each command from the wild is read, or refused with a reason",
        .enabled(if: isThere, "not run: there is no \(folder); set REQCLI_CORPORA to the folder above it"))
    func corpus() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder).filter { $0.hasSuffix(".sh") }
        #expect(names.count > 100)
        // curl refuses a form with data, too; the input of the others is the output of a program.
        let refused: Set = [
            "j_data_priority_than_f.sh", "redirect_command_data.sh", "redirect_command_url_query.sh",
        ]
        for name in names {
            let text = try String(contentsOfFile: "\(Self.folder)/\(name)", encoding: .utf8)
            let (commands, messages) = readCurl(text)
            let errors = messages.filter { !$0.contains(": warning: ") }
            #expect(errors.isEmpty == !refused.contains(name), "\(name): \(errors)")
            #expect(!commands.isEmpty || refused.contains(name), "\(name)")
        }
    }

    static let pieces = [
        "curl ", " -d ", " -F ", " -H ", " -T ", "-X", "--", "--dat", "--no-", "-:", "--next ", " x ", "a=", "@-",
        "=<-", "'", "\"",
        ";type=", ";filename=\"", "\\", "{", "}", "[1-", "9]", "[a-z:", ",", "$A", "${A:-b}", "é", "\n", " | ",
        "echo a", "<<E\n",
        "E\n", "-m ", "99999999999999999999", ".", "-1", " -b ", ":", "-u", "--expand-url ", "[::1]", "=(", "-r ",
        ";auto", "-e ",
    ]

    @Test("Damaged commands are read or refused, and nothing traps")
    func damaged() {
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<10_000 {
            var text = "curl "
            for _ in 0..<Int.random(in: 1...14, using: &generator) {
                text += Self.pieces.randomElement(using: &generator) ?? ""
            }
            let (commands, problems) = CurlCommand.read(ShellScript.read(SourceFile(name: "x", text: text)))
            #expect(!commands.isEmpty || !problems.isEmpty, "\(text)")
            #expect(commands.allSatisfy { !$0.targets.isEmpty && !$0.shown.isEmpty })
            #expect(problems.allSatisfy { ($0.place?.range.upperBound ?? 0) <= text.utf8.count }, "\(text)")
        }
    }

    static let repeated = [
        " x", " -dx", " -d", " -d@-", " -F'a=b;c'", " -F'a=@b,'", " -Fa=\\\"\\\\", " -b a=b", " --sil", " --hedaer",
        " -Hx:y", " -W",
        " {a,b}", "{a}", "[1-2]", "\\{", "{a,", "[", " -: x", " -m1", ",", ";type=a/b", "$A", " | curl x", " -e a;auto",
        " -A$B",
    ]

    @Test("Time grows with the length, whatever a command repeats", arguments: repeated)
    func linear(_ piece: String) {
        for start in ["curl x", "curl -F 'a=\"b", "curl 'x"] {
            let factor = Growth.fourfold(200) { count in
                let text = start + String(repeating: piece, count: count) + (start.contains("'") ? "'" : "")
                _ = CurlCommand.read(ShellScript.read(SourceFile(name: "x", text: text), dialect: .sh))
            }
            #expect(factor < 9, "\(start)")
        }
    }
}
