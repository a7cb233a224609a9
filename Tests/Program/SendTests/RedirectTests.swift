import Foundation
import HostileServing
import Testing
import ToolSupport

/// `send` and the rendered `curl -L` follow redirects with the same requests in the same order, except where curl
/// cannot do what RFC 9110 says.
@Suite(.serialized, .enabled(if: ShellCommand.has("curl"), "curl is needed")) struct RedirectTests {
    struct Walk: Sendable, CustomTestStringConvertible {
        var testDescription: String {
            "\(method) \(status) \(location)\(body == nil ? "" : " with a body")\(more.isEmpty ? "" : " \(more)")"
        }
        var method = "GET"
        let status: Int
        var location = "/next"
        var body: String?
        /// Further members of the endpoint.
        var more = ""
        /// The number of requests.
        var count = 2

        var endpoint: String {
            let body = body.map { #", "body": \#($0)"# } ?? ""
            return #"{ "path": "/start/here", "method": "\#(method)"\#(body)\#(more) }"#
        }
    }

    private static let form = #"{ "form": { "a": "b c" } }"#

    private static let walks: [Walk] =
        [301, 302, 303, 307, 308].flatMap { status in
            [
                Walk(status: status), Walk(method: "HEAD", status: status),
                Walk(method: "POST", status: status, body: form),
                Walk(status: status, location: "http://127.0.0.1:PORT/absolute?a=b&c"),
            ]
        }
        + [301, 302, 307, 308].flatMap { status in
            [
                Walk(method: "GET", status: status, body: #"{ "text": "asked" }"#),
                Walk(method: "HEAD", status: status, body: #"{ "text": "asked" }"#),
                Walk(method: "PUT", status: status, body: #"{ "file": "upload" }"#),
                Walk(method: "PATCH", status: status, body: #"{ "json": { "a": "b" } }"#),
                Walk(method: "DELETE", status: status, body: form), Walk(method: "DELETE", status: status),
                Walk(method: "PURGE", status: status),
            ]
        }
        + [
            Walk(method: "GET", status: 303, body: form),
            Walk(method: "HEAD", status: 303, body: #"{ "text": "asked" }"#),
        ]
        + [307, 308].flatMap { status in
            [
                Walk(method: "PUT", status: status, body: #"{ "json": { "a": 1 } }"#),
                Walk(method: "POST", status: status, body: #"{ "text": "kept" }"#),
                Walk(method: "POST", status: status, body: #"{ "file": "upload" }"#),
            ]
        }
        + [
            "next", "?only=query", "../up", "./a/../b", "//127.0.0.1:PORT/network", "/a%2Fb%20c", "/sp ace",
            "/fragment#part", "/a//b", "/%7euser", "HTTP://127.0.0.1:PORT/upper", "/b?x=a%20b&n=J S", "/b|c^d{e}%20",
            "/é?é=%C3%A9", "/\"<>\\`[]?\"<>\\`[]", "/100%?%zz%4", "http://127.0.0.1:PORT/a/../b/./c",
            "//127.0.0.1:PORT/a/b/..", "/a/%2e%2E/b", "..?q=/../", "x;y:z", "http:/127.0.0.1:PORT/one/slash",
            "///127.0.0.1:PORT/three/slashes", "http://127.0.0.1:PORT?q",
            "http://%31%32%37.0.0.1:PORT/b",
        ].map { Walk(status: 302, location: $0) } + [
            Walk(status: 302, location: "/redirect", more: #", "redirects": { "follow": true, "max": 3 }"#, count: 4),
            Walk(status: 302, location: "/redirect", more: #", "redirects": { "follow": true, "max": 0 }"#, count: 1),
            Walk(status: 302, location: "/redirect", count: 11), Walk(status: 200, count: 1),
            Walk(status: 302, location: "", count: 1),
        ]

    @Test("send and the rendered curl command make the same requests along redirects", arguments: walks)
    func same(_ walk: Walk) async throws {
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                let leadsOn = ["/start/here", "/redirect"].contains(request.line.split(separator: " ")[1])
                let location = walk.location.replacing("PORT", with: request.port)
                connection.respond(leadsOn ? walk.status : 200, leadsOn ? ["Location: \(location)"] : [])
            }
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)", endpoint: walk.endpoint,
            environment: #""redirects": { "follow": true }"#)
        try workspace.write("upload", "a file's bytes")
        _ = try await Tool.run(["send", "it"], in: workspace)
        let bySend = server.requests
        let command = try await Tool.run(["render", "it"], in: workspace)
        // At the limit curl fails, as send does.
        _ = try ShellCommand.run("cd '\(workspace.path(""))' && { \(command.outputText)} || true")
        let byCurl = server.requests.dropFirst(bySend.count)
        #expect(bySend.count == walk.count)
        #expect(bySend.map(\.comparable) == byCurl.map(\.comparable))
    }

    @Test("bytes in a Location that are not UTF-8 are percent-encoded unchanged")
    func rawBytes() async throws {
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                if request.line.hasPrefix("GET /start/") {
                    connection.send("HTTP/1.1 302 Found\r\nLocation: /b")
                    connection.send([0xE9, UInt8(ascii: "?"), 0xFF, 0xC3, 0xA9])
                    connection.send("\r\nContent-Length: 0\r\n\r\n")
                } else {
                    connection.respond()
                }
            }
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)", endpoint: #"{ "path": "/start/here" }"#,
            environment: #""redirects": { "follow": true }"#)
        let run = try await Tool.run(["send", "it"], in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        #expect(server.requests.last?.line == "GET /b%E9?%FF%C3%A9 HTTP/1.1")
        let command = try await Tool.run(["render", "it"], in: workspace)
        _ = try ShellCommand.run(command.outputText)
        #expect(server.requests.count == 4)
        #expect(server.requests[1].comparable == server.requests[3].comparable)
    }

    /// A server, and the one of another origin to which it redirects every request.
    private static func serversOfTwoOrigins() throws -> (HostileServer, other: HostileServer) {
        let other = try HostileServer { connection in while connection.readRequest() != nil { connection.respond(200) }
        }
        let server = try HostileServer { connection in
            while connection.readRequest() != nil {
                connection.respond(302, ["Location: http://127.0.0.1:\(other.port)/there"])
            }
        }
        return (server, other)
    }

    @Test("neither send nor curl passes credentials and cookies to another origin")
    func otherOrigin() async throws {
        let (server, other) = try Self.serversOfTwoOrigins()
        defer {
            server.stop()
            other.stop()
        }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)",
            endpoint: #"{ "path": "/", "headers": { "Authorization": "Bearer x", "Cookie": "a=b", "X-Kept": "yes" } }"#,
            environment: #""redirects": { "follow": true }"#)
        _ = try await Tool.run(["send", "it"], in: workspace)
        let command = try await Tool.run(["render", "it"], in: workspace)
        _ = try ShellCommand.run(command.outputText)
        #expect(other.requests.count == 2)
        for request in other.requests {
            #expect(request.values("X-Kept") == ["yes"])
            #expect(request.values("Authorization") == [] && request.values("Cookie") == [])
        }
        #expect(other.requests.first?.comparable == other.requests.last?.comparable)
    }

    @Test("a header with the name of a credential stays behind at another origin, wherever its value comes from")
    func keyAtOtherOrigin() async throws {
        let (server, other) = try Self.serversOfTwoOrigins()
        defer {
            server.stop()
            other.stop()
        }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)", endpoint: #"{ "path": "/" }"#,
            environment: #""redirects": { "follow": true }"#)
        let typed = ["Api-Key:abc==", "X-Auth-Token:def", "X-Kept:yes", "-a", "ada:pw12"]
        _ = try await Tool.run(["send", "http://127.0.0.1:\(server.port)/", "-L"] + typed, in: workspace)
        let request = try #require(other.requests.first)
        #expect(request.values("X-Kept") == ["yes"])
        #expect((request.values("Api-Key") + request.values("X-Auth-Token") + request.values("Authorization")).isEmpty)
    }

    struct SecretBody: Sendable {
        let body: String
        var isSecret = true
    }

    @Test(
        "a body with a secret is not sent to another origin unless the file allows it",
        arguments: [
            SecretBody(body: #"{ "json": { "key": "{{secret.key}}" } }"#),
            SecretBody(body: #"{ "form": { "key": "a {{secret.key}}" } }"#),
            SecretBody(body: #"{ "multipart": { "key": "{{secret.key}}", "file": { "file": "upload" } } }"#),
            SecretBody(body: #"{ "file": "upload" }"#), SecretBody(body: #"{ "text": "public" }"#, isSecret: false),
        ])
    func secretBody(example: SecretBody) async throws {
        let other = try HostileServer { connection in while connection.readRequest() != nil { connection.respond(200) }
        }
        defer { other.stop() }
        let server = try HostileServer { connection in
            while connection.readRequest() != nil {
                connection.respond(307, ["Location: http://127.0.0.1:\(other.port)/there"])
            }
        }
        defer { server.stop() }
        let endpoint =
            #"{ "path": "/", "method": "POST", "body": \#(example.body), "auth": { "bearer": "{{secret.key}}" } }"#
        func run(_ credentials: String, _ command: String) async throws -> (ToolRun, ToolWorkspace) {
            let workspace = try ToolWorkspace(
                server: "http://127.0.0.1:\(server.port)", endpoint: endpoint,
                environment: #""redirects": { "follow": true\#(credentials) }, "secrets": { "key": { "env": "KEY" } }"#)
            try workspace.write("upload", String(repeating: "filler ", count: 160_000) + "k3y-s3cr3t and more")
            let environment = ["KEY": "k3y-s3cr3t"]
            return (try await Tool.run([command, "it"], in: workspace, environment: environment), workspace)
        }
        let (kept, _) = try await run("", "send")
        #expect(kept.status == 0, "\(kept.errors)")
        #expect(other.requests.count == (example.isSecret ? 0 : 1))
        #expect(kept.errors.contains("the body contains a secret") == example.isSecret)
        #expect(other.requests.allSatisfy { $0.values("Authorization") == [] })

        let before = other.requests.count
        let (sent, workspace) = try await run(#", "credentials": "anyHost""#, "send")
        #expect(sent.status == 0 && !sent.errors.contains("not followed"), "\(sent.errors)")
        let (rendered, _) = try await run(#", "credentials": "anyHost""#, "render")
        #expect(rendered.outputText.contains("--location-trusted --max-redirs 10"), "\(rendered.outputText)")
        _ = try ShellCommand.run("cd '\(workspace.path(""))' && export KEY=k3y-s3cr3t && \(rendered.outputText)")
        #expect(other.requests.count == before + 2)
        for request in other.requests.dropFirst(before) {
            #expect(request.values("Authorization") == ["Bearer k3y-s3cr3t"])
            #expect(request.body.range(of: Data("k3y-s3cr3t".utf8)) != nil || !example.isSecret)
        }
        #expect(other.requests.dropFirst(before).first?.comparable == other.requests.last?.comparable)
    }

    @Test("a note says if curl cannot follow redirects in the same way")
    func notes() async throws {
        func notes(_ endpoint: String) async throws -> String {
            let workspace = try ToolWorkspace(
                server: "http://127.0.0.1:1", endpoint: endpoint,
                environment: #""redirects": { "follow": true }, "secrets": { "key": { "env": "KEY" } }"#)
            return try await Tool.run(["render", "it"], in: workspace, environment: ["KEY": "s3cr3t"]).errors
        }
        #expect(try await notes(#"{ "path": "/" }"#) == "")
        #expect(try await notes(#"{ "path": "/", "method": "PUT" }"#).contains("PUT for a 303"))
        #expect(try await notes(#"{ "path": "/a/../b" }"#).contains("dot segments of a Location"))
        let json = try await notes(#"{ "path": "/", "method": "POST", "body": { "json": 1 } }"#)
        #expect(json.contains("Content-Type") && json.contains("redirect"), "\(json)")
        let key = try await notes(#"{ "path": "/", "headers": { "X-Key": "{{secret.key}}" } }"#)
        #expect(key.contains("X-Key") && key.contains("other hosts"), "\(key)")
        let body = try await notes(#"{ "path": "/", "method": "POST", "body": { "text": "{{secret.key}}" } }"#)
        #expect(body.contains("curl also sends the body, which contains a secret, to other hosts"), "\(body)")
        let proxy = try await notes(#"{ "path": "/", "headers": { "Proxy-Authorization": "public" } }"#)
        #expect(proxy.contains("Proxy-Authorization to other hosts"), "\(proxy)")
        let bearer = try await notes(#"{ "path": "/", "auth": { "bearer": "{{secret.key}}" } }"#)
        #expect(bearer == "", "curl keeps this one to its host by itself")
    }
}

extension HostileServer.Request {
    /// The port in the request's Host header.
    fileprivate var port: String { values("Host").first?.split(separator: ":").last.map(String.init) ?? "" }

    /// The parts to compare: curl decides the order of different headers.
    var comparable: [String] {
        [Self.encoded(line)] + headerLines.map(Self.withCookiesInOrder).sorted() + [
            String(decoding: body, as: UTF8.self)
        ]
    }

    /// The cookies, sorted: curl decides the order of cookies with paths of the same length.
    private static func withCookiesInOrder(_ line: String) -> String {
        guard line.hasPrefix("Cookie: ") else { return line }
        return "Cookie: " + line.dropFirst(8).components(separatedBy: "; ").sorted().joined(separator: "; ")
    }

    /// The request line with one spelling for each byte: curl keeps some bytes of a `Location` as they are, escapes
    /// others in lowercase, and writes a space in a query as a plus.
    private static func encoded(_ line: String) -> String {
        let words = line.split(separator: " ")
        guard words.count == 3 else { return line }
        let target = Array(words[1].utf8)
        var isQuery = false
        var result = ""
        for (index, byte) in target.enumerated() {
            let character = Character(Unicode.Scalar(byte))
            isQuery = isQuery || character == "?"
            let isEscape =
                character == "%" && target.count > index + 2
                && target[(index + 1)...(index + 2)].allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
            if isQuery && character == "+" {
                result += "%20"
            } else if character == "%" ? !isEscape : "|^{}\"<>\\`[]".contains(character) {
                result += "%" + String(byte, radix: 16, uppercase: true)
            } else {
                result.append(character)
            }
        }
        return [words[0], Substring(escapesInUpperCase(result)), words[2]].joined(separator: " ")
    }

    private static func escapesInUpperCase(_ text: String) -> String {
        var parts = text.split(separator: "%", omittingEmptySubsequences: false).map(String.init)
        for index in parts.indices.dropFirst() {
            parts[index] = parts[index].prefix(2).uppercased() + parts[index].dropFirst(2)
        }
        return parts.joined(separator: "%")
    }
}
