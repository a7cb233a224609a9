import Foundation
import HostileServing
import TestSupport
import Testing
import ToolSupport

/// Requests go through the proxy of the files or the flags, and nobody but the proxy learns its password.
@Suite(.serialized) struct ProxyTests {
    private static let account = #""user": "ada", "password": "{{secret.proxy}}""#
    private static let password = "s3cr3t word"
    /// `ada:s3cr3t word`
    private static let basic = "Basic \(Data("ada:\(password)".utf8).base64EncodedString())"

    /// A proxy that answers requests for http by itself, and makes no tunnels.
    private static func answer(_ connection: HostileConnection) {
        while let request = connection.readRequest() {
            connection.respond(request.line.hasPrefix("CONNECT") ? 403 : 200, body: "through")
        }
    }

    /// A proxy whose tunnels end in itself.
    private static func tunnel(_ connection: HostileConnection) {
        while let request = connection.readRequest() {
            if request.line.hasPrefix("CONNECT") {
                connection.send("HTTP/1.1 200 Established\r\n\r\n")
            } else {
                connection.respond(body: "through")
            }
        }
    }

    private static func send(
        _ flags: [String] = [], environment: String? = nil, server: String = "http://api.invalid:8080",
        command: String = "send", variables: [String: String] = [:]
    ) async throws -> ToolRun {
        let secret = #""secrets": { "proxy": { "env": "PROXY_PASSWORD" } }"#
        let workspace = try ToolWorkspace(
            server: server, endpoint: #"{ "path": "/a", "query": { "b": "c" } }"#,
            environment: [environment, secret].compactMap(\.self).joined(separator: ", "))
        return try await Tool.run(
            [command, "it"] + flags, in: workspace,
            environment: ["PROXY_PASSWORD": password].merging(variables) { $1 })
    }

