import Rendering
import ReqcliNetworking
import RequestBuilding
import Testing

/// The formats that show the message itself: http, json and har.
@Suite struct MessageFormatTests {
    private let base = RequestBuilder().baseURL("http://example.com:8080/api")

    private func input(_ builder: RequestBuilder, _ contents: String? = nil) throws -> RenderingInput {
        let data = contents.map { Data($0.utf8) }
        return RenderingInput(
            request: try builder.prepared(over: .plain), defaults: WireDefaults(userAgent: "reqcli/1.0"),
            files: BodyFiles(size: { _ in data?.count }, contents: { _ in data }))
    }

    @Test("http: shows request line, Host, the transport's defaults, the request's headers, length, body")
    func http() throws {
        let builder = base.path("users").method(.post).addingQueryItem("a", "b").textBody("hé")
            .addingHeader("X-B", "1").addingHeader("X-A", "").addingHeader("x-b", "2")
        #expect(
            try HTTPFormat().render(input(builder)).command
                == """
                POST /api/users?a=b HTTP/1.1\r
                Host: example.com:8080\r
                User-Agent: reqcli/1.0\r
                Accept: */*\r
                Content-Type: text/plain; charset=utf-8\r
                X-B: 1\r
                X-A:\r
                x-b: 2\r
                Content-Length: 3\r
                \r
                hé
                """)
    }

    @Test(
        "the Host header leaves out the scheme's default port and an address's zone",
        arguments: [
            ("http://h:80", "h"), ("https://h:443", "h"), ("https://h:80", "h:80"), ("http://[::1]:81", "[::1]:81"),
            ("http://[fe80::1%25eth0]", "[fe80::1]"), ("http://bücher.example", "xn--bcher-kva.example"),
        ])
    func host(base: String, host: String) throws {
        let message = try HTTPFormat().render(input(RequestBuilder().baseURL(base))).command
        #expect(message.hasPrefix("GET / HTTP/1.1\r\nHost: \(host)\r\n"))
    }

    @Test("a request's own Host comes first, and its headers replace the transport's defaults")
    func ownHost() throws {
        let builder = base.header("accept", "a/b").header("host", "other").header("User-Agent", "x")
        #expect(
            try HTTPFormat().render(input(builder)).command
                == "GET /api HTTP/1.1\r\nHost: other\r\naccept: a/b\r\nUser-Agent: x\r\n\r\n")
    }

    @Test("http: a missing body has no Content-Length, and an empty one has Content-Length 0")
    func lengths() throws {
        #expect(try !HTTPFormat().render(input(base.method(.post))).command.contains("Content-Length"))
        #expect(
            try HTTPFormat().render(input(base.method(.post).body(Data()))).command.contains("Content-Length: 0\r\n"))
    }

    @Test("http: files are read, and a file that cannot be read is an error")
    func files() throws {
        let builder = base.method(.put).fileBody(path: "/f")
        #expect(try HTTPFormat().render(input(builder, "FILE")).command.hasSuffix("Content-Length: 4\r\n\r\nFILE"))
        let error = #expect(throws: RenderingError.self) { try HTTPFormat().render(input(builder)) }
        #expect(error?.description == "cannot read the body's file /f")
    }

    @Test("json: prints one object with method, url, headers in order, and body")
    func json() throws {
        let builder = base.method(.post).textBody("a\"\n\u{1}é").addingHeader("B", "1").addingHeader("B", "2")
        #expect(
            try JSONFormat().render(input(builder)).command == #"""
                {
                  "method": "POST",
                  "url": "http://example.com:8080/api",
                  "headers": [
                    {
                      "name": "Host",
                      "value": "example.com:8080"
                    },
                    {
                      "name": "User-Agent",
                      "value": "reqcli/1.0"
                    },
                    {
                      "name": "Accept",
                      "value": "*/*"
                    },
                    {
                      "name": "Content-Type",
                      "value": "text/plain; charset=utf-8"
                    },
                    {
                      "name": "B",
                      "value": "1"
                    },
                    {
                      "name": "B",
                      "value": "2"
                    },
                    {
                      "name": "Content-Length",
                      "value": "6"
                    }
                  ],
                  "body": {
                    "text": "a\"\n\u0001é"
                  }
                }
                """#)
    }

    @Test("json: shows binary data as base64 and files by name")
    func jsonBodies() throws {
        let binary = try JSONFormat().render(input(base.method(.post).body(Data([0xFF, 0])))).command
        #expect(binary.contains("\"base64\": \"/wA=\""))
        let form = MultipartBody(boundary: "B", parts: [.text("a", "1"), .file("f", path: "/x", filename: "n")])
        let multipart = try JSONFormat().render(input(base.method(.post).multipartBody(form), "F")).command
        #expect(multipart.contains("\"boundary\": \"B\"") && multipart.contains("\"file\": \"/x\""))
    }

    @Test("har: prints a valid HAR 1.2 archive")
    func har() throws {
        let builder = base.method(.post).addingQueryItem("a b", "c").jsonBody(["x": 1])
        let text = try HARFormat(creator: ("reqcli", "1.0"), date: "2024-06-01T00:00:00Z").render(input(builder))
            .command
        let root = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let log = try #require(root["log"] as? [String: Any])
        let entry = try #require((log["entries"] as? [[String: Any]])?.first)
        for key in ["startedDateTime", "time", "request", "response", "cache", "timings"] { #expect(entry[key] != nil) }
        let request = try #require(entry["request"] as? [String: Any])
        #expect(request["method"] as? String == "POST")
        #expect(request["url"] as? String == "http://example.com:8080/api?a%20b=c")
        #expect(request["queryString"] as? [[String: String]] == [["name": "a b", "value": "c"]])
        #expect(request["bodySize"] as? Int == 7)
        let post = try #require(request["postData"] as? [String: String])
        #expect(post == ["mimeType": "application/json", "text": #"{"x":1}"#])
    }

    @Test("har: a query that is not UTF-8 keeps its items")
    func harQuery() throws {
        let rendered = try HARFormat(creator: ("a", "1"), date: "").render(input(base.rawQuery("a=%e9b&flag"), "x"))
        let items = rendered.command.filter { !$0.isWhitespace }
        #expect(
            items.contains(#""queryString":[{"name":"a","value":"\#u{FFFD}b"},{"name":"flag","value":""}]"#), "\(items)"
        )
    }

    @Test("har: names files, and a note on stderr says that their content is not included")
    func harFiles() throws {
        let rendered = try HARFormat(creator: ("a", "1"), date: "").render(
            input(base.method(.put).fileBody(path: "/f"), "x"))
        #expect(rendered.command.contains("\"comment\": \"file /f\""))
        #expect(
            rendered.notes == ["the archive names the files of the body but doesn't contain them"])
    }
}
