import Testing
import ToolSupport

/// Control characters in a workspace's texts are harmless in every command that shows them.
@Suite(.serialized) struct HostileTextTests {
    /// Text that sets the title, inverts colours, clears the screen with a C1 control, and reverses the text direction.
    private static let orders = "\u{1B}]0;owned\u{7}\u{1B}[7m\u{9B}2J\u{202E}\u{2066}\u{7F}\r|"
    /// The same text as a JSON string, without the characters that a header value cannot contain.
    private static let escaped = #"\u001b]0;owned\u0007\u001b[7m\u009b2J\u202e\u2066\u007f\r|"#
    private static let inHeader = #"\u009b2J\u202e\u2066|"#

    private static func workspace() throws -> ToolWorkspace {
        let workspace = try ToolWorkspace([
            "endpoints/it.json": #"""
            {
              "description": "it EVIL", "method": "POST", "path": "/a",
              "params": {
                "p": { "type": "string", "description": "p EVIL", "default": "EVIL", "example": "EVIL" },
                "asked": { "type": "string", "description": "asked EVIL", "required": false }
              },
              "query": { "name EVIL": "value EVIL", "p": "{{p}}" },
              "headers": { "X-Header": "HEAD" },
              "body": { "text": "body EVIL" },
              "capture": { "id": { "json": "$['EVIL']" } },
              "expect": { "status": 200, "headers": { "x-answer": { "contains": "EVIL" } }, "body": { "equals": "EVIL" } },
              "checks": [{ "name": "check EVIL", "with": { "p": "q" }, "expect": { "body": { "contains": "no EVIL" } } }],
              "stubs": {
                "default": "text",
                "variants": {
                  "text": { "description": "text EVIL", "headers": { "X-Answer": "HEAD" }, "text": "answer EVIL" },
                  "json": { "json": { "a EVIL": "EVIL" } }
                }
              }
            }
            """#.replacing("EVIL", with: escaped).replacing("HEAD", with: inHeader),
            "endpoints/needy.json": #"""
            { "path": "/", "params": { "asked": { "type": "string", "description": "asked EVIL" } }, "query": { "q": "{{asked}}" } }
            """#.replacing("EVIL", with: escaped),
            "environments/development.json": #"{ "baseURL": "http://h", "description": "dev EVIL" }"#
                .replacing("EVIL", with: escaped),
            "environments/other.json": #"{ "baseURL": "http://h", "headers": { "X-Other": "HEAD" } }"#
                .replacing("HEAD", with: inHeader),
        ])
        try workspace.write("data.csv", "asked\n\"\(orders)\"\n")
        return workspace
    }

    private static let commands: [[String]] = [
        ["list"], ["list", "--json"], ["list", "environments"], ["list", "environments", "--json"],
        ["show", "it"], ["show", "it", "--json"],
        ["explain", "it"], ["explain", "it", "--json"], ["explain", "it", "-q", "x\(orders)=\(orders)"],
        ["render", "it"], ["render", "it", "--one-line"], ["render", "it", "--shell", "fish"],
        ["render", "it", "--shell", "powershell"], ["render", "it", "-f", "http"], ["render", "it", "-f", "json"],
        ["render", "it", "-f", "har"], ["render", "it", "--body", "text \(orders)"],
        ["render", "it", "--diff", "other"], ["render", "it", "p=\(orders)", "-f", "http"],
        ["send", "it", "--stub"], ["send", "it", "--stub", "-v"], ["send", "it", "--stub", "json"],
        ["send", "it", "--stub", "json", "--json"], ["send", "it", "--stub", "json", "-s", "$.*"],
        ["check", "it", "--stub"], ["check", "it", "--stub", "--list"], ["check", "it", "--stub", "--report", "tap=-"],
        ["check", "it", "--stub", "--report", "junit=-"], ["check", "it", "--stub", "--report", "json=-"],
        ["check", "it", "--stub", "--report", "github=-"], ["check", "it", "--stub", "--data", "data.csv"],
        ["check", "it", "--stub", "--report", "tap=x/\(orders)"],
        ["validate"], ["validate", "--json"],
        ["send", "it\(orders)"], ["show", "it\(orders)"], ["help", "it\(orders)"], ["it\(orders)"],
        ["send", "it", "p\(orders)=1"], ["send", "it", "--\(orders)"], ["send", "it", "--env", orders],
        ["send", "it", "-H", orders], ["send", "it", "-C", orders], ["send", "it", "--stub=\(orders)"],
        ["send", "it", "--body", "@\(orders)"], ["send", "needy", "--no-input"], ["check", orders],
        ["init", "x\(orders)"],
    ]

    private static func screen(_ words: [String], _ environment: [String: String]) async throws -> String {
        let workspace = try workspace()
        let terminal = try PseudoTerminal(columns: 100)
        _ = try await Tool.run(
            words, in: workspace, environment: environment, output: .descriptor(terminal.program),
            errors: .descriptor(terminal.program))
        return await terminal.finalText()
    }

    private static func orders(in screen: String) -> [Unicode.Scalar] {
        screen.unicodeScalars.filter { scalar in
            switch scalar.value {
            case 0x09, 0x0A: false
            case 0x00...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
    }

    @Test("No command prints a workspace's control characters to a terminal", arguments: commands)
    func shown(_ words: [String]) async throws {
        let screen = try await Self.screen(words, ["NO_COLOR": "1", "TERM": "dumb"])
        #expect(!screen.isEmpty)
        #expect(Self.orders(in: screen).isEmpty, "\(screen.debugDescription)")
    }

    @Test("With colours, the only control characters on a terminal are the program's own", arguments: commands)
    func coloured(_ words: [String]) async throws {
        let screen = try await Self.screen(words, [:])
        let rest = screen.replacing("\r\u{1B}[K", with: "")
            .replacing(/\u{1B}\[(0|(1;|2;)?3[1-6]|[1-4])m/, with: "")
        #expect(Self.orders(in: rest).isEmpty, "\(screen.debugDescription)")
    }

    @Test("Prompts show control characters as symbols")
    func asked() async throws {
        let terminal = try PseudoTerminal()
        let tool = try Tool.start(
            ["render", "needy"], in: try Self.workspace(), environment: ["NO_COLOR": "1"], input: terminal.program,
            errors: .descriptor(terminal.program))
        #expect(await terminal.shows("asked (asked"))
        #expect(await terminal.shows("): "))
        #expect(
            Self.orders(in: terminal.text.replacing("\r\n", with: "\n")).isEmpty, "\(terminal.text.debugDescription)")
        terminal.type("x\n")
        #expect(try await tool.end().status == 0)
    }

    @Test("A request rendered to a pipe keeps its exact bytes", arguments: ["http", "curl", "json", "har"])
    func piped(_ format: String) async throws {
        let workspace = try Self.workspace()
        let piped = try await Tool.run(["render", "it", "-f", format], in: workspace)
        #expect(piped.status == 0)
        #expect(!piped.errors.contains("control characters"))
        if format == "http" { #expect(piped.outputText.hasSuffix("\r\n\r\nbody \(Self.orders)")) }
        #expect(piped.outputText.contains("\u{9B}2J\u{202E}\u{2066}|"))
    }

    @Test("On a terminal a note says that control characters are shown as symbols")
    func noted() async throws {
        let note = "note: control characters are shown as symbols here; a file or a pipe gets them unchanged\n"
        #expect(try await Self.screen(["render", "it", "-f", "http"], ["NO_COLOR": "1"]).hasPrefix(note))
        let harmless = try await Self.screen(["render", "needy", "asked=x", "-f", "http"], ["NO_COLOR": "1"])
        #expect(harmless.hasPrefix("GET /?q=x HTTP/1.1\n"))
    }
}
