import Foundation
import TestSupport
import Testing
import ToolSupport

/// The page that a browser shows, and who may use it.
@Suite struct PageTests {
    private static let fromPage = ["-H", "Sec-Fetch-Site: same-origin"]

    private func call(_ server: ServeProcess, _ words: String...) async throws -> ToolRun {
        try await server.curl(words + ["-H", "Authorization: Bearer \(server.token)"] + Self.fromPage)
    }

    @Test("the page and its files are served with a strict policy")
    func files() async throws {
        let server = try await ServeProcess([])
        for (name, type) in [("page", "text/html"), ("page.css", "text/css"), ("page.js", "text/javascript")] {
            let file = try await server.curl("/__reqcli/\(name)")
            #expect(file.code == "200")
            #expect(file.outputText.contains("Content-Type: \(type); charset=utf-8\r\n"))
            #expect(
                file.outputText.contains(
                    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'\r\n"
                ))
            #expect(!file.outputText.contains("Access-Control"))
            #expect(!file.outputText.contains(server.token))
            #expect(try await server.curl("/__reqcli/\(name)", "-X", "POST").code == "405")
            #expect(try await server.curl("/__reqcli/\(name)", "-H", "Host: evil.example").code == "403")
        }
        #expect(try await server.end().status == 0)
    }

    @Test("the page chooses variants and gets requests to try, for this server and without secrets")
    func calls() async throws {
        let server = try await ServeProcess([])
        let origin = "Origin: \(server.url)"
        let stubs = ["/__reqcli/stubs", "-X", "PUT", "-d", #"{"user.feed": "empty"}"#, "-H", origin]
        #expect(try await call(server, stubs[0], "-X", "PUT", "-d", stubs[4], "-H", origin).code == "204")
        #expect(try await server.curl("/v1/user/1/feed").body == "[]")
        let example = try await call(
            server, "/__reqcli/example", "-d", #"{"endpoint": "user.create", "params": {"name": "it's"}}"#)
        #expect(example.body.contains(#""method":"POST","target":"/v1/user","headers":[["#), "\(example.body)")
        #expect(example.body.contains(#"["Content-Type","application/json"]"#), "\(example.body)")
        #expect(example.body.contains(#""body":"{\"name\":\"it's\"}","isWhole":true,"#), "\(example.body)")
        #expect(example.body.contains(server.url + "/v1/user"), "\(example.body)")
        #expect(!example.body.contains("api.example.com"))
        #expect(try await server.end().status == 0)
    }

    @Test("with --no-control the page only reads; with --no-page, and for other machines, there is none")
    func switchedOff() async throws {
        let reading = try await ServeProcess(["--no-control"])
        #expect(try await reading.curl("/__reqcli/page").code == "200")
        #expect(try await call(reading, "/__reqcli/news").code == "401")
        #expect(try await reading.curl("/__reqcli/news").code == "404")
        #expect(try await reading.end().status == 0)
        let without = try await ServeProcess(["--no-page"])
        #expect(try await without.curl("/__reqcli/page").code == "401")
        #expect(try await call(without, "/__reqcli/").code == "403")
        #expect(try await without.curl("/v1/nothing", "-H", "Accept: text/html").body.hasPrefix("{"))
        #expect(try await without.end().status == 0)
        let open = try await ServeProcess(["--host", "0.0.0.0"])
        #expect(try await open.curl("/__reqcli/page").code == "401")
        #expect(try await call(open, "/__reqcli/").code == "403")
        #expect(try await open.end().status == 0)
    }

    @Test("a browser's unknown request gets a link to the page, and counts as one")
    func unknown() async throws {
        let server = try await ServeProcess(["--verify"])
        let miss = try await server.curl(
            "/v1/user/1/feeds", "-H", "Accept: text/html,application/xhtml+xml,*/*;q=0.8")
        #expect(miss.code == "404")
        #expect(miss.outputText.contains("Content-Type: text/html; charset=utf-8\r\n"))
        #expect(miss.body.contains(#"<a href="/__reqcli/page">"#))
        #expect(miss.body.contains("the segment is &quot;feeds&quot;, not &quot;feed&quot;"))
        #expect(!miss.body.contains(server.token))
        let hostile = try await server.curl("/v1/user/1/%3Cscript%3Ealert(1)%3C%2Fscript%3E", "-H", "Accept: text/html")
        #expect(!hostile.body.contains("<script"))
        #expect(hostile.body.contains("&lt;script&gt;"), "\(hostile.body)")
        let run = try await server.end()
        #expect(run.status == 1)
    }

    @Test("the printed link has a random token, and never that of REQCLI_TOKEN")
    func link() async throws {
        func printed(_ variables: [String: String]) async throws -> String {
            let workspace = try ToolWorkspace(ServeProcess.files)
            let input = try Descriptor.pipe()
            let tool = try Tool.start(
                ["serve", "--port", "0", "--until-eof"], in: workspace, environment: variables, input: input.reading)
            Descriptor.close(input.reading)
            Descriptor.close(input.writing)
            return try await tool.end(within: .seconds(20)).errors
        }
        #expect(
            try await printed([:]).contains(#/page for a browser: http://localhost:\d+/__reqcli/page\#[0-9a-f]{32}\n/#))
        let own = try await printed(["REQCLI_TOKEN": "sesame"])
        #expect(own.contains(#/page for a browser: http://localhost:\d+/__reqcli/page\n/#))
        #expect(!own.contains("sesame"))
    }
}
