import Importing
import ReqcliText
import TestSupport
import Testing

@Suite("Words of cmd.exe and PowerShell")
struct WindowsTests {
    static let cmd: [(name: String, source: String, commands: [[String]])] = [
        ("plain quotes", #"curl "a b" -d "{\"a\": \"b\\\"}""#, [["curl", "a b", "-d", #"{"a": "b\"}"#]]),
        ("backslashes", #"a b\c d\\e "f\\" \\"g""#, [["a", #"b\c"#, #"d\\e"#, #"f\"#, #"\g"#]]),
        ("doubled quotes", #"a "b""c" """d""" """#, [["a", #"b"c"#, #""d""#, ""]]),
        ("escaped quotes", #"a ^"b^\^"c d^" ^%^20"#, [["a", #"b"c d"#, "%20"]]),
        ("a caret in quotes", #"a "b^[c]" d^^e"#, [["a", "b^[c]", "d^e"]]),
        ("carets that Chromium wrote into quotes", ##"a "b^[c^]^#^\^"d^%^20" e"##, [["a", ##"b[c]#"d%20"##, "e"]]),
        ("continued lines", "a ^\n  b ^\r\n  c", [["a", "b", "c"]]),
        ("a line break", "a ^\"b^\n\nc^\" ^\"d^\r\n\r\ne^\"", [["a", "b\nc", "d\ne"]]),
        ("a line break as Chromium wrote it at first", "a \"b\"^\n\"c\"^\n\n\"d\" e", [["a", "b\nc\n\nd", "e"]]),
        ("a percent sign as Chromium wrote it at first", #"a "b"%"20c""%""#, [["a", #"b%20c"%"#]]),
        (
            "variables", #"a %B% "c %D_1% %20e%20" %E3%81%82 %ACCESS_TOKEN%"#,
            [["a", "⟨B⟩", "c ⟨D_1⟩ %20e%20", "%E3%81%82", "⟨ACCESS_TOKEN⟩"]]
        ),
        ("several commands", "a & b && c | d\ne\r\nf", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"]]),
        ("exclamation marks", #"a b! !c "!Well done!" ^!A^! !"#, [["a", "b!", "!c", "!Well done!", "!A!", "!"]]),
        ("operators in quotes", "a \"b & c\" ^& d^|e", [["a", "b & c", "&", "d|e"]]),
        ("redirections", "a > b 2>nul 2>&1 c", [["a", "c"]]),
        ("a prompt", "C:\\Users\\me>curl a\nC:\\>b", [["curl", "a"], ["b"]]),
        ("apostrophes are letters", "a 'b c'", [["a", "'b", "c'"]]),
    ]

    @Test("cmd.exe's words, and those of a C program", arguments: cmd.indices)
    func readingCmd(_ index: Int) {
        let (name, source, commands) = Self.cmd[index]
        let script = ShellScript.read(source, .cmd)
        #expect(script.shown == commands, "\(name)")
        #expect(script.messages == [], "\(name)")
    }

    static let powerShell: [(name: String, source: String, commands: [[String]])] = [
        ("single quotes", "a 'b''c $d `n' ''", [["a", "b'c $d `n", ""]]),
        ("double quotes", #"a "b""c`"d `$e``" "f`n`u{1F600}""#, [["a", "b\"c\"d $e`", "f\n😀"]]),
        ("curly quotes", "a ‘b’’c’ “d”", [["a", "b’c", "d"]]),
        ("a string is a word of its own", #"a "b"c d"e""#, [["a", "b", "c", "de"]]),
        ("continued lines", "curl.exe `\n  -s `\r\n  x", [["curl.exe", "-s", "x"]]),
        ("variables", #"a $env:B "c $D ${env:E} ${F}g" 'h$i'"#, [["a", "⟨B⟩", "c ⟨D⟩ ⟨E⟩ ⟨F⟩g", "h$i"]]),
        ("a here-string", "a @'\nb 'c'\n $d\n'@ e", [["a", "b 'c'\n $d", "e"]]),
        ("a here-string with variables", "a @\"\nb $c`n\n\"@", [["a", "b ⟨c⟩\n"]]),
        ("several commands", "a; b | c && d\ne # f", [["a"], ["b"], ["c"], ["d"], ["e"]]),
        ("a call", "& 'curl.exe' a", [["curl.exe", "a"]]),
        ("a prompt", "PS C:\\> curl a", [["curl", "a"]]),
        ("quotes for Windows PowerShell", #"a '{\"b\": 1}' '{"c": "\"d"}'"#, [["a", #"{"b": 1}"#, #"{"c": "\"d"}"#]]),
        ("redirections", "a > b 2>&1 *> $null c", [["a", "c"]]),
    ]

    @Test("PowerShell's words", arguments: powerShell.indices)
    func readingPowerShell(_ index: Int) {
        let (name, source, commands) = Self.powerShell[index]
        let script = ShellScript.read(source, .powershell)
        #expect(script.shown == commands, "\(name)")
        #expect(script.messages == [], "\(name)")
    }

    static let problems: [(dialect: ShellDialect, source: MarkedText, message: String)] = [
        (.cmd, "a ⟦\"⟧b\nc", "1:3: this quote is not closed on its line"),
        (.powershell, "a ⟦'⟧b", "1:3: this quote is never closed"),
        (.powershell, "a \"⟦$(b)⟧\"", "1:4: found the output of a command, but reqcli runs no commands"),
        (.powershell, "curl -Headers ⟦@{⟧", "1:15: found \"@{\"; only simple commands can be read"),
        (.powershell, "a ⟦${b c⟧}", "1:3: found an expansion that needs a running PowerShell"),
        (
            .powershell, "curl.exe ⟦--%⟧ -d \"{\\\"a\\\":1}\" http://x",
            "1:10: found --%: PowerShell reads the words after it as cmd.exe does"
        ),
        (
            .cmd, "a \"b ⟦!TOKEN!⟧ c\"",
            "1:6: found !TOKEN!: only cmd.exe knows whether this is a variable or plain text"
        ),
    ]

    @Test("What cannot be read is refused with its place", arguments: problems.indices)
    func refusing(_ index: Int) {
        let (dialect, source, message) = Self.problems[index]
        let script = ShellScript.read(source.text, dialect)
        #expect(script.messages.first == message)
    }

    static let dialects: [(source: String, dialect: ShellDialect)] = [
        ("curl 'http://x' \\\n  -H 'a: b'", .sh), ("curl 'a ^\" b'", .cmd), ("curl -d '^[a]' http://x", .sh),
        ("curl ^\"http://x^\" ^\n  -H ^\"a: b^\"", .cmd), ("curl \"http://x\" ^\r\n  -H \"a: b\"", .cmd),
        ("curl \"http://x\" `\n  -H \"a: b\"", .powershell), ("curl -d \"{`\"a`\":1}\"", .powershell),
        ("curl.exe 'http://x' -d 'it''s'", .powershell), ("curl.exe --% -d \"a\" http://x", .powershell),
        ("curl -d 'a --% b' http://x", .sh), ("curl -d \"`date`\" -H `x`\n", .sh), ("", .sh),
    ]

    @Test("The dialect is told from line ends and escaped quotes", arguments: dialects.indices)
    func guessing(_ index: Int) {
        #expect(ShellScript.read(Self.dialects[index].source).dialect == Self.dialects[index].dialect)
    }

    static let foreign: [(source: String, message: String)] = [
        ("fetch(\"http://x\", {});", "1:1: found a call of fetch, expected a curl command"),
        ("\n// a\n  await fetch(\"http://x\")", "3:3: found a call of fetch, expected a curl command"),
        ("Invoke-WebRequest -Uri \"x\" `\n-Method Post", "1:1: found Invoke-WebRequest, expected a curl command"),
        ("$session = New-Object A\n$r = Invoke-RestMethod x", "1:1: found Invoke-RestMethod, expected a curl command"),
        ("iwr http://x", "1:1: found Invoke-WebRequest, expected a curl command"),
    ]

    @Test("Other things that a browser copies are refused", arguments: foreign.indices)
    func refusingOthers(_ index: Int) {
        let script = ShellScript.read(Self.foreign[index].source)
        #expect(script.messages == [Self.foreign[index].message])
        #expect(script.problems.first?.hint == "in the browser's list of requests choose \"Copy as cURL (bash)\"")
        #expect(script.commands.isEmpty)
    }
}
