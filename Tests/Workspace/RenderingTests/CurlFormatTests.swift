import Rendering
import ReqcliNetworking
import RequestBuilding
import Testing

/// The text of rendered curl commands. WireTests check that the commands send the right bytes.
@Suite struct CurlFormatTests {
    private let base = RequestBuilder().baseURL("https://example.com/api")
    private let defaults = WireDefaults(userAgent: "reqcli/1.0")

    private func render(
        _ builder: RequestBuilder, _ format: CurlFormat = CurlFormat(), transfer: TransferSettings = .plain,
        secrets: [RenderedSecret] = [], isRevealing: Bool = false, cookieJar: CookieJarFile? = nil
    ) throws -> Rendered {
        let files = BodyFiles(size: { _ in 10 }, contents: { _ in nil })
        return format.render(
            RenderingInput(
                request: try builder.prepared(over: transfer), defaults: defaults, secrets: secrets,
                isRevealing: isRevealing, files: files, cookieJar: cookieJar))
    }

    @Test("a plain GET renders only its URL and the user agent")
    func plainGet() throws {
        #expect(
            try render(base.path("users").addingQueryItem("q", "a b")).command == """
                curl -q -sS 'https://example.com/api/users?q=a%20b' \\
                  -H 'User-Agent: reqcli/1.0'
                """)
    }

    @Test("a POST of JSON is rendered in the order method, URL, headers, body")
    func postJSON() throws {
        let builder = base.path("users").method(.post).jsonBody(["name": "O'Neil"]).header("Accept", "application/json")
        #expect(
            try render(builder).command == """
                curl -q -sS https://example.com/api/users \\
                  -H 'User-Agent: reqcli/1.0' \\
                  -H 'Content-Type: application/json' \\
                  -H 'Accept: application/json' \\
                  --data-raw '{"name":"O'\\''Neil"}'
                """)
    }

    @Test("--one-line puts the command on one line, even if the body has line breaks")
    func oneLine() throws {
        let builder = base.method(.post).textBody("a\nb")
        #expect(
            try render(builder, CurlFormat(isOneLine: true)).command
                == "printf 'a\\012b' | curl -q -sS https://example.com/api -H 'User-Agent: reqcli/1.0' "
                + "-H 'Content-Type: text/plain; charset=utf-8' --data-binary @-")
    }

    @Test(
        "the method is left out if curl infers it",
        arguments: [
            (RequestBuilder().method(.get), "curl -q -sS https:"),
            (RequestBuilder().method(.head), "curl -q -sS -I https:"),
            (RequestBuilder().method(.post), "curl -q -sS -X POST https:"),
            (RequestBuilder().method(.post).textBody(""), "curl -q -sS https:"),
            (RequestBuilder().method(.get).textBody("x"), "curl -q -sS -X GET https:"),
            (RequestBuilder().method(.put).textBody("x"), "curl -q -sS -X PUT https:"),
            (RequestBuilder().method("A'B"), "curl -q -sS -X 'A'\\''B' https:"),
        ])
    func methods(builder: RequestBuilder, start: String) throws {
        #expect(try render(base.appending(builder)).command.hasPrefix(start))
    }

    @Test(
        "a proxy is rendered with its options, and with no header that curl would add to a tunnel",
        arguments: [
            (ProxySettings("http://p:1"), " \\\n  -x http://p:1 \\\n  --proxy-header 'User-Agent:'"),
            (ProxySettings(""), " \\\n  -x ''"), (ProxySettings(exceptions: "a,.b"), " \\\n  --noproxy 'a,.b'"),
            (ProxySettings("socks5h://p"), " \\\n  -x socks5h://p"),
            (
                ProxySettings("p", account: Account(user: "a:b", password: "c"), usesDigest: true, isTunnel: true),
                " \\\n  -x p \\\n  --proxy-digest \\\n  --proxytunnel \\\n  --proxy-header 'User-Agent:'"
            ),
        ])
    func proxies(proxies: ProxySettings, options: String) throws {
        var transfer = TransferSettings.plain
        transfer.proxies = proxies
        let rendered = try render(base, transfer: transfer)
        #expect(rendered.command.hasSuffix(options), "\(rendered.command)")
        #expect(rendered.notes.isEmpty == (proxies.account == nil))
    }

    @Test("a detour through a proxy is a tunnel")
    func detourThroughProxy() throws {
        var transfer = TransferSettings.plain
        transfer.proxies = ProxySettings("http://p:1")
        #expect(try !render(base.scheme("http"), transfer: transfer).command.contains("--proxy-header"))
        transfer.detours = [ConnectionDetour(otherHost: "other.example", otherPort: 81)]
        #expect(try render(base.scheme("http"), transfer: transfer).command.contains("--proxy-header 'User-Agent:'"))
    }

    @Test("dot-segments and brackets in a URL add --path-as-is and -g")
    func dotSegments() throws {
        #expect(try render(base.path("a/../b")).command.hasPrefix("curl -q -sS --path-as-is https:"))
        #expect(try render(base.path(segments: ["a", ".."])).command.hasPrefix("curl -q -sS --path-as-is 'https:"))
        #expect(try render(base.path("a/..b/c.")).command.hasPrefix("curl -q -sS https:"))
        #expect(try render(base.host("::1")).command.hasPrefix("curl -q -sS -g 'https://[::1]/api'"))
    }

    @Test("headers that curl adds and the transport does not are removed")
    func unwantedHeaders() throws {
        let input = RenderingInput(
            request: try base.method(.post).body(Data("x".utf8)).prepared(over: .plain),
            defaults: WireDefaults(userAgent: nil, accept: nil))
        #expect(
            CurlFormat().render(input).command == """
                curl -q -sS https://example.com/api \\
                  -H 'User-Agent:' \\
                  -H 'Accept:' \\
                  -H 'Content-Type:' \\
                  --data-raw x
                """)
        let big = try render(base.method(.post).textBody(String(repeating: "x", count: 1_100_000)))
        #expect(big.command.contains("-H 'Expect:'"))
    }

    @Test("transfer options become curl options, and those that curl lacks become a note")
    func transfer() throws {
        var transfer = TransferSettings.plain
        transfer.redirects.isFollowing = true
        transfer.redirects.maximum = 5
        transfer.timeouts.connect = .seconds(2)
        transfer.timeouts.firstByte = .seconds(3)
        transfer.timeouts.total = .milliseconds(800)
        transfer.tls.authorities = "certs/my ca.pem"
        transfer.tls.isInsecure = true
        transfer.tls.certificate = "c.pem"
        transfer.tls.key = "k.pem"
        transfer.tls.maximumVersion = .tls12
        transfer.version = .http11
        let rendered = try render(base.method(.put), transfer: transfer)
        #expect(
            rendered.command == """
                curl -q -sS --http1.1 -X PUT https://example.com/api \\
                  -H 'User-Agent: reqcli/1.0' \\
                  -L --max-redirs 5 \\
                  --connect-timeout 2 \\
                  -m 0.8 \\
                  --cacert 'certs/my ca.pem' \\
                  --cert c.pem \\
                  --key k.pem \\
                  -k \\
                  --tls-max 1.2
                """)
        #expect(
            rendered.notes == [
                "curl keeps the method PUT for a 303 (-X)",
                "curl has no time limit for the first byte of the response",
            ])
    }

    @Test(
        "curl keeps a body that a redirect keeps, and a note says if it keeps the wrong method",
        arguments: [
            (
                HTTPMethod.put, true, "-L --max-redirs 10 --post301 --post302",
                ["curl keeps the method PUT for a 303 (-X), without the body"]
            ),
            (.delete, false, "-L --max-redirs 10", ["curl keeps the method DELETE for a 303 (-X)"]),
            (
                .post, true, "-L --max-redirs 10",
                ["curl keeps the Content-Type when a redirect turns this POST into a GET"]
            ),
            (.post, false, "-L --max-redirs 10", ["curl keeps the method POST for every redirect (-X)"]),
            (
                .get, true, "-L --max-redirs 10 --post301 --post302",
                ["curl keeps the Content-Type when a 303 removes the body of this GET"]
            ),
            (.head, false, "-L --max-redirs 10", []),
        ])
    func redirects(method: HTTPMethod, hasBody: Bool, options: String, notes: [String]) throws {
        var transfer = TransferSettings.plain
        transfer.redirects.isFollowing = true
        let builder = base.method(method)
        let rendered = try render(
            hasBody ? builder.textBody("x") : builder, CurlFormat(isOneLine: true), transfer: transfer)
        #expect(rendered.command.contains(" \(options)" + (hasBody ? " --data-raw x" : "")))
        #expect(rendered.notes == notes)
    }

    @Test(
        "the version of HTTP is an option of curl, and HTTP/2 is used without asking the server",
        arguments: [
            (nil, "curl -q -sS https:"), (ProtocolVersion.http10, "curl -q -sS --http1.0 https:"),
            (.http11, "curl -q -sS --http1.1 https:"), (.http2, "curl -q -sS --http2-prior-knowledge https:"),
        ])
    func version(version: ProtocolVersion?, start: String) throws {
        var transfer = TransferSettings.plain
        transfer.version = version
        #expect(try render(base, transfer: transfer).command.hasPrefix(start))
    }

    @Test("TLS, Digest and retry settings become curl options or notes")
    func security() throws {
        var transfer = TransferSettings.plain
        transfer.tls.minimumVersion = .tls13
        transfer.challengeAccount = Account(user: "ada", password: "it's")
        transfer.retry.times = 2
        let rendered = try render(base, transfer: transfer)
        #expect(
            rendered.command == """
                curl -q -sS https://example.com/api \\
                  -H 'User-Agent: reqcli/1.0' \\
                  --tlsv1.3 \\
                  --digest \\
                  -u 'ada:it'\\''s'
                """)
        #expect(
            rendered.notes == [
                "curl answers the first of several Digest challenges; \"reqcli send\" answers the strongest one",
                "\"reqcli send\" retries up to 2 times; this command doesn't",
            ])
        transfer.answersBasic = true
        #expect(try render(base, transfer: transfer).command.contains("\n  --basic --digest \\\n  -u 'ada:it"))
        transfer.challengeAccount?.user = "a:b"
        #expect(try render(base, transfer: transfer).notes.first?.contains("colon") == true)
    }

    @Test("cookie jar, netrc file, socket and addresses become curl options; a netrc file replaces the header")
    func connection() throws {
        var transfer = TransferSettings.plain
        transfer.netrc = .file("n")
        transfer.unixSocket = "/run/a b"
        transfer.resolvedHosts = [
            ResolvedHost(host: "example.com", port: 443, address: "::1"),
            ResolvedHost(host: "example.com", port: 80, address: "127.0.0.1"),
        ]
        let authorized = base.authorization(user: "ada", password: "it")
        let jar = CookieJarFile(path: "my jar")
        let rendered = try render(authorized, transfer: transfer, cookieJar: jar)
        #expect(
            rendered.command == """
                curl -q -sS https://example.com/api \\
                  -H 'User-Agent: reqcli/1.0' \\
                  --netrc-file n \\
                  -b 'my jar' \\
                  -c 'my jar' \\
                  --unix-socket '/run/a b' \\
                  --resolve 'example.com:443:[::1]' \\
                  --resolve example.com:80:127.0.0.1
                """)
        #expect(rendered.notes == [])
        let odd = try render(authorized, transfer: transfer, cookieJar: CookieJarFile(path: "a=b"))
        #expect(!odd.command.contains("-b ") && odd.command.contains("-c 'a=b'"))
        #expect(
            odd.notes == [
                "curl takes the name a=b for a cookie because of its \"=\", so the cookies in that file are not sent"
            ])
        transfer.netrc = .home
        transfer.redirects.isFollowing = true
        let home = try render(authorized.header("Cookie", "own=1"), transfer: transfer, cookieJar: jar)
        #expect(home.command.contains("  --netrc \\\n") && home.command.contains("-H 'Cookie: own=1'"))
        #expect(
            home.notes == [
                "curl also looks up the hosts of redirects in the netrc file; \"reqcli send\" doesn't",
                "curl sends the cookies of my jar in a separate Cookie header",
            ])
    }

    @Test("the command names a file body and checks that it exists, because curl would send nothing")
    func fileBody() throws {
        #expect(
            try render(base.method(.put).fileBody(path: "my file.bin")).command == """
                [ -r 'my file.bin' ] &&
                curl -q -sS -X PUT https://example.com/api \\
                  -H 'User-Agent: reqcli/1.0' \\
                  -H 'Content-Type: application/octet-stream' \\
                  --data-binary '@my file.bin'
                """)
    }

    @Test("a form with a file is assembled from bytes, so its boundary is the same")
    func multipart() throws {
        let form = MultipartBody(
            boundary: "B", parts: [.text("a", "1"), .file("f", path: "x.txt", contentType: "text/plain")])
        #expect(
            try render(base.method(.post).multipartBody(form)).command == """
                [ -r x.txt ] &&
                { printf '\\055-B\\015\\012Content-Disposition: form-data; name="a"\\015\\012\\015\\0121\\015\\012--B\\015\\012\
                Content-Disposition: form-data; name="f"; filename="x.txt"\\015\\012Content-Type: text/plain\\015\\012\\015\\012'; \
                cat -- x.txt; printf '\\015\\012--B--\\015\\012'; } |
                curl -q -sS https://example.com/api \\
                  -H 'User-Agent: reqcli/1.0' \\
                  -H 'Content-Type: multipart/form-data; boundary=B' \\
                  --data-binary @-
                """)
    }

    @Test(
        "a certificate's file name is never read as a password or a PKCS #11 token",
        arguments: [
            ("c.pem", "c.pem"), ("a:b.pem", #"'a\:b.pem'"#), (#"a\b.pem"#, #"'a\\b.pem'"#),
            ("pkcs11:x", #"'./pkcs11\:x'"#),
        ])
    func certificateName(path: String, argument: String) throws {
        var transfer = TransferSettings.plain
        transfer.tls.certificate = path
        let rendered = try render(base, transfer: transfer).command
        #expect(rendered.contains("--cert \(argument)"), "\(rendered)")
    }

    @Test("a form file named - is a file, not standard input")
    func dash() throws {
        let form = MultipartBody(boundary: "B", parts: [.file("f", path: "-", contentType: nil)])
        let rendered = try render(base.method(.post).multipartBody(form)).command
        #expect(rendered.contains("cat -- ./-;") && rendered.hasPrefix("[ -r ./- ]"), "\(rendered)")
    }

    @Test("PowerShell runs curl.exe, continues lines with a backtick, and adds a note about quotes")
    func powershell() throws {
        let rendered = try render(
            base.method(.post).jsonBody(["a": 1]).authorization(bearer: "tok"), CurlFormat(shell: .powershell),
            secrets: [RenderedSecret(name: "t", value: "tok", source: .environment("TOKEN"))])
        #expect(
            rendered.command == """
                if (-not ${env:TOKEN}) { throw 'TOKEN is not set' };
                curl.exe -q -sS https://example.com/api `
                  -H 'User-Agent: reqcli/1.0' `
                  -H 'Content-Type: application/json' `
                  -H "Authorization: Bearer ${env:TOKEN}" `
                  --data-raw '{"a":1}'
                """)
        #expect(rendered.notes == ["PowerShell before 7.3 drops double quotes inside arguments: use 7.3 or later"])
    }

    @Test("PowerShell sends a binary body from a file, and a form with files with -F")
    func powershellBodies() throws {
        let binary = try render(base.method(.post).body(Data([0, 1])), CurlFormat(shell: .powershell, isOneLine: true))
        #expect(
            binary.command.hasPrefix(
                "$body = [IO.Path]::GetTempFileName(); "
                    + "[IO.File]::WriteAllBytes($body, [Convert]::FromBase64String('AAE=')); curl.exe"))
        #expect(binary.command.hasSuffix("--data-binary \"@$body\""))
        let form = MultipartBody(parts: [.text("a", "1"), .file("f", path: "x.txt")])
        let rendered = try render(base.method(.post).multipartBody(form), CurlFormat(shell: .powershell))
        #expect(rendered.command.contains("--form-string 'a=1'"))
        #expect(rendered.command.contains("-F 'f=@\"x.txt\";filename=\"x.txt\";type=text/plain'"))
        #expect(!rendered.command.contains("Content-Type: multipart"))
        #expect(
            rendered.notes.contains(
                "curl chooses its own boundary for the form, so the bytes between the parts differ"))
    }

    @Test("no line ends with whitespace")
    func noTrailingBlanks() throws {
        let builder = base.method(.put).header("X-A", "").textBody("x")
        for shell in Shell.allCases {
            let lines = try render(builder, CurlFormat(shell: shell)).command.split(separator: "\n")
            #expect(lines.allSatisfy { !$0.hasSuffix(" ") })
        }
    }
}

extension TransferSettings {
    /// Settings that need neither an option nor a note.
    static let plain: TransferSettings = {
        var settings = TransferSettings()
        settings.timeouts = Timeouts()
        settings.redirects.isFollowing = false
        return settings
    }()
}
