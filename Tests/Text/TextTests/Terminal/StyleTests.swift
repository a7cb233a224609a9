import ReqcliText
import Testing

struct StyleTests {
    @Test("A style is written as one escape sequence, and not at all when colour is off")
    func styles() {
        #expect(Style.bold.applied(to: "x", inColour: true) == "\u{1B}[1mx\u{1B}[0m")
        #expect(Style([.red, .bold]).applied(to: "x", inColour: true) == "\u{1B}[1;31mx\u{1B}[0m")
        #expect(Style.red.applied(to: "x", inColour: false) == "x")
        #expect(Style.plain.applied(to: "x", inColour: true) == "x")
        #expect(Style.red.applied(to: "", inColour: true) == "")
    }

    @Test("Styled text is measured and padded without its escapes")
    func styled() {
        let text = Styled("日本", .green) + ": " + Styled("ok", .plain)
        #expect(text.plain == "日本: ok")
        #expect(text.width == 8)
        #expect(text.padded(to: 10).rendered(inColour: true) == "\u{1B}[32m日本\u{1B}[0m: ok  ")
        #expect(text.rendered(inColour: false) == "日本: ok")
    }

    @Test(
        "No line that is written holds a command for a CI server",
        arguments: [
            ("::stop-commands::x", ":\u{2236}stop-commands::x"),
            ("a\n \t::error ::b\n", "a\n \t:\u{2236}error ::b\n"),
            ("found ##[error]x", "found #\u{266F}[error]x"),
            ("###vso[task.setvariable variable=a]b", "##\u{266F}vso[task.setvariable variable=a]b"),
            ("##teamcity[buildStop]", "#\u{266F}teamcity[buildStop]"),
            ("\u{1B}[0Ksection_start:1:a\r\u{1B}[0K", "␛[0Ksection_start:1:a␍␛[0K"),
            ("std::vector ::1 ## Title #[x] a ::b", "std::vector ::1 ## Title #[x] a ::b"),
        ])
    func commands(text: String, shown: String) {
        #expect(Styled(text).rendered(inColour: false) == shown)
        #expect((Styled("  ", .dim) + Styled(text)).rendered(inColour: false) == "  " + shown)
        #expect((Styled("a\n") + Styled(text)).rendered(inColour: false) == "a\n" + shown)
    }

    @Test("What only follows other text on its line is no command")
    func noCommand() {
        #expect((Styled("a ", .dim) + Styled("::error::b")).rendered(inColour: false) == "a ::error::b")
    }

    struct Choice: CustomTestStringConvertible, Sendable {
        var flag = ColourFlag.auto
        var isTerminal = true
        var environment: [String: String] = ["TERM": "xterm"]
        let expected: Bool

        var testDescription: String { "\(flag), terminal: \(isTerminal), \(environment) → \(expected)" }
    }

    @Test(
        "The flag decides, then the environment, then the terminal",
        arguments: [
            Choice(expected: true),
            Choice(isTerminal: false, expected: false),
            Choice(environment: [:], expected: false),
            Choice(environment: ["TERM": "dumb"], expected: false),
            Choice(environment: ["TERM": "xterm", "NO_COLOR": "1"], expected: false),
            Choice(environment: ["TERM": "xterm", "NO_COLOR": ""], expected: true),
            Choice(isTerminal: false, environment: ["FORCE_COLOR": "1"], expected: true),
            Choice(isTerminal: false, environment: ["FORCE_COLOR": ""], expected: false),
            Choice(environment: ["TERM": "xterm", "FORCE_COLOR": "0"], expected: false),
            Choice(environment: ["TERM": "dumb", "FORCE_COLOR": "1"], expected: true),
            Choice(environment: ["TERM": "xterm", "NO_COLOR": "1", "FORCE_COLOR": "1"], expected: false),
            Choice(flag: .always, isTerminal: false, environment: ["NO_COLOR": "1"], expected: true),
            Choice(flag: .never, environment: ["TERM": "xterm", "FORCE_COLOR": "1"], expected: false),
        ])
    func colourChoice(_ choice: Choice) {
        let chosen = TerminalText.colourChoice(
            flag: choice.flag, isTerminal: choice.isTerminal, environment: { choice.environment[$0] })
        #expect(chosen == choice.expected)
    }
}
