import Rendering
import ReqcliNetworking
import RequestBuilding
import Testing

@Suite struct SecretRenderingTests {
    private let base = RequestBuilder().baseURL("https://h")

    private func input(
        _ builder: RequestBuilder, _ value: String, _ source: RenderedSecret.Source = .environment("STAGING_TOKEN")
    ) throws -> RenderingInput {
        RenderingInput(
            request: try builder.prepared(over: .plain), defaults: WireDefaults(userAgent: "a/1"),
            secrets: [RenderedSecret(name: "apiToken", value: value, source: source)])
    }

    private func curl(
        _ builder: RequestBuilder, _ value: String, _ source: RenderedSecret.Source = .environment("STAGING_TOKEN")
    ) throws -> Rendered {
        CurlFormat(isOneLine: true).render(try input(builder, value, source))
    }

    @Test("a secret from the environment is inserted by the shell")
    func environment() throws {
        let rendered = try curl(base.authorization(bearer: "t0 p$s"), "t0 p$s")
        #expect(rendered.command.contains(#"-H 'Authorization: Bearer '"${STAGING_TOKEN:?}""#))
        #expect(rendered.notes.isEmpty)
    }

    @Test("a secret from a command or a file is read by the shell")
    func commandAndFile() throws {
        let builder = base.authorization(bearer: "t0p")
        #expect(
            try curl(builder, "t0p", .command(["pass", "show", "x y"])).command
                .contains(#"'Authorization: Bearer '"$(pass show 'x y')""#))
        #expect(try curl(builder, "t0p", .file("/t")).command.contains(#"'Authorization: Bearer '"$(cat -- /t)""#))
    }

    @Test(
        "the command checks that a secret's file exists before it sends anything",
        arguments: [
            (Shell.sh, "[ -r '/a b' ] && curl"), (.fish, "test -r '/a b' && curl"),
            (
                .powershell,
                "if (-not (Test-Path -LiteralPath '/a b')) { throw 'a file of the request is missing' }; curl"
            ),
        ])
    func missingFile(shell: Shell, start: String) throws {
        let input = try input(base.authorization(bearer: "t0p"), "t0p", .file("/a b"))
        #expect(CurlFormat(shell: shell, isOneLine: true).render(input).command.hasPrefix(start))
    }

    @Test("a Basic password is passed with -u, and curl encodes it")
    func basic() throws {
        let rendered = try curl(base.authorization(user: "ada", password: "p:w"), "p:w")
        #expect(rendered.command.contains(#"-u ada:"${STAGING_TOKEN:?}""#))
        #expect(!rendered.command.contains("Authorization"))
        #expect(rendered.notes.isEmpty)
    }

    @Test(
        "a secret that must be encoded is masked, and a note on stderr says what to do",
        arguments: [
            RequestBuilder().addingQueryItem("q", "t/p s"), RequestBuilder().path(segments: ["t/p s"]),
            RequestBuilder().method(.post).formBody([("a", "t/p s")]),
            RequestBuilder().header("X-Signed", Data("t/p s".utf8).base64EncodedString()),
        ])
    func encoded(builder: RequestBuilder) throws {
        let rendered = try curl(base.appending(builder), "t/p s")
        #expect(rendered.command.contains("<secret.apiToken>"))
        #expect(
            rendered.notes == [
                "<secret.apiToken> stands for a secret that the command can't read by itself; --reveal shows the secret"
            ])
    }

    @Test("in a JSON body, a secret with characters that JSON escapes is masked; any other is inserted")
    func json() throws {
        let escaped = try curl(base.method(.post).jsonBody(["a": "t\"p"]), "t\"p")
        #expect(escaped.command.contains(#"{"a":"<secret.apiToken>"}"#))
        let plain = try curl(base.method(.post).jsonBody(["a": "t0p"]), "t0p")
        #expect(plain.command.contains(#"'{"a":"'"${STAGING_TOKEN:?}"'"}'"#))
    }

    @Test(
        "a secret that the shell cannot insert unchanged is masked",
        arguments: [
            (.command(["x"]), "ends in a line break\n"), (.file("/t"), "line\n"), (.unknown, "t0p"),
            (.file("/t"), "a\0b"), (.command(["x"]), "a\0b"),
            (.environment("NOT A NAME"), "t0p"), (.environment("X}$(touch canary)"), "t0p"),
            (.environment("1X"), "t0p"),
            (.command([]), "t0p"),
        ] as [(RenderedSecret.Source, String)])
    func notExpandable(source: RenderedSecret.Source, value: String) throws {
        let rendered = try curl(base.method(.post).textBody(value), value, source)
        #expect(rendered.command.contains("<secret.apiToken>"))
        #expect(!rendered.command.contains("canary"))
        #expect(rendered.notes.count == 1)
    }

    @Test("PowerShell: a command's secret is masked, because its lines would be joined with spaces")
    func linesInPowerShell() throws {
        for (source, isMasked) in [(RenderedSecret.Source.command(["x"]), true), (.file("/t"), false)] {
            let input = try input(base.method(.post).textBody("a\nb"), "a\nb", source)
            let rendered = CurlFormat(shell: .powershell).render(input).command
            #expect(rendered.contains("<secret.apiToken>") == isMasked)
            #expect(!CurlFormat().render(input).command.contains("<secret.apiToken>"))
        }
    }

    @Test("a piped body checks that its secret is available before anything is sent")
    func fedBody() throws {
        let rendered = try curl(base.method(.post).body(Data([0]) + Data("t0p".utf8)), "t0p")
        #expect(
            rendered.command.hasPrefix(
                #": "${STAGING_TOKEN:?}" && { printf '\000'; printf %s "${STAGING_TOKEN:?}"; } | curl"#))
    }

    @Test("secrets that contain each other are each inserted whole")
    func overlapping() throws {
        let request = try base.header("A", "abc abcdef").prepared(over: .plain)
        let secrets = [
            RenderedSecret(name: "s", value: "abc", source: .environment("S")),
            RenderedSecret(name: "l", value: "abcdef", source: .environment("L")),
        ]
        let input = RenderingInput(request: request, defaults: WireDefaults(userAgent: nil), secrets: secrets)
        #expect(CurlFormat().render(input).command.contains(#"-H 'A: '"${S:?}"' '"${L:?}""#))
    }

    @Test("--reveal shows all secrets in every format")
    func reveal() throws {
        var input = try input(base.addingQueryItem("q", "t/p").header("X", "t/p"), "t/p")
        #expect(!CurlFormat().render(input).command.contains("t%2Fp"))
        #expect(!(try HTTPFormat().render(input)).command.contains("t/p"))
        #expect(try HTTPFormat().render(input).notes.count == 1)
        for rendered in [JSONFormat().render(input), HARFormat(creator: ("a", "1"), date: "").render(input)] {
            let text = rendered.command
            #expect(text.contains("<secret.apiToken>") && !text.contains("t/p") && !text.contains("t%2Fp"))
            #expect(
                rendered.notes == [
                    "secrets are masked, so this is not exactly the request that is sent; --reveal shows the secrets"
                ])
        }
        input.isRevealing = true
        #expect(CurlFormat().render(input).command.contains("'X: t/p'"))
        #expect(try HTTPFormat().render(input).command.contains("GET /?q=t%2Fp"))
        #expect(try HTTPFormat().render(input).notes.isEmpty)
        #expect(JSONFormat().render(input).command.contains("\"t/p\""))
        #expect(JSONFormat().render(input).notes.isEmpty)
        #expect(HARFormat(creator: ("a", "1"), date: "").render(input).notes.isEmpty)
    }
}
