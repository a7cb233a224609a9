import Foundation
import Importing
import ReqcliText
import TestSupport
import Testing
import ToolSupport

/// Commands from the wild, kept outside the repository, and damaged ones.
@Suite("Many curl commands")
struct CurlCorpusTests {
    static let folder = Repository.corpus("curl-commands")
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

    static let curl = Tool.path(of: "curl")

    @Test(
        "An option takes a value if the installed curl says so",
        .enabled(if: curl != nil, "not run: curl is not installed"))
    func values() async throws {
        // Each option alone: curl complains about a missing value, or about the missing URL.
        let script = """
            curl --help all | grep -oE '^ *(-.,)? +--[a-z0-9.-]+' | tr -d ' ' | tr ',' '\n' | while read -r option; do
              printf '%s\t%s\n' "$option" "$(curl -q "$option" 2>&1 </dev/null | head -n 1)"
            done
            """
        let run = try await Tool.run(["-c", script], program: ["/bin/sh"])
        let lines = run.outputText.split(separator: "\n").map { $0.split(separator: "\t", maxSplits: 1) }
        #expect(lines.count > 200)
        // These print something instead.
        let special: Set = ["-h", "--help", "-V", "--version", "-M", "--manual"]
        for line in lines where line.count == 2 && !special.contains(String(line[0])) {
            let messages = readCurl("curl \(line[0])").messages
            let needsValue = messages.contains { $0.hasSuffix("\(line[0]) has no value") }
            #expect(needsValue == line[1].contains("requires parameter"), "\(line.joined(separator: ": "))")
            #expect(!messages.contains { $0.contains("curl has no option") }, "\(line[0])")
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
