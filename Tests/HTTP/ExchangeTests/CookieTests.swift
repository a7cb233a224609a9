import CReqcliLibcurl
import Exchange
import ReqcliNetworking
import RequestBuilding
import TestSupport
import Testing

@Suite struct CookieTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    private static let suffixes = PublicSuffixes { ["com", "uk", "co.uk", "github.io", "localhost"].contains($0) }

    /// The `Cookie` header for one URL after another URL set cookies.
    private func header(
        _ setCookies: [String], from: String, to: String, after seconds: Double = 0,
        suffixes: PublicSuffixes = CookieTests.suffixes
    ) throws -> String? {
        var jar = CookieJar()
        jar.store(setCookies, from: try url(from), now: Self.now, suffixes: suffixes)
        return jar.header(for: try url(to), now: Self.now.addingTimeInterval(seconds))
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let cookie: String
        var from = "https://www.example.com/a/b"
        let to: String
        let isSent: Bool

        init(_ name: String, _ cookie: String, from: String? = nil, to: String, _ isSent: Bool) {
            testDescription = name
            self.cookie = cookie
            if let from { self.from = from }
            self.to = to
            self.isSent = isSent
        }
    }

    @Test(
        "a cookie is sent only to the URLs that RFC 6265 allows",
        arguments: [
            Case("same host", "a=1", to: "https://www.example.com/a/c", true),
            Case("other port", "a=1", to: "https://www.example.com:8443/a/c", true),
            Case("subdomain of the host", "a=1", to: "https://x.www.example.com/a/", false),
            Case("parent of the host", "a=1", to: "https://example.com/a/", false),
            Case("domain", "a=1; Domain=example.com", to: "https://api.example.com/a/", true),
            Case("domain with a dot", "a=1; Domain=.example.com", to: "https://example.com/a/", true),
            Case("domain that only ends alike", "a=1; Domain=example.com", to: "https://badexample.com/a/", false),
            Case("foreign domain", "a=1; Domain=other.com", to: "https://other.com/a/", false),
            Case("narrower domain", "a=1; Domain=x.www.example.com", to: "https://x.www.example.com/a/", false),
            Case("top-level domain", "a=1; Domain=com", to: "https://other.com/a/", false),
            Case(
                "public suffix of two labels", "a=1; Domain=co.uk", from: "https://shop.co.uk/",
                to: "https://shop.co.uk/",
                false),
            Case(
                "public suffix with a dot at its end", "a=1; Domain=co.uk.", from: "https://shop.co.uk./",
                to: "https://other.co.uk./", false),
            Case(
                "the public suffix's own", "a=1; Domain=github.io", from: "https://github.io/",
                to: "https://github.io/",
                true),
            Case(
                "the public suffix's own below it", "a=1; Domain=github.io", from: "https://github.io/",
                to: "https://x.github.io/", false),
            Case(
                "below a public suffix", "a=1; Domain=x.github.io", from: "https://x.github.io/",
                to: "https://y.x.github.io/", true),
            Case("empty domain", "a=1; Domain=", to: "https://www.example.com/a/", true),
            Case("an address's end", "a=1; Domain=0.0.1", from: "http://127.0.0.1/", to: "http://10.0.0.1/", false),
            Case("default path", "a=1", to: "https://www.example.com/a", true),
            Case("above the default path", "a=1", to: "https://www.example.com/", false),
            Case("path", "a=1; Path=/x", to: "https://www.example.com/x/y", true),
            Case("path that only begins alike", "a=1; Path=/x", to: "https://www.example.com/xy", false),
            Case("path that isn't one", "a=1; Path=x", to: "https://www.example.com/a/z", true),
            Case("secure over http", "a=1; Secure", to: "http://www.example.com/a/", false),
            Case("secure over https", "a=1; Secure", to: "https://www.example.com/a/", true),
            Case(
                "secure set over http", "a=1; Secure", from: "http://www.example.com/a/",
                to: "https://www.example.com/a/", false),
            Case("secure on loopback", "a=1; Secure", from: "http://localhost/a/", to: "http://localhost/a/", true),
            Case("secure on IPv4 loopback", "a=1; Secure", from: "http://127.0.0.1/", to: "http://127.0.0.1:8/", true),
            Case("secure on IPv6 loopback", "a=1; Secure", from: "http://[::1]/", to: "http://[::1]/", true),
            Case(
                "secure below localhost", "a=1; Secure", from: "http://a.localhost/", to: "https://a.localhost/", false),
            Case("secure elsewhere on 127", "a=1; Secure", from: "https://127.0.0.2/", to: "http://127.0.0.2/", false),
            Case("no name", "=1", to: "https://www.example.com/a/", false),
            Case("no equals sign", "a", to: "https://www.example.com/a/", false),
            Case("tab in the value", "a=1\t2", to: "https://www.example.com/a/", false),
            Case("control character", "a=1\u{7}", to: "https://www.example.com/a/", false),
            Case("delete character", "a\u{7F}=1", to: "https://www.example.com/a/", false),
            Case("control character in an attribute", "a=1; Path=/\u{7F}", to: "https://www.example.com/a/", false),
            Case("secure behind a combining mark", "a=1;\u{301}x; Secure", to: "http://www.example.com/a/", false),
            Case("value that begins with a combining mark", "a=\u{301}1", to: "https://www.example.com/a/", true),
            Case("host prefix kept", "__Host-a=1; Secure; Path=/", to: "https://www.example.com/", true),
            Case(
                "host prefix broken", "__Host-a=1; Secure; Path=/; Domain=example.com", to: "https://www.example.com/",
                false),
            Case("secure prefix broken", "__Secure-a=1", to: "https://www.example.com/a/", false),
        ])
    func scope(example: Case) throws {
        let header = try header([example.cookie], from: example.from, to: example.to)
        #expect((header != nil) == example.isSent, "\(header ?? "none")")
    }

    @Test(
        "a cookie expires by Max-Age, or else by Expires",
        arguments: [
            ("a=1", 1e9, true), ("a=1; Max-Age=60", 59, true), ("a=1; Max-Age=60", 60, false),
            ("a=1; Max-Age=0", 0, false),
            ("a=1; Max-Age=-1", 0, false), ("a=1; Max-Age=x", 1e9, true),
            ("a=1; Expires=Tue, 14 Nov 2023 22:13:50 GMT", 29, true),
            ("a=1; Expires=Tue, 14 Nov 2023 22:13:50 GMT", 30, false),
            ("a=1; Expires=Tuesday, 14-Nov-23 22:13:50 GMT", 30, false),
            ("a=1; expires=14 Nov 2023 22:13:50", 30, false),
            ("a=1; Expires=never", 1e9, true), ("a=1; Max-Age=60; Expires=Tue, 14 Nov 2000 00:00:00 GMT", 59, true),
        ])
    func expiry(cookie: String, seconds: Double, isSent: Bool) throws {
        let address = "https://www.example.com/"
        #expect((try header([cookie], from: address, to: address, after: seconds) != nil) == isSent)
    }

    @Test("cookies with longer paths come first, then older ones; a replaced cookie keeps its position")
    func order() throws {
        let cookies = ["a=1; Path=/", "b=2; Path=/x", "c=3; Path=/", "a=4; Path=/"]
        #expect(try header(cookies, from: "https://example.com/", to: "https://example.com/x") == "b=2; a=4; c=3")
    }

    @Test("without a list of public suffixes, a cookie is only sent to its own host")
    func unknownSuffixes() throws {
        func header(to address: String) throws -> String? {
            let cookies = ["a=1; Domain=example.com", "b=2; Domain=com", "c=3; Domain=other.com"]
            return try self.header(
                cookies, from: "https://www.example.com/", to: address, suffixes: PublicSuffixes { _ in nil })
        }
        #expect(try header(to: "https://www.example.com/") == "a=1; b=2")
        for other in ["https://example.com/", "https://x.www.example.com/", "https://other.com/"] {
            #expect(try header(to: other) == nil)
        }
    }

    @Test(
        "libpsl provides the public suffixes",
        .enabled(if: lc_is_public_suffix("com") != lc_suffix_unknown, "libpsl is needed"))
    func systemSuffixes() throws {
        let system = PublicSuffixes.system
        func header(_ domain: String, from host: String) throws -> String? {
            let address = "https://\(host)/"
            return try self.header(["a=1; Domain=\(domain)"], from: address, to: address, suffixes: system)
        }
        for domain in ["com", "co.uk", "github.io", "co.uk.", "xn--55qx5d.cn"] {
            #expect(try header(domain, from: "a.\(domain)") == nil, "\(domain)")
        }
        for domain in ["example.com", "shop.co.uk", "me.github.io"] {
            #expect(try header(domain, from: "a.\(domain)") == "a=1", "\(domain)")
        }
    }

    @Test(
        "a cookie set over http cannot replace a secure cookie",
        arguments: [
            ("id=2", "http://www.example.com/a/b", false),
            ("id=; Max-Age=0; Path=/a", "http://www.example.com/a/b", false),
            ("id=2; Path=/a/b", "http://www.example.com/a/b", false),
            ("id=2; Domain=example.com; Path=/a", "http://www.example.com/a/b", false),
            ("id=2; Path=/a", "http://x.www.example.com/a/", false),
            ("id=2; Path=/", "http://www.example.com/a/b", true),
            ("id=2; Path=/ab", "http://www.example.com/ab/", true),
            ("ID=2; Path=/a", "http://www.example.com/a/b", true), ("id=2; Path=/a", "http://example.com/a/", false),
            ("id=2; Path=/a", "http://api.example.com/a/", true),
            ("id=2; Path=/a", "https://www.example.com/a/b", true),
        ])
    func secureCookies(cookie: String, address: String, isKept: Bool) throws {
        var jar = CookieJar()
        jar.store(["id=1; Secure; Path=/a"], from: try url("https://www.example.com/a/b"), now: Self.now)
        let before = jar
        let refused = jar.store([cookie], from: try url(address), now: Self.now, suffixes: Self.suffixes)
        #expect((jar != before) == isKept)
        #expect(refused.map(\.name) == (isKept ? [] : ["id"]))
        #expect(refused.allSatisfy { $0.reason.contains("only over https") })
    }

    @Test("a cookie set over http cannot hide a secure cookie of a parent domain or a subdomain")
    func secureDomains() throws {
        var jar = CookieJar()
        jar.store(
            ["wide=1; Secure; Domain=example.com", "narrow=1; Secure"], from: try url("https://www.example.com/"),
            now: Self.now, suffixes: Self.suffixes)
        let before = jar
        jar.store(["wide=2"], from: try url("http://api.example.com/"), now: Self.now, suffixes: Self.suffixes)
        jar.store(
            ["narrow=2; Domain=example.com"], from: try url("http://api.example.com/"), now: Self.now,
            suffixes: Self.suffixes)
        #expect(jar == before)
        jar.store(["narrow=2"], from: try url("http://api.example.com/"), now: Self.now, suffixes: Self.suffixes)
        #expect(jar.cookies.count == 3)
    }

    @Test(
        "a cookie that a jar cannot store is dropped and reported",
        arguments: [
            ("a\u{7F}=1", "control character"), ("a=1\u{1}", "control character"),
            ("a=1; Path=/\u{2}", "control character"),
            ("a=1\t2", "control character"), ("a=\(String(repeating: "v", count: 4096))", "4096 bytes"),
        ])
    func refused(cookie: String, reason: String) throws {
        var jar = CookieJar()
        let refused = jar.store([cookie, "b=2"], from: try url("https://www.example.com/"), now: Self.now)
        #expect(refused.count == 1 && refused.first?.reason.contains(reason) == true, "\(refused)")
        #expect(refused.first?.description.hasPrefix("cookie \"a") == true)
        #expect(refused.first?.description.contains("vvvv") == false)
        #expect(jar.cookies.map(\.name) == ["b"])
    }

    @Test("whatever a server sets, the jar's file can be read back and its header can be sent")
    func anything() throws {
        let pieces: [String] = [
            "a", "=", ";", " ", "\t", "\u{301}", "\u{7F}", "\u{1}", "\"", "#", "#HttpOnly_", ",", "é", "\u{85}",
            "\u{2028}",
            "\u{FEFF}", "; Path=/", "; Domain=.example.com", "; Secure", "; Max-Age=9", "\r", "\n", "\0", "x=y",
        ]
        var random = SeededGenerator(seed: 13)
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 1...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? ""
            }
            var jar = CookieJar()
            jar.store(
                [text.joined()], from: try url("https://www.example.com/"), now: Self.now, suffixes: Self.suffixes)
            var refused: [RefusedCookie] = []
            let file = Array(jar.netscapeFile.utf8)
            let read = try CookieJar(checkingNetscapeFile: file) { refused.append($0) }
            #expect(refused == [] && read.cookies.count == jar.cookies.count, "\(text)")
            guard let header = jar.header(for: try url("https://www.example.com/"), now: Self.now) else { continue }
            _ = try RequestBuilder.get("https://www.example.com").baseURL("https://www.example.com").header(
                "Cookie", header
            )
            .makeRequest()
            #expect(header.utf8.split(separator: Array("; ".utf8)).count == 1, "\(header)")
        }
    }

    @Test("a response can delete a cookie")
    func removal() throws {
        let address = "https://example.com/"
        #expect(try header(["a=1", "b=2", "a=; Max-Age=0"], from: address, to: address) == "b=2")
    }

    @Test("reqcli and curl read each other's cookie jars")
    func file() throws {
        var jar = CookieJar()
        jar.store(
            ["a=1; Max-Age=60", "b=2; Domain=example.com; Path=/x; Secure; HttpOnly", "c="],
            from: try url("https://www.example.com/"), now: Self.now, suffixes: Self.suffixes)
        let text = jar.netscapeFile
        #expect(
            text.split(separator: "\n").filter { !$0.hasPrefix("# ") }.map(String.init) == [
                "www.example.com\tFALSE\t/\tFALSE\t1700000060\ta\t1",
                "#HttpOnly_.example.com\tTRUE\t/x\tTRUE\t0\tb\t2",
                "www.example.com\tFALSE\t/\tFALSE\t0\tc\t",
            ])
        #expect(CookieJar(netscapeFile: text) == jar)
        #expect(CookieJar(netscapeFile: "not a cookie\n\n# nor this\na\tb\tc\td\te\tf\n").cookies == [])
    }

    @Test(
        "a file that is not a cookie jar is rejected",
        arguments: [
            ("# fine\n\nnot a cookie\n", 3, "expected seven fields between tabs"),
            ("a\tFALSE\t/\tFALSE\t0\tn\tv\textra", 1, "found 8"),
            ("\tFALSE\t/\tFALSE\t0\tn\tv", 1, "a domain in the first field"),
            ("a\tmaybe\t/\tFALSE\t0\tn\tv", 1, "TRUE or FALSE in the second field"),
            ("a\tFALSE\tx\tFALSE\t0\tn\tv", 1, "a path that begins with / in the third field"),
            ("a\tFALSE\t/\t1\t0\tn\tv", 1, "TRUE or FALSE in the fourth field"),
            ("a\tFALSE\t/\tFALSE\tsoon\tn\tv", 1, "seconds since 1970 in the fifth field"),
            ("#HttpOnly_a\tFALSE\t/\tFALSE\t0\t\tv", 1, "a name in the sixth field"),
        ])
    func checkedFile(text: String, line: Int, reason: String) throws {
        let error = #expect(throws: CookieFileError.self) { try CookieJar(checkingNetscapeFile: text) }
        #expect(error?.line == line && error?.reason.contains(reason) == true, "\(error as Any)")
    }

    @Test("a jar may have CRLF line ends, empty values and expiry dates without limit")
    func oddFile() throws {
        let lines = [
            "# comment", "", "a.example\tFALSE\t/\tFALSE\t9223372036854775807\tn",
            "b.example\tfalse\t/\tfalse\t1\to\tv",
        ]
        var jar = try CookieJar(checkingNetscapeFile: lines.joined(separator: "\r\n"))
        #expect(jar.cookies.map(\.name) == ["n", "o"] && jar.cookies.map(\.value) == ["", "v"])
        jar.removeExpired(at: Self.now)
        #expect(jar.netscapeFile.contains("a.example\tFALSE\t/\tFALSE\t253402300799\tn\t\n"))
        #expect(!jar.netscapeFile.contains("b.example"))
    }

    @Test("reading a jar skips cookies that no request can carry")
    func flawedFile() throws {
        let start = Array("a.example\tFALSE\t/\tFALSE\t0\t".utf8)
        let lines: [[UInt8]] = [
            start + Array("n\u{7F}\tv".utf8), start + Array("n\tv\u{1}".utf8), start + Array("n\tv; m=w".utf8),
            start + Array("n\t".utf8) + [0xE9], start + Array("n\t\rv".utf8), start + Array("n\tv\0".utf8),
            start + Array("good\té".utf8), start + Array("mark\t\u{301}".utf8),
        ]
        var refused: [RefusedCookie] = []
        let jar = try CookieJar(checkingNetscapeFile: Array(lines.joined(separator: [0x0A]))) { refused.append($0) }
        #expect(jar.cookies.map(\.name) == ["good", "mark"])
        #expect(refused.map(\.host) == Array(repeating: "a.example", count: 6))
        #expect(
            refused.map(\.reason) == [
                "it has a control character", "it has a control character", "it has a semicolon",
                "it is not UTF-8 text",
                "it has a control character", "it has a control character",
            ])
    }

    @Test("cookies set on a redirect are sent to the host they belong to")
    func middleware() async throws {
        let stubs = StubTransport()
            .stubbing(Stub(status: 302, headers: ["Location": "/b", "Set-Cookie": "id=1; Path=/"]), for: "a")
            .stubbing(Stub(status: 302, headers: ["Location": "https://other.example.com/c"]), for: "b")
            .stubbing(Stub(), for: "c")
        let cookies = CookieMiddleware()
        let transport = stubs.with(RedirectMiddleware(), cookies)
        _ = try await transport.send(PreparedRequest(url: try url("https://www.example.com/a")))
        #expect(stubs.requests.map { $0.headers["Cookie"] } == [nil, "id=1", nil])
        #expect(cookies.jar.cookies.map(\.name) == ["id"])
    }

    @Test("a request's own cookies come before those of the jar")
    func ownCookies() async throws {
        var jar = CookieJar()
        jar.store(["id=1"], from: try url("https://www.example.com/"), now: Date())
        let stubs = StubTransport().stubbingRest(Stub())
        var request = PreparedRequest(url: try url("https://www.example.com/"))
        request.headers = ["Cookie": "own=2"]
        _ = try await stubs.with(CookieMiddleware(jar)).send(request)
        #expect(stubs.requests.first?.headers.values("Cookie") == ["own=2; id=1"])
    }
}