    @Test("a proxy of the files gets the whole URL and the account as Basic")
    func file() async throws {
        let proxy = try HostileServer(Self.answer)
        defer { proxy.stop() }
        let run = try await Self.send(
            ["-v"], environment: #""proxy": { "url": "\#(proxy.url())", \#(Self.account) }"#)
        #expect(run.status == 0 && run.outputText == "through", "\(run.errors)")
        #expect(proxy.requests.map(\.line) == ["GET http://api.invalid:8080/a?b=c HTTP/1.1"])
        #expect(proxy.requests.first?.values("Proxy-Authorization") == [Self.basic])
        #expect(!run.errors.contains("s3cr3t"), "\(run.errors)")
    }

    @Test("--proxy replaces the proxy of the files and of the variables, and gets no account of theirs")
    func flag() async throws {
        let proxy = try HostileServer(Self.answer)
        defer { proxy.stop() }
        for (url, environment) in [
            ("\(proxy.url())", #""proxy": { "url": "http://127.0.0.1:1", \#(Self.account) }"#),
            ("127.0.0.1:\(proxy.port)", nil),
        ] {
            let run = try await Self.send(
                ["--proxy", url], environment: environment, variables: ["http_proxy": "http://a:b@127.0.0.1:1"])
            #expect(run.status == 0 && run.outputText == "through", "\(run.errors)")
        }
        #expect(proxy.requests.map { $0.values("Proxy-Authorization") } == [[], []])
    }

    @Test("an empty proxy or null turns off that of the variables", arguments: ["null", "\"\"", "{ \"url\": \"\" }"])
    func none(value: String) async throws {
        let (proxy, server) = (try HostileServer(Self.answer), try HostileServer(Self.answer))
        defer {
            proxy.stop()
            server.stop()
        }
        let variables = ["http_proxy": "\(proxy.url())"]
        let run = try await Self.send(
            environment: "\"proxy\": \(value)", server: "http://127.0.0.1:\(server.port)", variables: variables)
        #expect(run.status == 0, "\(run.errors)")
        let flag = try await Self.send(["-x", ""], server: "http://127.0.0.1:\(server.port)", variables: variables)
        #expect(flag.status == 0, "\(flag.errors)")
        #expect(server.requests.count == 2 && proxy.requests.isEmpty)
    }

    @Test(
        "noProxy names hosts, what is below them, addresses and networks, as for curl",
        arguments: [
            ("localhost", "127.0.0.1", true), ("127.0.0.1", "127.0.0.1", false), ("127.0.0.0/8", "127.0.0.1", false),
            ("10.0.0.0/8", "127.0.0.1", true), ("*", "localhost", false), ("LOCALHOST", "localhost", false),
            (".localhost", "localhost", false), ("ocalhost", "localhost", true), ("a, localhost", "localhost", false),
            ("test", "api.test", false), (".test", "api.test", false), ("api.test.", "api.test", false),
            ("pi.test", "api.test", true), ("b.api.test", "api.test", true), ("", "localhost", true),
        ])
    func exceptions(list: String, host: String, isProxied: Bool) async throws {
        let (proxy, server) = (try HostileServer(Self.answer), try HostileServer(Self.answer))
        defer {
            proxy.stop()
            server.stop()
        }
        let flags = ["--resolve", "\(host):\(server.port):127.0.0.1"]
        let address = "http://\(host):\(server.port)"
        let file = #""proxy": "\#(proxy.url())", "noProxy": "\#(list)""#
        let run = try await Self.send(flags, environment: file, server: address)
        #expect(run.status == 0, "\(run.errors)")
        let flag = try await Self.send(
            flags + ["--noproxy", list], environment: #""proxy": "\#(proxy.url())", "noProxy": "*""#, server: address)
        #expect(flag.status == 0, "\(flag.errors)")
        #expect((proxy.requests.count, server.requests.count) == (isProxied ? (2, 0) : (0, 2)))
    }

    @Test("https goes through a tunnel, whose proxy alone gets the account; a refusal is exit 6 without the password")
    func connect() async throws {
        let proxy = try HostileServer(Self.answer)
        defer { proxy.stop() }
        let run = try await Self.send(
            ["--proxy-header", "X-For: proxy"],
            environment: #""proxy": { "url": "\#(proxy.url())", \#(Self.account) }"#,
            server: "https://api.invalid")
        #expect(run.status == 6 && run.errors.contains("didn't connect (it responded with 403)"), "\(run.errors)")
        #expect(!run.errors.contains("s3cr3t"), "\(run.errors)")
        let request = try #require(proxy.requests.first)
        #expect(request.line == "CONNECT api.invalid:443 HTTP/1.1")
        #expect(request.values("Proxy-Authorization") == [Self.basic])
        #expect(request.values("X-For") == ["proxy"] && request.values("User-Agent") == [])
    }

    @Test("--proxytunnel and \"tunnel\" ask for a tunnel for http, in which the server sees nothing for the proxy")
    func tunnelled() async throws {
        let proxy = try HostileServer(Self.tunnel)
        defer { proxy.stop() }
        let account = #""url": "\#(proxy.url())", \#(Self.account)"#
        for (flags, more) in [(["--proxytunnel"], ""), ([], #", "tunnel": true"#)] {
            let run = try await Self.send(
                flags + ["--proxy-header", "X-For: proxy"], environment: "\"proxy\": { \(account)\(more) }")
            #expect(run.status == 0 && run.outputText == "through", "\(run.errors)")
        }
        let lines = ["CONNECT api.invalid:8080 HTTP/1.1", "GET /a?b=c HTTP/1.1"]
        #expect(proxy.requests.map(\.line) == lines + lines)
        #expect(proxy.requests.map { $0.values("Proxy-Authorization").count } == [1, 0, 1, 0])
        #expect(proxy.requests.map { $0.values("X-For").count } == [1, 0, 1, 0])
    }

    @Test(
        "the proxy's Digest challenge is answered, for a request and for a tunnel, and the password is not sent",
        .enabled(if: ShellCommand.has("curl"), "curl is needed"), arguments: [false, true])
    func digest(isTunnel: Bool) async throws {
        let challenge = #"Proxy-Authenticate: Digest realm="r", nonce="n", qop="auth", algorithm=MD5"#
        let proxy = try HostileServer { connection in
            while let request = connection.readRequest() {
                let isConnect = request.line.hasPrefix("CONNECT")
                let isIn = request.values("Proxy-Authorization").contains { $0.contains(#"username="ada""#) }
                if isTunnel, isIn, isConnect {
                    connection.send("HTTP/1.1 200 Established\r\n\r\n")
                } else {
                    let isDone = isIn || isTunnel && !isConnect
                    connection.respond(isDone ? 200 : 407, isDone ? [] : [challenge], body: isDone ? "in" : "no")
                }
            }
        }
        defer { proxy.stop() }
        let more = #""auth": "digest", "tunnel": \#(isTunnel)"#
        let file = #""proxy": { "url": "\#(proxy.url())", \#(Self.account), \#(more) }"#
        let run = try await Self.send(["-v"], environment: file)
        #expect(run.status == 0 && run.outputText == "in" && !run.errors.contains("s3cr3t"), "\(run.errors)")
        #expect(!proxy.requests.contains { $0.head.contains(Self.basic) })
        let sent = proxy.requests
        #expect(sent.count == (isTunnel ? 3 : 2))
        let render = try await Self.send(environment: file, command: "render")
        let output = try ShellCommand.run(
            "export PROXY_PASSWORD='\(Self.password)'\n\(render.outputText)", in: try TemporaryFolder())
        #expect(output == Data("in".utf8))
        #expect(proxy.requests.dropFirst(sent.count).map(\.line) == sent.map(\.line))
        #expect(proxy.requests.map(\.digestTarget) == sent.map(\.digestTarget) + sent.map(\.digestTarget))
    }

    @Test("a server that is reached without the proxy gets no answer to a challenge of a proxy")
    func challengeOfServer() async throws {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil {
                connection.respond(407, [#"Proxy-Authenticate: Digest realm="r", nonce="n""#], body: "no")
            }
        }
        defer { server.stop() }
        let file =
            #""proxy": { "url": "http://p.invalid", \#(Self.account), "auth": "digest" }, "noProxy": "127.0.0.0/8""#
        let run = try await Self.send(environment: file, server: "http://127.0.0.1:\(server.port)")
        #expect(run.status == 4, "\(run.errors)")
        #expect(server.requests.map { $0.values("Proxy-Authorization") } == [[]])
    }

    @Test(
        "the rendered curl sends the same through the proxy", .enabled(if: ShellCommand.has("curl"), "curl is needed"))
    func rendered() async throws {
        for (server, flags) in [
            ("http://api.invalid:8080", ["--proxy-header", "X-For: proxy"]),
            ("http://api.invalid:8080", ["--proxytunnel"]),
            ("https://api.invalid", []),
        ] {
            let proxy = try HostileServer(Self.answer)
            defer { proxy.stop() }
            let file = #""proxy": { "url": "\#(proxy.url())", \#(Self.account) }"#
            _ = try await Self.send(flags, environment: file, server: server)
            let render = try await Self.send(flags, environment: file, server: server, command: "render")
            #expect(render.status == 0 && render.errors == "", "\(render.errors)")
            #expect(render.outputText.contains(#"-U ada:"${PROXY_PASSWORD:?}""#), "\(render.outputText)")
            let folder = try TemporaryFolder()
            _ = try ShellCommand.run(
                "export PROXY_PASSWORD='\(Self.password)'\n{ \(render.outputText) } || true", in: folder)
            #expect(proxy.requests.count == 2)
            #expect(proxy.requests.first?.line == proxy.requests.last?.line)
            #expect(
                proxy.requests.first.map { Set($0.headerLines) } == proxy.requests.last.map { Set($0.headerLines) })
        }
    }

    @Test("explain shows the proxy with its origin and its user, and never the password, even if a file has it")
    func explained() async throws {
        let literal = #""proxy": { "url": "http://p.invalid:1", "user": "ada", "password": "s3cr3t" }"#
        for flags in [[], ["--json"]] {
            let run = try await Self.send(flags, environment: literal, command: "explain")
            #expect(run.status == 0 && run.outputText.contains("http://p.invalid:1, user ada"), "\(run)")
            #expect(run.outputText.contains("environments/development.json:1:") && !run.outputText.contains("s3cr3t"))
        }
        let render = try await Self.send(environment: literal, command: "render")
        #expect(render.outputText.contains("-U 'ada:<secret.proxy>'") && !render.outputText.contains("s3cr3t"))
        let revealed = try await Self.send(["--reveal"], environment: literal, command: "render")
        #expect(revealed.outputText.contains("-U ada:s3cr3t"))
    }

    @Test(
        "an account in the URL of a proxy is refused without showing it",
        arguments: [
            ([], #""proxy": "http://ada:s3cr3t@p:1""#, 3),
            (["--proxy", "http://ada:s3cr3t@p:1"], #""proxy": null"#, 2),
            ([], #""proxy": { "url": "{{$env.URL}}" }"#, 3),
        ])
    func accountInURL(flags: [String], environment: String, status: Int32) async throws {
        let run = try await Self.send(flags, environment: environment, variables: ["URL": "http://ada:s3cr3t@p:1"])
        #expect(run.status == status && run.errors.contains("can't have a user or password in it"), "\(run.errors)")
        #expect(flags.isEmpty || !run.errors.contains("s3cr3t"), "\(run.errors)")
    }

    @Test(
        "a SOCKS proxy gets the host's name, or with socks5 the address that reqcli has looked up",
        arguments: [("socks5h", "api.invalid"), ("socks5", "127.0.0.1")])
    func socks(scheme: String, target: String) async throws {
        let proxy = try HostileServer { connection in
            guard let greeting = connection.read(2), connection.read(Int(greeting[1])) != nil else { return }
            connection.send([5, 0])
            guard let kind = connection.read(4)?.last else { return }
            let count = kind == 3 ? Int(connection.read(1)?.first ?? 0) : 4
            guard let host = connection.read(count), connection.read(2) != nil else { return }
            connection.send([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
            guard connection.readRequest() != nil else { return }
            let name = kind == 3 ? String(decoding: host, as: UTF8.self) : host.map(String.init).joined(separator: ".")
            connection.respond(body: name)
        }
        defer { proxy.stop() }
        let run = try await Self.send([
            "-x", "\(scheme)://127.0.0.1:\(proxy.port)", "--resolve", "api.invalid:8080:127.0.0.1",
        ])
        #expect(run.status == 0 && run.outputText == target, "\(run)")
        #expect(proxy.requests.map(\.line) == ["GET /a?b=c HTTP/1.1"])
    }

    @Test("a SOCKS proxy that asks for an account gets it, and no output shows the password", arguments: [true, false])
    func socksAccount(isRight: Bool) async throws {
        let proxy = try HostileServer { (connection: HostileConnection) in
            guard let greeting = connection.read(2), let methods = connection.read(Int(greeting[1])) else { return }
            guard methods.contains(2) else { return }
            connection.send([5, 2])
            guard let user = connection.read(2), let name = connection.read(Int(user[1])),
                let length = connection.read(1)?.first, let password = connection.read(Int(length))
            else { return }
            let isKnown = isRight && name.elementsEqual("ada".utf8) && password.elementsEqual(Self.password.utf8)
            connection.send([1, isKnown ? 0 : 1])
            guard isKnown, let kind = connection.read(4)?.last, kind == 3, let count = connection.read(1)?.first,
                connection.read(Int(count)) != nil, connection.read(2) != nil
            else { return }
            connection.send([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
            guard connection.readRequest() != nil else { return }
            connection.respond(body: "through")
        }
        defer { proxy.stop() }
        let run = try await Self.send(
            ["-v"],
            environment: #""proxy": { "url": "socks5h://127.0.0.1:\#(proxy.port)", \#(Self.account) }"#)
        #expect(run.status == (isRight ? 0 : 6), "\(run)")
        #expect(isRight ? run.outputText == "through" : run.errors.contains("proxy"), "\(run)")
        #expect(!run.errors.contains(Self.password), "\(run.errors)")
    }

    @Test("needs go through the proxy of the flag, too, and check takes it")
    func needs() async throws {
        let proxy = try HostileServer(Self.answer)
        defer { proxy.stop() }
        let workspace = try ToolWorkspace(
            server: "http://api.invalid",
            endpoint: #"{ "path": "/", "needs": { "x": "x" }, "expect": { "status": 200 } }"#)
        try workspace.write("endpoints/x.json", #"{ "path": "/x" }"#)
        let run = try await Tool.run(["check", "it", "--proxy", "\(proxy.url())"], in: workspace)
        #expect(run.status == 0, "\(run.outputText)\(run.errors)")
        #expect(
            proxy.requests.map(\.line) == ["GET http://api.invalid/x HTTP/1.1", "GET http://api.invalid/ HTTP/1.1"])
    }
}

extension HostileServer.Request {
    /// What its answer to a proxy's Digest challenge is for.
    fileprivate var digestTarget: Substring? {
        values("Proxy-Authorization").first?.firstMatch(of: /uri="([^"]*)"/)?.1
    }
}
