import CommandLineKit
import Testing

/// Options of a command that exclude or need each other.
struct OptionRuleTests {
    private static let (json, raw, quiet) = (Flag("json", "As JSON"), Flag("raw", "As it is"), Flag("quiet", "Nothing"))
    private static let pages = Option("max-pages", .integer("N", in: 1...9), "Stop after N pages")
    private static let (follow, file) = (Toggle("follow", "Follow"), Option("file", .text("FILE"), "A file"))

    private static let command = CommandSpec(
        "get", "Get it", examples: [],
        options: [
            OptionGroup("Options", json, raw, quiet, pages, follow, file).ruled(by: [
                .atMostOne(json, raw), .excludes(quiet, json, pages), .needs(pages, raw, file),
                .excludes(file, no: follow), .needs(quiet, file),
            ])
        ])
    private static let program = ProgramSpec(
        "tool", version: "1", "A tool", examples: [], commands: [CommandGroup("Commands", [command])])

    @Test(
        "Options that keep the rules are taken",
        arguments: [
            "", "--json", "--raw --max-pages 2", "--file a --max-pages 2", "--file a --follow", "--no-follow",
            "--quiet --file a", "--quiet --raw --file a",
        ])
    func kept(_ words: String) throws {
        _ = try Self.program.parse(["get"] + words.split(separator: " ").map(String.init))
    }

    @Test(
        "Options that break a rule are an error with the way out",
        arguments: [
            ("--json --raw", "--json and --raw contradict each other", "keep one of them"),
            ("--quiet --json --file a", "--quiet and --json contradict each other", "keep one of them"),
            ("--max-pages 2", "--max-pages can only be used together with --raw or --file", "add --raw or --file FILE"),
            ("--file a --no-follow", "--file and --no-follow contradict each other", "keep one of them"),
            ("--quiet", "--quiet can only be used together with --file", "add --file FILE"),
        ])
    func broken(_ words: String, _ message: String, _ hint: String) throws {
        let error = #expect(throws: UsageError.self) {
            try Self.program.parse(["get"] + words.split(separator: " ").map(String.init))
        }
        #expect(error?.problems == [UsageError.Problem(message, hint: hint)])
    }

    @Test("A mistake in a word is told before a rule")
    func mistakeFirst() throws {
        let error = #expect(throws: UsageError.self) { try Self.program.parse(["get", "--max-pages", "x"]) }
        #expect(error?.problems.map(\.message) == ["--max-pages takes a whole number from 1 to 9; found \"x\""])
    }

    @Test("Help and the manual page tell the rules")
    func help() {
        let help = Self.program.help(for: Self.command, width: 80)
        let lines = [
            "Combinations", "  --json, --raw", "Only one of these can be given",
            "Not allowed with --json or --max-pages",
            "Only allowed with --raw or --file", "Not allowed with --no-follow",
        ]
        for line in lines { #expect(help.contains(line), "\(help)") }
        #expect(
            Self.program.manPage.contains("Only allowed with \\-\\-raw or \\-\\-file"),
            "\(Self.program.manPage)")
    }
}
