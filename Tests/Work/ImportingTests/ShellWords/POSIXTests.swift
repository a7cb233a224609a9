import Importing
import ReqcliText
import TestSupport
import Testing

@Suite("POSIX words")
struct POSIXTests {
    static let words: [(name: String, source: String, words: [String])] = [
        ("words between blanks", "curl  -s\thttp://x", ["curl", "-s", "http://x"]),
        ("single quotes keep everything", #"a '$b \ "`'"#, ["a", #"$b \ "`"#]),
        ("double quotes", #"a "b\"c \$d \\ \n""#, ["a", #"b"c $d \ \n"#]),
        ("quotes inside of a word", #"a'b c'"d e"\ f"#, ["ab cd e f"]),
        ("empty words", #"a '' """#, ["a", "", ""]),
        ("a quote in single quotes", #"'it'\''s'"#, ["it's"]),
        ("a backslash at the end of a line", "a \\\n  b\\\nc \"d\\\ne\"", ["a", "bc", "de"]),
        ("the same with CRLF", "a \\\r\n  b \\\r\n c\r\n", ["a", "b", "c"]),
        ("a comment", "a b#c # d 'e\n", ["a", "b#c"]),
        ("line breaks in quotes", "a 'b\nc' \"d\ne\"", ["a", "b\nc", "d\ne"]),
        (
            "escapes of $'…'", #"$'\n\t\\\'\"\x41\x4g\101\u00e9\u{1F600}\U1F600\cA\q'"#,
            ["\n\t\\'\"A\u{4}gAé\\u{1F600}😀\u{1}\\q"]
        ),
        ("a NUL ends $'…'", #"$'a\0b'c"#, ["ac"]),
        ("a locale's text", #"$"a b""#, ["a b"]),
        ("a dollar sign alone", #"a$ "$" $. "a$""#, ["a$", "$", "$.", "a$"]),
        ("variables", #"$A "b $C_1-d" ${E}f 'n$o' \$p"#, ["⟨A⟩", "b ⟨C_1⟩-d", "⟨E⟩f", "n$o", "$p"]),
        ("a default", #""${A:-b c}" ${D-} ${E:?not set} ${F?}"#, ["⟨A=b c⟩", "⟨D=⟩", "⟨E⟩", "⟨F⟩"]),
        ("a home folder", "~/a @~/b ~ x~", ["⟨HOME⟩/a", "@~/b", "⟨HOME⟩", "x~"]),
        ("a prompt, and that of a continued line", "$ curl \\\n> -s \\\n>  x", ["curl", "-s", "x"]),
        ("another prompt", "% curl x", ["curl", "x"]),
        ("letters beyond ASCII", "é 'ü'\"ß\" \\ü", ["é", "üß", "ü"]),
    ]

    @Test("Words are those that a shell makes", arguments: words.indices)
    func reading(_ index: Int) {
        let (name, source, words) = Self.words[index]
        let script = ShellScript.read(source, .sh)
        #expect(script.shown == [words], "\(name)")
        #expect(script.messages == [], "\(name)")
    }

    static let commands: [(name: String, source: String, commands: [[String]])] = [
        ("lines and semicolons", "a b\n\nc;d\n", [["a", "b"], ["c"], ["d"]]),
        ("and, or, background", "a && b || c & d", [["a"], ["b"], ["c"], ["d"]]),
        ("a pipeline", "a | b |& c", [["a"], ["b"], ["c"]]),
        ("assignments", "A=1 B='2 3' curl C=4\nD=$E", [["curl", "C=4"], []]),
        ("redirected output", "a >b 2>/dev/null &>c 2>&1 d >> e 2> 'f g'", [["a", "d"]]),
        ("digits that are no descriptor", "a 2 b2>c", [["a", "2", "b2"]]),
    ]

    @Test("Commands end where a shell ends them", arguments: commands.indices)
    func splitting(_ index: Int) {
        let (name, source, commands) = Self.commands[index]
        let script = ShellScript.read(source, .sh)
        #expect(script.shown == commands, "\(name)")
        #expect(script.messages == [], "\(name)")
    }

    static let inputs: [(name: String, source: String, input: String?)] = [
        ("none", "curl x", nil),
        ("a file", "curl -d @- < 'a b'", "file: a b"),
        ("a file before the command", "<a curl", "file: a"),
        ("a here-string", "curl <<< \"a $B\"", "text: a ⟨B⟩\n"),
        ("a here-document", "curl -d @- <<EOF\na $B \\$c \\\\ \"d\"\n e\\\nf\nEOF\n", "text: a ⟨B⟩ $c \\ \"d\"\n ef\n"),
        ("a quoted here-document", "curl -d @- <<'EOF' x\na $B \\\nEOF\n", "text: a $B \\\n"),
        ("a here-document without tabs", "curl <<-E\n\ta\n\t\tb\n\tE\n", "text: a\nb\n"),
        ("a here-document with CRLF", "curl <<E\r\na\r\nE\r\n", "text: a\r\n"),
        ("a line that is continued hides the delimiter", "curl <<E\na\\\nE\nE\n", "text: aE\n"),
        ("echo", "echo 'a b'  c | curl", "text: a b c\n"),
        ("echo -n", "echo -n a | curl", "text: a"),
        ("echo -e", #"echo -ne 'a\tb\0101\x42\n' $C | curl"#, "text: a\tbAB\n ⟨C⟩"),
        ("printf", #"printf '%s=%s%%\n' a "$B" c | curl"#, "text: a=⟨B⟩%\nc=%\n"),
        ("printf with a number", "printf '%d' 1 | curl", "command"),
        ("cat of a file", "cat a | curl", "file: a"),
        ("cat of a here-document", "cat <<E | curl\na\nE\n", "text: a\n"),
        ("cat of two files", "cat a b | curl", "command"),
        ("another command", "jq . a | curl", "command"),
        ("a redirection counts more than a pipe", "echo a | curl <b", "file: b"),
    ]

    @Test("Standard input is known where it is literal", arguments: inputs.indices)
    func feeding(_ index: Int) {
        let (name, source, input) = Self.inputs[index]
        let script = ShellScript.read(source, .sh)
        #expect(script.commands.last?.words.first?.text == "curl", "\(name)")
        #expect(script.commands.last?.input?.shown == input, "\(name)")
        #expect(script.messages == [], "\(name)")
    }

    static let problems: [(name: String, source: MarkedText, message: String)] = [
        ("a quote", "a ⟦'⟧b", "1:3: this quote is never closed"),
        ("a command", "a \"x⟦$(b \")\" $(c))⟧d\"", "1:5: found the output of a command, but reqcli runs no commands"),
        ("backquotes", "a ⟦`b \\` c`⟧ d", "1:3: found the output of a command, but reqcli runs no commands"),
        ("a file of a command", "a ⟦<(b)⟧", "1:3: found the output of a command, but reqcli runs no commands"),
        ("a part of a variable", "a ⟦${b#c{d}}⟧", "1:3: found an expansion that needs a running shell"),
        ("a parameter", "a\n\"⟦$1⟧\"", "2:2: found \"$1\"; only a running shell knows its value"),
        ("a loop", "⟦for⟧ i in a", "1:1: found \"for\"; only simple commands can be read"),
        ("a subshell", "⟦(⟧a", "1:1: found \"(\" outside of quotes"),
        ("bytes", #"a ⟦$'\xe9'⟧"#, "1:5: found bytes that are not UTF-8"),
        ("a URL without quotes", "curl http://x?a=1⟦&⟧b=2", "1:18: warning: the shell ends the command at this \"&\""),
        (
            "braces", "curl x/⟦{a,b}⟧",
            "1:8: warning: bash expands these braces to several words; reqcli reads them unchanged"
        ),
        ("no delimiter", "a ⟦<<E⟧\nb", "1:3: warning: the here-document has no closing delimiter"),
    ]

    @Test("What only a running shell knows is refused with its place", arguments: problems.indices)
    func refusing(_ index: Int) {
        let (name, source, message) = Self.problems[index]
        let script = ShellScript.read(source.text, .sh)
        #expect(script.messages == [message], "\(name)")
        if name != "bytes" { #expect(script.problems.first?.place?.range == source.ranges.first, "\(name)") }
    }

    @Test("Places of parts of words point into the source")
    func places() throws {
        let source = MarkedText(#"curl -H ⟦"⟦Authorization⟧: ⟦Bearer ⟦$TOKEN⟧⟧"⟧"#)
        let word = try #require(ShellScript.read(source.text).commands.first?.words.last)
        let (name, value) = try #require(word.split(at: UInt8(ascii: ":")))
        let bearer = try #require(value.removingFirst(UInt8(ascii: " ")))
        #expect(word.place.range == source.ranges[0])
        #expect(name.place.range == source.ranges[1])
        #expect(bearer.place.range == source.ranges[2])
        #expect(bearer.parts.last?.place.range == source.ranges[3])
        #expect(name.text == "Authorization" && bearer.text == nil && bearer.shown == "Bearer ⟨TOKEN⟩")
        #expect(word.count == "Authorization: Bearer ".count + 1)
        #expect(Array(word.reversed()) == Array(word).reversed())
    }
}
