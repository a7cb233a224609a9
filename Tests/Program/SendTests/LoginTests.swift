import Foundation
import Glibc
import HostileServing
import Testing
import ToolSupport

/// Logins with a device code at a terminal: what a person agrees to, and what is shown.
@Suite(.serialized) struct LoginTests {
    // MARK: The agreement

    @Test("A proxy or certificates that a file names later get no token before a person agrees to them")
    func way() async throws {
        let issuer = try DeviceIssuer()
        let proxy = try HostileServer { connection in
            while connection.readRequest() != nil { connection.respond(200, [], body: "from the proxy") }
        }
        let workspace = try issuer.workspace()
        var login = try await DeviceIssuer.logIn(workspace)
        #expect(login.status == 0, "\(login.screen)")
        let address = "http://127.0.0.1:\(proxy.port)"
        let proxied = issuer.environment(#", "proxy": "\#(address)""#)
        for change in [proxied, issuer.environment(#", "tls": { "ca": "ca.pem" }"#)] {
            try workspace.write("ca.pem", "")
            try DeviceIssuer.change(workspace, change)
            let commands = [
                ["send", "it"], ["check", "it"], ["token"], ["token", "--for", issuer.url], ["whoami", "--remote"],
            ]
            for command in commands {
                let run = try await Tool.run(command, in: workspace)
                #expect(
                    run.status == 3 && run.errors.contains("run \"reqcli login -e development\""), "\(command) \(run)")
            }
        }
        try DeviceIssuer.change(workspace, proxied)
        try DeviceIssuer.age(workspace)
        for command in [["send", "it"], ["token"]] {
            let run = try await Tool.run(command, in: workspace)
            #expect(run.status == 3, "\(command) \(run)")
        }
        #expect(proxy.requests.isEmpty && issuer.received.isEmpty && issuer.bodies("/token").count == 1)

        // The user's own flags and variables need no agreement.
        try DeviceIssuer.change(workspace, issuer.environment())
        var run = try await Tool.run(["send", "it", "--proxy", address], in: workspace)
        #expect(run.status == 0 && proxy.requests.count == 1, "\(run)")
        run = try await Tool.run(["send", "it"], in: workspace, environment: ["http_proxy": address])
        #expect(run.status == 0 && proxy.requests.count == 2, "\(run)")

        try DeviceIssuer.change(workspace, proxied)
        login = try await DeviceIssuer.logIn(workspace)
        #expect(login.status == 0, "\(login.screen)")
        let place = "\(issuer.url) through the proxy \(address)"
        #expect(login.screen.contains("The token will be sent to \(place). Go on?"), "\(login.screen)")
        run = try await Tool.run(["send", "it"], in: workspace)
        #expect(run.status == 0 && run.outputText == "from the proxy", "\(run)")
    }

    @Test("An unencrypted OAuth server on this machine is reached directly, whatever the proxies are")
    func loopback() async throws {
        let issuer = try DeviceIssuer()
        let proxy = try HostileServer { connection in
            while connection.readRequest() != nil { connection.respond(502, [], body: "") }
        }
        let workspace = try issuer.workspace()
        let variables = ["http_proxy": "http://127.0.0.1:\(proxy.port)"]
        let login = try await DeviceIssuer.logIn(workspace, variables: variables)
        #expect(login.status == 0 && proxy.requests.isEmpty, "\(login.screen)")
        try DeviceIssuer.age(workspace)
        let run = try await Tool.run(["token"], in: workspace, environment: variables)
        #expect(run.outputText == "access-token-2\n" && proxy.requests.isEmpty, "\(run)")
    }

    @Test("Another server needs an agreement, which login --for gives; render and token keep to it")
    func otherServer() async throws {
        let issuer = try DeviceIssuer()
        let workspace = try issuer.workspace()
        _ = try await DeviceIssuer.logIn(workspace)
        let other = "http://localhost:\(issuer.server.port)"
        var run = try await Tool.run(["send", "it", "--base-url", other], in: workspace)
        #expect(run.status == 3 && run.errors.contains("is not for \(other), but for \(issuer.url)"), "\(run)")
        #expect(run.errors.contains("run \"reqcli login -e development --for \(other)\""), "\(run)")

        run = try await Tool.run(["render", "it", "--one-line", "--base-url", other], in: workspace)
        #expect(run.outputText.contains("$(reqcli token -e development --for \(other))"), "\(run)")
        run = try await Tool.run(["token", "--for", other], in: workspace)
        #expect(run.status == 3 && run.outputText.isEmpty, "\(run)")
        run = try await Tool.run(["token", "--for", "\(issuer.url)/a/path"], in: workspace)
        #expect(run.outputText == "access-token-1\n", "\(run)")

        let login = try await DeviceIssuer.logIn(workspace, ["--for", "\(other)/v1"])
        #expect(login.screen.contains("will be sent to \(issuer.url), \(other). Go on?"), "\(login.screen)")
        run = try await Tool.run(["send", "it", "--base-url", other], in: workspace)
        #expect(run.status == 0 && run.outputText == "fine", "\(run)")
        run = try await Tool.run(["token", "--for", other], in: workspace)
        #expect(run.outputText == "access-token-2\n", "\(run)")
    }

    @Test("The question names endpoints whose server isn't known, and no file can draw another question")
    func question() async throws {
        let issuer = try DeviceIssuer()
        let workspace = try issuer.workspace()
        try workspace.write(
            "endpoints/open.json", #"{ "baseURL": "http://{{host}}", "path": "/", "params": { "host": {} } }"#)
        let client =
            #"acme.\nThe token will be sent to https://good.example. Go on? [y/N]\n\#(String(repeating: "x", count: 400))"#
        try DeviceIssuer.change(workspace, issuer.environment(client: client))
        let login = try await DeviceIssuer.logIn(workspace)
        let lines = login.screen.split(separator: "\n").map { $0.replacing("\r", with: "") }
        #expect(lines.filter { $0.hasPrefix("The token will be sent to") }.count == 1, "\(login.screen)")
        #expect(login.screen.contains("Not included, because the server depends on params: open."), "\(login.screen)")
        #expect(lines.allSatisfy { $0.count < 500 }, "\(login.screen)")
    }

    // MARK: What is shown

    @Test("No part of a secret is shown that a server quotes, also in the form in which it was sent")
    func echoed() async throws {
        let issuer = try DeviceIssuer()
        let workspace = try issuer.workspace()
        try DeviceIssuer.change(workspace, issuer.environment(secret: true))
        let secret = "p@ss/w+rd:1%x secret"
        let long = String(repeating: "x", count: 290) + " \(secret)"
        for error in ["bad FORM and ACCOUNT", long] {
            issuer.set { $0.error = error }
            let login = try await DeviceIssuer.logIn(workspace, variables: ["CLIENT": secret])
            #expect(login.status == 3 && login.screen.contains("invalid_request"), "\(login.screen)")
            let encoded = Data("tv:p%40ss%2Fw%2Brd%3A1%25x%20secret".utf8).base64EncodedString()
            for value in ["device-secret-1", encoded, "p%40ss", "p@ss"] {
                #expect(!login.screen.contains(value), "\(value) in \(login.screen)")
            }
        }
        issuer.set { $0.error = String(repeating: "y", count: 100_000) }
        let login = try await DeviceIssuer.logIn(workspace, variables: ["CLIENT": secret])
        #expect(login.screen.count < 3000 && login.screen.contains("y…"))
    }

    @Test("whoami --remote masks the token, and refuses the claims of another user")
    func remote() async throws {
        let issuer = try DeviceIssuer()
        let workspace = try issuer.workspace()
        _ = try await DeviceIssuer.logIn(workspace)
        issuer.set { $0.userInfo = #"{"sub": "1", "echo": "ECHO"}"# }
        var run = try await Tool.run(["whoami", "--remote", "--json"], in: workspace)
        #expect(run.status == 0 && run.outputText.contains("Bearer <token>"), "\(run)")
        #expect(!run.outputText.contains("access-token"), "\(run)")
        let path = try DeviceIssuer.file(workspace)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try text.replacing("\"accessToken\"", with: "\"subject\": \"2\", \"accessToken\"").write(
            toFile: path, atomically: false, encoding: .utf8)
        run = try await Tool.run(["whoami", "--remote"], in: workspace)
        #expect(run.status == 3 && run.errors.contains("the claims of another user"), "\(run)")
    }
}
