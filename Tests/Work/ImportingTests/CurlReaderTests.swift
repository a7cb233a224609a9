import Importing
import ReqcliText
import TestSupport
import Testing

@Suite("Reading curl commands")
struct CurlReaderTests {
    static let commands: [(name: String, source: String, shown: [String])] = [
        ("a URL", "curl http://x", ["GET http://x"]),
        (
            "joined letters", "curl -sSLXPOST -Hfoo:bar -dbaz http://x",
            ["POST http://x", "foo: bar", "data plain 'baz'", "follow true"]
        ),
        (
            "a beginning of a name", "curl --sil --data-u a --max-t 5 x",
            ["POST x", "data urlEncoded 'a'", "timeout 5.0 seconds"]
        ),
        ("a name in capitals", "curl --SILENT --Request PUT x", ["PUT x"]),
        ("a value behind a sign", "curl --url=x --request=PUT --data='a=b'", ["PUT x", "data plain 'a=b'"]),
        (
            "toggles that are turned off", "curl -L --no-location -k --no-insecure x",
            ["GET x", "follow false", "insecure false"]
        ),
        ("-N and --no-buffer", "curl -N --no-buffer --no-keepalive x", ["GET x"]),
        ("the end of options", "curl -- -x", ["GET -x"]),
        ("--url and several URLs", "curl a --url b c -o d", ["GET a", "GET b", "GET c"]),
        (
            "output is left out", "curl -sSvi -o a -O -J -w '%{http_code}' --compressed -f -# -D - --trace-ascii b x",
            ["GET x"]
        ),
        ("-I", "curl -I x", ["HEAD x"]),
        (
            "-G", "curl -G -d a=b --data-urlencode 'c=d e' x",
            ["GET x", "data plain 'a=b'", "data urlEncoded c='d e'", "get"]
        ),
        ("-I -G", "curl -IG -d a x", ["HEAD x", "data plain 'a'", "get"]),
        ("-T pairs with URLs", "curl -T a x -T b y z", ["PUT x <a>", "PUT y <b>", "GET z"]),
        (
            "headers", "curl -H 'A: b: c' -H 'D;' -H 'E:' -H 'F:g' -H 'A:  ' x",
            ["GET x", "A: b: c", "D: ", "E: ⟨removed⟩", "F: g", "A: ⟨removed⟩"]
        ),
        (
            "headers of options", "curl -A a -e b -r 0-9 -b c=d -b e=f x",
            ["GET x", "User-Agent: a", "Referer: b", "Range: bytes=0-9", "Cookie: c=d;e=f"]
        ),
        (
            "a header counts more than an option", "curl -A a -b c=d -H 'cookie: e' -H 'User-Agent:' x",
            ["GET x", "cookie: e", "User-Agent: ⟨removed⟩"]
        ),
        (
            "an empty user agent, a range without a dash", "curl -A '' -r 600 x",
            ["GET x", "User-Agent: ⟨removed⟩", "Range: bytes=600-"]
        ),
        (
            "where to go on, and since when", "curl -C 5 -z 'Fri, 01 Jan 2027 00:00:00 GMT' x",
            ["GET x", "Range: bytes=5-", "If-Modified-Since: Fri, 01 Jan 2027 00:00:00 GMT"]
        ),
        (
            "until when, and going on by itself", "curl -C - -z '-Fri, 01 Jan 2027 00:00:00 GMT' -z yesterday x",
            [
                "GET x", "If-Unmodified-Since: Fri, 01 Jan 2027 00:00:00 GMT", "note -C - → --continue",
                "note -z yesterday → none",
            ]
        ),
        ("cookies of a file", "curl -b cookies.txt -b '' x", ["GET x", "cookies cookies.txt"]),
        ("a cookie in a variable", "curl -b \"$C\" x", ["GET x", "Cookie: $C"]),
        (
            "kinds of data", "curl -d a --data-ascii @f --data-raw @b --data-binary @c --json '{}' x",
            ["POST x", "data plain 'a'", "data plain <f>", "data raw '@b'", "data binary <c>", "data json '{}'"]
        ),
        (
            "encoded data",
            "curl --data-urlencode a --data-urlencode =b --data-urlencode c=@d --data-urlencode @e --data-urlencode f@g x",
            [
                "POST x", "data urlEncoded 'a'", "data urlEncoded 'b'", "data urlEncoded c='@d'", "data urlEncoded <e>",
                "data urlEncoded f=<g>",
            ]
        ),
        ("data of a here-document", "curl -d @- x <<E\na\nb\nE", ["POST x", "data plain 'ab'"]),
        (
            "binary data of a here-document", "curl --data-binary @- x <<E\na\n$B\nE",
            ["POST x", "data binary 'a\n$B\n'"]
        ),
        ("data of a file, and of a terminal", "curl --json @- x < f\ncurl -T - x", ["POST x", "data json <f>"]),
        (
            "query pieces", "curl --url-query a=b --url-query +c=d --url-query @e x",
            ["GET x", "query urlEncoded a='b'", "query raw 'c=d'", "query urlEncoded <e>"]
        ),
        (
            "credentials", "curl -u a:b --digest --oauth2-bearer \"$T\" x",
            ["GET x", "user a:b", "bearer $T", "auth digest"]
        ),
        (
            "kinds of credentials", "curl --basic --anyauth --no-basic --ntlm --negotiate -u a --aws-sigv4 aws:amz x",
            ["GET x", "user a", "aws aws:amz", "auth any", "auth ntlm", "auth negotiate"]
        ),
        (
            "redirects", "curl --location-trusted --max-redirs -1 x",
            ["GET x", "follow true", "trust true", "redirects -1"]
        ),
        (
            "times",
            "curl -m 6.72 --connect-timeout 13.9999 --retry 3 --retry-delay 2 --retry-max-time .5 --retry-all-errors --retry-connrefused x",
            [
                "GET x", "all-errors true", "refused true", "retries 3", "timeout 6.72 seconds",
                "connect 13.999 seconds", "delay 2.0 seconds", "retry-max 0.5 seconds",
            ]
        ),
        (
            "TLS", "curl -k --cacert a -E b:c --key d --tlsv1.2 --tls-max 1.3 x",
            ["GET x", "ca a", "cert b:c", "key d", "tls-max 1.3", "insecure true", "tls 1.2"]
        ),
        (
            "what belongs to a call", "curl -x a -c b --resolve c:1:d --http2 --socks5 e --ech false -4 x",
            [
                "GET x", "note -x a → --proxy", "note -c b → --cookie-jar", "note --resolve c:1:d → --resolve",
                "note --http2 → none",
                "note --socks5 e → --proxy", "note --ech false → none", "note -4 → none",
            ]
        ),
        (
            "paths", "curl --path-as-is --request-target '*' -X OPTIONS x/../y",
            ["OPTIONS x/../y", "target *", "path-as-is"]
        ),
        (
            "variables", "curl -H \"Authorization: Bearer $T\" -d \"a=${B:-c}\" \"$URL/d\"",
            ["POST $URL/d", "Authorization: Bearer $T", "data plain 'a=$B'"]
        ),
        ("programs in front", "sudo -E env A=b time /usr/bin/curl.exe x", ["GET x"]),
    ]

