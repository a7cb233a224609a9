import Foundation
import HostileServing
import TestSupport
import Testing
import ToolSupport

/// `--unix-socket` and `--resolve` send the same request to another address.
@Suite(.serialized) struct AddressTests {
    private static func answer(_ connection: HostileConnection) {
        while connection.readRequest() != nil { connection.respond(body: "here") }
    }

    @Test("--unix-socket connects to the socket and leaves the request unchanged")
    func unixSocket() async throws {
        let workspace = try ToolWorkspace(server: "http://api.invalid:8080", endpoint: #"{ "path": "/a" }"#)
        let server = try HostileServer(on: .unix(path: workspace.path("socket")), Self.answer)
        defer { server.stop() }
        let run = try await Tool.run(["send", "it", "--unix-socket", "socket"], in: workspace)
        #expect(run.status == 0 && run.outputText == "here", "\(run.errors)")
        #expect(server.requests.first?.values("Host") == ["api.invalid:8080"])
    }

    @Test("--resolve replaces the address of one host and port")
    func resolve() async throws {
        let server = try HostileServer(Self.answer)
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://api.invalid:\(server.port)")
        let run = try await Tool.run(
            ["send", "it", "--resolve", "API.invalid:\(server.port):127.0.0.1"], in: workspace)
        #expect(run.status == 0 && run.outputText == "here", "\(run.errors)")
        #expect(server.requests.first?.values("Host") == ["api.invalid:\(server.port)"])
        let other = try await Tool.run(["send", "it", "--resolve", "api.invalid:1:127.0.0.1"], in: workspace)
        #expect(other.status == 6 && other.errors.contains("can't find the host"), "\(other.errors)")
    }

    @Test(
        "--connect-to connects elsewhere and leaves the request unchanged; empty parts stand for any, or the same",
        arguments: [
            "api.invalid:80:127.0.0.1:PORT", "API.invalid::127.0.0.1:PORT", ":80:127.0.0.1:PORT", "::127.0.0.1:PORT",
            "::localhost:PORT",
        ])
    func connectTo(detour: String) async throws {
        let server = try HostileServer(Self.answer)
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://api.invalid")
        let detour = detour.replacing("PORT", with: "\(server.port)")
        let run = try await Tool.run(
            ["send", "it", "--connect-to", "other:80:127.0.0.1:1", "--connect-to", detour], in: workspace)
        #expect(run.status == 0 && run.outputText == "here", "\(run.errors)")
        #expect(server.requests.first?.values("Host") == ["api.invalid"])
        let other = try await Tool.run(["send", "it", "--connect-to", "api.invalid:1:127.0.0.1:2"], in: workspace)
        #expect(other.status == 6 && other.errors.contains("can't find the host"), "\(other.errors)")
    }

    @Test("--connect-to takes IPv6 addresses in brackets, and keeps the port where it names none")
    func connectToIPv6() async throws {
        let server = try HostileServer(on: .ipv6, Self.answer)
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://[2001:db8::1]:\(server.port)")
        let run = try await Tool.run(
            ["send", "it", "--connect-to", "[2001:db8::1]:\(server.port):[::1]:"], in: workspace)
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test("--resolve accepts an IPv6 address with or without brackets", arguments: ["[::1]", "::1"])
    func resolveIPv6(address: String) async throws {
        let server = try HostileServer(on: .ipv6, Self.answer)
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://api.invalid:\(server.port)")
        let run = try await Tool.run(
            ["send", "it", "--resolve", "api.invalid:\(server.port):\(address)"], in: workspace)
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test("--unix-socket applies to needed requests too")
    func needs() async throws {
        let workspace = try ToolWorkspace(
            server: "http://api.invalid",
            endpoint: #"{ "path": "/{{login.user}}", "needs": { "login": "login" } }"#)
        try workspace.write(
            "endpoints/login.json", #"{ "path": "/login", "capture": { "user": { "json": "$.user" } } }"#)
        let server = try HostileServer(on: .unix(path: workspace.path("socket"))) { connection in
            while connection.readRequest() != nil { connection.respond(body: #"{"user": 7}"#) }
        }
        defer { server.stop() }
        let run = try await Tool.run(["send", "it", "--unix-socket", "socket"], in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        #expect(server.requests.map(\.line) == ["GET /login HTTP/1.1", "GET /7 HTTP/1.1"])
    }

    @Test("check supports --unix-socket")
    func check() async throws {
        let workspace = try ToolWorkspace(
            server: "http://api.invalid", endpoint: #"{ "path": "/", "expect": { "status": 200 } }"#)
        let server = try HostileServer(on: .unix(path: workspace.path("socket")), Self.answer)
        defer { server.stop() }
        let run = try await Tool.run(["check", "--unix-socket", "socket"], in: workspace)
        #expect(run.status == 0, "\(run.outputText)\(run.errors)")
    }

    @Test(
        "an address that is unreachable or invalid is an error",
        arguments: [
            (
                ["--unix-socket", "none"], 6,
                "error: the socket none doesn't exist: check its path, and that the server runs and listens there\n"
            ),
            (
                ["--unix-socket", "endpoints/it.json"], 6,
                "error: the socket endpoints/it.json refused the connection: check that the server runs and listens there\n"
            ),
            (["--unix-socket", "endpoints/it.json/none"], 6, "it.json/none can't be reached (Not a directory)"),
            (["--resolve", "api.invalid"], 2, "--resolve takes HOST:PORT:ADDR"),
            (["--resolve", "api.invalid:80:elsewhere"], 2, "ADDR is an IP address"),
            (["--resolve", "api.invalid:http:127.0.0.1"], 2, "--resolve takes HOST:PORT:ADDR"),
            (["--connect-to", "a:80:b"], 2, "--connect-to takes HOST1:PORT1:HOST2:PORT2"),
            (["--connect-to", "a:80:b:0"], 2, "--connect-to takes HOST1:PORT1:HOST2:PORT2"),
            (["--connect-to", "a:80:b c:1"], 2, "an IPv6 address needs brackets"),
            (["--connect-to", "a:80:::1:1"], 2, "an IPv6 address needs brackets"),
            (["--unix-socket", ""], 2, "--unix-socket takes"),
            (["--unix-socket", String(repeating: "s", count: 108)], 2, "a path of at most 107 bytes"),
            (["--unix-socket", String(repeating: "é", count: 54)], 2, "this path has 108 bytes"),
            (["--unix-socket", String(repeating: "s", count: 107)], 6, "doesn't exist"),
            (["--http2", "--http1.1"], 2, "--http1.1 and --http2"),
            (
                ["--proxy", "ftp://p"], 2,
                "the URL takes one of the schemes http, https, socks4, socks4a, socks5, socks5h"
            ),
            (["--proxy", "http://"], 2, "the URL needs a host name or address"),
            (["--proxy-header", "Name:"], 2, "--proxy-header takes a header as 'Name: value' or 'Name;'\n"),
        ])
    func problems(flags: [String], status: Int32, message: String) async throws {
        let workspace = try ToolWorkspace(server: "http://api.invalid")
        let run = try await Tool.run(["send", "it"] + flags, in: workspace)
        #expect(run.status == status, "\(run.errors)")
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(workspace.files == [])
    }

    @Test("the rendered curl connects to the same address", .enabled(if: ShellCommand.has("curl"), "curl is needed"))
    func rendered() async throws {
        let workspace = try ToolWorkspace(server: "http://api.invalid:8080")
        let server = try HostileServer(Self.answer)
        defer { server.stop() }
        let local = try HostileServer(on: .unix(path: workspace.path("a socket")), Self.answer)
        defer { local.stop() }
        for flags in [
            ["--unix-socket", "a socket"],
            ["--base-url", "http://api.invalid:\(server.port)", "--resolve", "api.invalid:\(server.port):127.0.0.1"],
            ["--connect-to", "api.invalid::127.0.0.1:\(server.port)"],
        ] {
            let send = try await Tool.run(["send", "it"] + flags, in: workspace)
            #expect(send.status == 0, "\(send.errors)")
            let render = try await Tool.run(["render", "it"] + flags, in: workspace)
            #expect(render.status == 0 && render.errors == "", "\(render.errors)")
            #expect(try ShellCommand.run(render.outputText, in: workspace.folder) == Data("here".utf8))
        }
        #expect(local.requests.count == 2 && server.requests.count == 4)
        for requests in [local.requests[...], server.requests.prefix(2), server.requests.suffix(2)] {
            #expect(requests.first?.values("Host") == requests.last?.values("Host"))
        }
    }
}
