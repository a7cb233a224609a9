import HostileServing
import Testing
import ToolSupport

/// `serve --proxy-to` keeps secrets with `origins` from a server that is none of them, also if a client sends them.
@Suite struct ProxiedSecretTests {
    @Test(
        "a secret of the target or of the served environment is refused, and so is a body that can't be searched",
        arguments: ["real", "development"])
    func refused(limited environment: String) async throws {
        let upstream = try ProxyTests.serving { $1.respond(body: "real") }
        defer { upstream.stop() }
        func file(_ name: String) -> String {
            let secrets = #", "secrets": { "token": { "env": "TOKEN", "origins": "https://api.example.com" } }"#
            return #"{ "baseURL": "http://127.0.0.1:\#(upstream.port)"\#(name == environment ? secrets : "") }"#
        }
        let names = ["real", "development"]
        let server = try await ServeProcess(
            ["--env", "development", "--proxy-to", "real"],
            Dictionary(uniqueKeysWithValues: names.map { ("environments/\($0).json", file($0)) }),
            variables: ["TOKEN": "s3cr3t-of-ada"])
        #expect(try await server.curl("/anything", "-H", "X-A: plain").body == "real")
        let refused = [
            ["-H", "X-A: s3cr3t-of-ada"], ["-H", "Authorization: Basic YTpzM2NyM3Qtb2YtYWRh"],
            ["-d", "a=s3cr3t-of-ada"],
            ["-H", "Content-Encoding: gzip", "-d", "x"],
        ]
        for words in refused {
            let run = try await server.curl(["/anything"] + words)
            #expect(run.code == "403", "\(words): \(run.outputText)")
            #expect(!run.outputText.contains("s3cr3t"))
        }
        #expect(upstream.requests.count == 1)
        #expect(try await server.end().status == 0)
    }
}
