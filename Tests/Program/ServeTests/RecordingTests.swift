import Foundation
import HostileServing
import TestSupport
import Testing
import ToolSupport

/// `serve --record`: responses of another server become stub variants.
@Suite struct RecordingTests {
    private static func variants(_ server: ServeProcess) throws -> [String: [String: Any]] {
        let text = try #require(server.workspace.read("endpoints/user.json"))
        let file = try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any]
        let endpoints = file?["endpoints"] as? [String: Any]
        let stubs = (endpoints?["item"] as? [String: Any])?["stubs"] as? [String: Any]
        return stubs?["variants"] as? [String: [String: Any]] ?? [:]
    }

    private static let endpoints = #"""
        { "endpoints": {
          "item": { "path": "item/{{id}}", "query": { "page": "{{page}}", "pin": "{{pin}}" },
            "params": { "id": { "type": "integer" }, "page": { "type": "integer", "required": false },
              "pin": { "type": "string", "secret": true, "required": false } } } } }
        """#

    private static func files(_ upstream: HostileServer, _ endpoints: String = endpoints) -> [String: String] {
        ProxyTests.environment(upstream).merging(["endpoints/user.json": endpoints]) { $1 }
    }

    @Test("each response is a variant under its params, with secrets masked in the copy alone")
    func kept() async throws {
        let upstream = try ProxyTests.serving { request, connection in
            connection.respond(
                200, ["Content-Type: application/json", "Set-Cookie: sid=0123456789"],
                body: #"{"token":"\#(request.values("Authorization").first ?? "")","path":"\#(request.line)"}"#)
        }
        let server = try await ServeProcess(["--proxy-to", "real", "--record"], Self.files(upstream))
        let authorization = "Authorization: Bearer abcdefgh12345678"
        let first = try await server.curl("/v1/item/1?pin=s3cr3tpin", headers: [authorization])
        #expect(first.body.contains("Bearer abcdefgh12345678"))
        #expect(first.body.contains("pin=s3cr3tpin"))
        #expect(try await server.event("recorded")["variant"] as? String == "recorded")
        _ = try await server.curl("/v1/item/1?page=2", headers: [authorization])
        #expect(try await server.event("recorded")["variant"] as? String == "recorded-2")
        let variants = try Self.variants(server)
        let text = String(
            decoding: try JSONSerialization.data(withJSONObject: variants, options: .sortedKeys), as: UTF8.self)
        #expect(text.contains(#""when":{"params":{"id":1,"page":{"exists":false}}}"#), "\(text)")
        #expect(text.contains(#""when":{"params":{"id":1,"page":2}}"#), "\(text)")
        let body = String(decoding: server.workspace.read("stubs/user.item.recorded.json") ?? [], as: UTF8.self)
        #expect(body.contains("/item/1"))
        for secret in ["s3cr3tpin", "abcdefgh12345678", "0123456789"] {
            #expect(!body.contains(secret))
            #expect(!text.contains(secret))
        }
        #expect(try await server.end().status == 0)
        let checked = try await Tool.run(["validate"], in: server.workspace)
        #expect(checked.status == 0, "\(checked.errors)")
        let sent = try await Tool.run(
            ["send", "user.item", "id=1", "page=2", "--stub"], in: server.workspace, environment: ["KEY": "k"])
        #expect(sent.outputText.contains("page=2"), "\(sent.errors)")
    }

    @Test("the same response is nothing new, another is noted, and --force replaces it")
    func again() async throws {
        let count = Counter()
        let upstream = try ProxyTests.serving { request, connection in
            count.add()
            connection.respond(200, ["X-Request-Id: \(count.count)"], body: count.count < 3 ? "one" : "two")
        }
        let server = try await ServeProcess(["--proxy-to", "real", "--record=kept"], Self.files(upstream))
        for _ in 0..<3 { _ = try await server.curl("/v1/item/7") }
        let note = try await server.event("note")
        #expect((note["text"] as? String)?.contains("differs from user.item=kept, which stays") == true)
        #expect(try Self.variants(server).keys.sorted() == ["kept"])
        #expect(server.workspace.read("stubs/user.item.kept.txt") == Array("one".utf8))
        #expect(try await server.end().status == 0)
        let kept = String(decoding: server.workspace.read("endpoints/user.json") ?? [], as: UTF8.self)
        let forced = try await ServeProcess(
            ["--proxy-to", "real", "--record=kept", "--force"],
            Self.files(upstream, kept).merging(["stubs/user.item.kept.txt": "one"]) { $1 })
        _ = try await forced.curl("/v1/item/7")
        #expect(try await forced.event("recorded")["variant"] as? String == "kept")
        #expect(forced.workspace.read("stubs/user.item.kept.txt") == Array("two".utf8))
        #expect(try await forced.end().status == 0)
    }

    @Test("a variant of the user's own stays, whatever its name, and so does a file below stubs/")
    func taken() async throws {
        let upstream = try ProxyTests.serving { $1.respond(body: "new") }
        let own = Self.endpoints.replacing(
            #""item": {"#,
            with: #""item": { "stubs": { "variants": { "recorded": { "text": "mine", "status": 418 } } },"#)
        let server = try await ServeProcess(
            ["--proxy-to", "real", "--record", "--force"],
            Self.files(upstream, own).merging(["stubs/user.item.recorded-2.txt": "mine, too"]) { $1 })
        _ = try await server.curl("/v1/item/1")
        #expect(try await server.event("recorded")["variant"] as? String == "recorded-3")
        #expect(try Self.variants(server)["recorded"]?["text"] as? String == "mine")
        #expect(server.workspace.read("stubs/user.item.recorded-2.txt") == Array("mine, too".utf8))
        #expect(try await server.end().status == 0)
    }

    @Test("only such compressed responses are asked for as can be decoded, and the copy is decoded")
    func codings() async throws {
        let gzipped = Array(try #require(Data(base64Encoded: "H4sIAAAAAAACA8vPSwUA8YZsegMAAAA=")))
        let upstream = try ProxyTests.serving { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(gzipped.count)\r\n\r\n")
            connection.send(gzipped)
        }
        let server = try await ServeProcess(["--proxy-to", "real", "--record"], Self.files(upstream))
        let run = try await server.curl(
            "/v1/item/1", headers: ["Accept-Encoding: compress, gzip;q=0.5, lzma"])
        #expect(run.output.suffix(gzipped.count).elementsEqual(gzipped))
        _ = try await server.event("recorded")
        #expect(server.workspace.read("stubs/user.item.recorded.txt") == Array("one".utf8))
        #expect(upstream.requests.first?.values("Accept-Encoding") == ["gzip;q=0.5"])
        #expect(try await server.end().status == 0)
    }

    @Test("what is recorded answers in this run with --only-missing alone")
    func replay() async throws {
        let upstream = try ProxyTests.serving { $1.respond(200, ["X-From: real"], body: $0.line) }
        let passing = try await ServeProcess(["--proxy-to", "real", "--record"], Self.files(upstream))
        _ = try await passing.curl("/v1/item/1")
        _ = try await passing.event("recorded")
        _ = try await passing.event("reload")
        #expect(try await passing.curl("/v1/item/1").outputText.contains("X-Reqcli-Stub: none\r\n"))
        #expect(upstream.requests.count == 2)
        #expect(try await passing.end().status == 0)
        let filling = try await ServeProcess(
            ["--proxy-to", "real", "--only-missing", "--record"], Self.files(upstream))
        let first = try await filling.curl("/v1/item/1")
        _ = try await filling.event("recorded")
        _ = try await filling.event("reload")
        let second = try await filling.curl("/v1/item/1")
        #expect(second.outputText.contains("X-Reqcli-Stub: user.item=recorded\r\n"))
        #expect(second.body == first.body)
        #expect(upstream.requests.count == 3)
        // Other params have no variant yet.
        #expect(try await filling.curl("/v1/item/1?page=2").outputText.contains("X-Reqcli-Stub: none\r\n"))
        #expect(try await filling.end().status == 0)
    }

    @Test("errors for wrong requests, parts, and responses without an endpoint are not kept")
    func unfit() async throws {
        let upstream = try ProxyTests.serving { request, connection in
            connection.respond(
                request.line.contains("/abc") ? 422 : request.line.contains("/206") ? 206 : 200, body: "x")
        }
        let server = try await ServeProcess(["--proxy-to", "real", "--record"], Self.files(upstream))
        _ = try await server.curl("/v1/item/abc")
        let note = try await server.event("note")
        #expect((note["text"] as? String)?.contains("not recorded") == true)
        for path in ["/v1/item/206", "/v1/nothing"] { _ = try await server.curl(path) }
        _ = try await server.curl("-I", "/v1/item/3")
        #expect(try await server.end().status == 0)
        #expect(try Self.variants(server).isEmpty)
    }

    @Test("a kill while it records leaves whole files")
    func kill() async throws {
        let upstream = try ProxyTests.serving { request, connection in
            connection.respond(
                200, ["Content-Type: text/plain"], body: request.line + String(repeating: "x", count: 200_000) + "end")
        }
        for pause in [0.05, 0.2, 0.5, 0.9] {
            let server = try await ServeProcess(["--proxy-to", "real", "--record"], Self.files(upstream))
            async let calls = Tool.run(
                ["-sS", "-o", "/dev/null", "\(server.url)/v1/item/[1-200]"], program: [Tool.path(of: "curl") ?? "curl"])
            try await Task.sleep(for: .seconds(pause))
            server.tool.kill()
            _ = try await server.tool.end(within: .seconds(20))
            _ = try await calls
            let checked = try await Tool.run(["validate"], in: server.workspace)
            #expect(checked.status == 0, "\(checked.errors)")
            for (name, variant) in try Self.variants(server) {
                let file = try #require(variant["file"] as? String)
                let body = String(decoding: server.workspace.read("stubs/\(file)") ?? [], as: UTF8.self)
                #expect(body.hasSuffix("end") && body.utf8.count > 200_000, "\(name)")
            }
        }
    }

    // MARK: Drift

    private static let drifting = #"""
        { "endpoints": { "item": { "path": "item/{{id}}", "params": { "id": { "type": "integer" } },
          "stubs": { "variants": { "standard": { "json": { "id": 1, "name": "a" } } } } },
          "quiet": { "path": "quiet", "stubs": { "variants": { "standard": { "drift": false, "json": { "id": 1 } } } } } } }
        """#

    @Test(
        "a response that differs from the default variant is a drift line, and not green with --verify",
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Type: application/json", #"{"id":2,"name":"b"}"#, nil, 0),
            ("HTTP/1.1 200 OK\r\nContent-Type: application/json", #"{"id":"2","name":"b"}"#, "type $.id", 1),
            ("HTTP/1.1 200 OK\r\nContent-Type: application/json", #"{"id":2}"#, "gone $.name", 1),
            ("HTTP/1.1 200 OK\r\nContent-Type: application/json", #"{"id":2,"name":"b","new":1}"#, "new $.new", 0),
            ("HTTP/1.1 404 Not Found\r\nContent-Type: application/json", "{}", "status 404", 1),
            ("HTTP/1.1 200 OK\r\nContent-Type: text/html", "<p>", "contentType text/html", 1),
            ("HTTP/1.1 200 OK\r\nContent-Type: application/json", "{", "type $", 1),
        ] as [(String, String, String?, Int32)])
    func drift(_ head: String, _ body: String, _ text: String?, _ status: Int32) async throws {
        let upstream = try ProxyTests.serving { _, connection in
            connection.send("\(head)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }
        let server = try await ServeProcess(["--proxy-to", "real", "--verify"], Self.files(upstream, Self.drifting))
        _ = try await server.curl("/v1/item/1")
        _ = try await server.curl("/v1/item/2")
        _ = try await server.curl("/v1/quiet")
        if let text {
            let event = try await server.event("drift")
            let first = try #require((event["differences"] as? [[String: Any]])?.first)
            let words = ["kind", "path", "answer"].compactMap { first[$0] as? String }
            #expect(words.joined(separator: " ").hasPrefix(text), "\(words)")
            #expect(event["variant"] as? String == "standard")
        }
        let run = try await server.end()
        #expect(run.status == status, "\(run.errors)")
    }

    @Test("drift stands against the calls of its session in the control API, as soon as its response has come")
    func verifiedDrift() async throws {
        let upstream = try ProxyTests.serving { _, connection in
            connection.respond(200, ["Content-Type: application/json"], body: #"{"id":"2","name":"b"}"#)
        }
        let server = try await ServeProcess(["--proxy-to", "real", "--record"], Self.files(upstream, Self.drifting))
        for _ in 0..<2 {
            _ = try await server.curl("/__reqcli/s/a/v1/item/1")
            let drifted = try await server.control("POST", "verify?session=a", #"{"user.item": "1..2"}"#)
            #expect(drifted.code == "409")
            let problem =
                "user.item=standard differs from the server: type $.id: a number in the stub, a string in the response"
            #expect(drifted.body.components(separatedBy: problem).count == 2, "\(drifted.body)")
        }
        let other = try await server.control("POST", "verify?session=b", "{}")
        #expect(other.body.contains(#"["no request was received"]"#))
        #expect(try await server.control("POST", "reset?session=a").code == "204")
        #expect(try await server.control("POST", "verify?session=a").body.contains(#"["no request was received"]"#))
        #expect(try await server.end().status == 0)
    }

    @Test("a new member is not green with --strict")
    func strictDrift() async throws {
        let upstream = try ProxyTests.serving { _, connection in
            connection.respond(200, ["Content-Type: application/json"], body: #"{"id":2,"name":"b","new":1}"#)
        }
        let server = try await ServeProcess(
            ["--proxy-to", "real", "--verify", "--strict"], Self.files(upstream, Self.drifting))
        _ = try await server.curl("/v1/item/1")
        #expect(try await server.end().status == 1)
    }
}