    @Test("Options mean what curl does with them", arguments: commands.indices)
    func reading(_ index: Int) {
        let (name, source, shown) = Self.commands[index]
        let (commands, messages) = readCurl(source)
        #expect(commands.first?.shown == shown, "\(name)")
        #expect(messages == [], "\(name)")
    }

    @Test("--next begins another request, and each curl of a script is one")
    func several() {
        let (commands, messages) = readCurl("curl -k a -: -d b c --next d; echo x | curl -d @- e | jq . && curl f")
        #expect(
            commands.map(\.shown) == [
                ["GET a", "insecure true"], ["POST c", "data plain 'b'"], ["GET d"], ["POST e", "data plain 'x'"],
                ["GET f"],
            ])
        #expect(messages == [])
    }

    static let forms: [(name: String, value: String, shown: [String])] = [
        ("a text", "a=b c", ["part a 'b c'"]),
        ("a type", "a={};type=application/json", ["part a '{}' type=application/json"]),
        (
            "a type with a parameter", "a= b ;type=text/plain; charset=utf-8;filename=c",
            ["part a 'b' type=text/plain; charset=utf-8 filename=c"]
        ),
        ("quotes", #"a="b;\"c\\;";type=d/e"#, [#"part a 'b;"c\;' type=d/e"#]),
        ("a quote that is never closed", #"a="b"#, [#"part a '"b'"#]),
        (
            "a file", "a=@b;type=c/d;filename=\"e;f\";encoder=base64;headers=\"X: y\"",
            ["part a @b type=c/d filename=e;f encoder=base64 header=X: y"]
        ),
        ("the content of a file", "a=<b;type=c/d", ["part a <b type=c/d"]),
        ("no name", "=@b", ["part  @b"]),
        ("a variable", "a=\"${F}\";type=b/c", ["part a '${F}' type=b/c"]),
    ]

    @Test("Parts of forms", arguments: forms.indices)
    func formsOf(_ index: Int) {
        let (name, value, shown) = Self.forms[index]
        let (commands, messages) = readCurl("curl -F '\(value)' x")
        #expect(commands.first?.shown == ["POST x"] + shown, "\(name)")
        #expect(messages == [], "\(name)")
        let literal = readCurl("curl --form-string '\(value)' x").commands.first?.form.first?.content
        guard case .text(let text)? = literal else {
            Issue.record("\(name): no text")
            return
        }
        #expect(text.text == value.split(separator: "=", maxSplits: 1).last.map(String.init), "\(name)")
    }

    @Test("A form takes its parts from the standard input")
    func formOfInput() {
        let (commands, _) = readCurl("echo x | curl -F 'a=@-;filename=b' -F 'c=<-' -F d=@- y\ncurl -F 'a=@-' y < f")
        #expect(
            commands.map(\.shown) == [
                ["POST y", "part a 'x\n' filename=b", "part c 'x\n'", "part d 'x\n' filename=-"],
                ["POST y", "part a @f filename=-"],
            ])
    }

    static let urls: [(name: String, url: String, shown: String)] = [
        ("alternatives", "http://{a,b\\,c,}.x/{d}", "http://{a|b,c|}.x/{d}"),
        (
            "numbers", "x/[1-9]/[001-100:10]/[0-0]",
            "x/[1...9 by 1, 0 wide]/[1...100 by 10, 3 wide]/[0...0 by 1, 1 wide]"
        ),
        ("letters", "x/[a-z]-[A-F:2]", "x/[a…z by 1]-[A…F by 2]"),
        ("escaped brackets", "x/\\{a\\}\\[1-2\\]\\b", "x/{a}[1-2]\\b"),
        ("an empty pair", "x?a[]=1", "x?a[]=1"),
        ("an address", "http://[::1]:80/[1-2]", "http://[::1]:80/[1...2 by 1, 0 wide]"),
        ("a name of a range", "x/{<n>a,b}[<m>1-2]", "x/{a|b}[1...2 by 1, 0 wide]"),
    ]

    @Test("Ranges and alternatives of URLs", arguments: urls.indices)
    func globs(_ index: Int) {
        let (name, url, shown) = Self.urls[index]
        #expect(readCurl("curl '\(url)'").commands.first?.targets.first?.url.shown == shown, "\(name)")
        #expect(readCurl("curl -g '\(url)'").commands.first?.targets.first?.url.word?.text == url, "\(name)")
        #expect(readCurl("curl '\(url)'").messages == [], "\(name)")
    }

    static let problems: [(name: String, source: MarkedText, message: String)] = [
        ("an unknown option", "curl ⟦--hedaer⟧ a x", "curl has no option --hedaer"),
        ("an unknown letter", "curl -s⟦W⟧ x", "curl has no option -W"),
        ("a beginning of several", "curl ⟦--dat⟧ a x", "--dat matches several options"),
        ("a missing value", "curl x ⟦-d⟧", "-d has no value"),
        ("a value that is turned off", "curl ⟦--no-data⟧ x", "--data cannot be turned off"),
        ("no URL", "⟦curl -s⟧", "this command has no URL"),
        (
            "a configuration", "curl -K ⟦a⟧ x", "the file of -K can't be read: a: there is no such file"
        ),
        ("a variable of curl", "curl ⟦--expand-url⟧ '{{a}}' x", "variables of curl cannot be read"),
        ("headers of a file", "curl -H @⟦a⟧ x", "the file of -H can't be read: a: there is no such file"),
        ("a name of a header in a variable", "curl -H ⟦\"$A\"⟧ x", "the name of the header is in a variable"),
        ("a name with a space", "curl -H \"⟦A b⟧: c\" x", "\"A b\" is not a valid header name"),
        ("a form and data", "curl -d a ⟦-F b=c⟧ x", "a form (-F) cannot be used together with -d, -G or -I"),
        ("-I and data", "curl -I ⟦-d a⟧ x", "-I cannot be used together with a body"),
        ("a number", "curl -m ⟦5s⟧ x", "the value of -m is \"5s\"; expected a number"),
        (
            "an unknown input", "⟦jq .⟧ | curl -d @- x",
            "curl would read the output of another command here, but reqcli runs no commands"
        ),
        ("a form without a sign", "curl -F ⟦a⟧ x", "found a part of a form without \"=\""),
        ("a form in a form", "curl -F ⟦'=(;type=a/b'⟧ x", "forms inside a form cannot be read"),
        ("a bad range", "curl 'x/⟦[a-1]⟧'", "\"[a-1]\" is not a range"),
        ("alternatives without an end", "curl 'x/⟦{⟧a'", "this \"{\" is never closed"),
        ("nested alternatives", "curl 'x/{a,⟦{⟧b}}'", "found a bracket inside the alternatives"),
        ("a bracket too many", "curl 'x/a⟦]⟧'", "found a closing bracket without an opening bracket"),
        ("a dash", "curl ⟦–d⟧ a", "found a dash that is not a minus sign: \"–d\""),
        ("an option in a variable", "curl ⟦--$A⟧ x", "the name of an option is a variable"),
        ("an error of the shell", "curl ⟦$(a)⟧ x", "found the output of a command, but reqcli runs no commands"),
    ]

    @Test("A problem has its place", arguments: problems.indices)
    func refusing(_ index: Int) {
        let (name, source, message) = Self.problems[index]
        let (_, problems) = CurlCommand.read(ShellScript.read(SourceFile(name: "x", text: source.text), dialect: .sh))
        #expect(problems.map(\.message) == [message], "\(name)")
        #expect(problems.first?.place?.range == source.ranges.first, "\(name)")
    }

    @Test("No message shows what a file of options or headers holds")
    func secretFiles() {
        let files: CurlFiles = { name in
            .success(SourceFile(name: name, text: "max-time = topsecret3\nsupersecret5\nDB_PASSWORD=topsecret13\n"))
        }
        for source in ["curl -K a x", "curl -H @a x", "curl -H @.env x", "curl -K ~/.netrc x"] {
            let script = ShellScript.read(SourceFile(name: "x", text: source), dialect: .sh)
            let (_, problems) = CurlCommand.read(script, files: files)
            #expect(!problems.isEmpty && problems.allSatisfy { !"\($0)".contains("secret3") }, "\(problems)")
            #expect(problems.allSatisfy { !$0.message.contains("supersecret5") && !$0.message.contains("topsecret") })
        }
    }

    static let warnings: [(source: String, message: String)] = [
        ("curl -H a x", "1:9: warning: \"a\" is not a header, and curl leaves it out"),
        ("curl -F 'a=b;c=d' x", "1:14: warning: curl leaves out \";c=d\""),
        (
            "curl -F a=@b,c x",
            "1:9: warning: curl puts these files into one nested part; the endpoint sends 2 separate parts"
        ),
        ("curl -T a -d b x", "1:11: warning: curl sends the file of -T and leaves out the data of -d"),
        ("curl -m \"$A\" x", "1:9: warning: the value of -m is a variable; the option is left out"),
        ("wget y; curl x", "1:1: warning: \"wget\" is not curl; the command is left out"),
    ]

    @Test("What is read in another way than it seems is noted", arguments: warnings.indices)
    func warning(_ index: Int) {
        let (commands, messages) = readCurl(Self.warnings[index].source)
        #expect(messages == [Self.warnings[index].message])
        #expect(commands.count == 1)
    }
}
