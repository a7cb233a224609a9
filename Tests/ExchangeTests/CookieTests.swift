import Exchange
import Foundation
import RequestBuilding
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct CookieTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    /// The `Cookie` header for one URL after another has set cookies.
    private func header(_ setCookies: [String], from: String, to: String, after seconds: Double = 0) throws -> String? {
        var jar = CookieJar()
        jar.store(setCookies, from: try url(from), now: Self.now)
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
        "a cookie goes where RFC 6265 lets it go",
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
        "a cookie ends when it says so",
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

    @Test("longer paths come first, then older cookies; the same cookie is replaced in its place")
    func order() throws {
        let cookies = ["a=1; Path=/", "b=2; Path=/x", "c=3; Path=/", "a=4; Path=/"]
        #expect(try header(cookies, from: "https://example.com/", to: "https://example.com/x") == "b=2; a=4; c=3")
    }

    @Test("an answer can take a cookie back")
    func removal() throws {
        let address = "https://example.com/"
        #expect(try header(["a=1", "b=2", "a=; Max-Age=0"], from: address, to: address) == "b=2")
    }

    @Test("the file is that of curl, in both directions")
    func file() throws {
        var jar = CookieJar()
        jar.store(
            ["a=1; Max-Age=60", "b=2; Domain=example.com; Path=/x; Secure; HttpOnly", "c="],
            from: try url("https://www.example.com/"), now: Self.now)
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
        "a file that is no jar is not taken for one",
        arguments: [
            ("# fine\n\nnot a cookie\n", 3, "expected seven fields between tabs"),
            ("a\tFALSE\t/\tFALSE\t0\tn\tv\textra", 1, "found 8"),
            ("\tFALSE\t/\tFALSE\t0\tn\tv", 1, "a domain in the first field"),
            ("a\tmaybe\t/\tFALSE\t0\tn\tv", 1, "TRUE or FALSE in the second field"),
            ("a\tFALSE\tx\tFALSE\t0\tn\tv", 1, "a path that begins with / in the third field"),
            ("a\tFALSE\t/\t1\t0\tn\tv", 1, "TRUE or FALSE in the fourth field"),
            ("a\tFALSE\t/\tFALSE\tsoon\tn\tv", 1, "seconds since 1970 in the fifth field"),
            ("a\tFALSE\t/\tFALSE\t0\tn\tv; m=w", 1, "can't have a semicolon"),
            ("#HttpOnly_a\tFALSE\t/\tFALSE\t0\t\tv", 1, "a name in the sixth field"),
        ])
    func checkedFile(text: String, line: Int, reason: String) throws {
        let error = #expect(throws: CookieFileError.self) { try CookieJar(checkingNetscapeFile: text) }
        #expect(error?.line == line && error?.reason.contains(reason) == true, "\(error as Any)")
    }

    @Test("line ends of other systems, empty values and endless times are part of a jar")
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

    @Test("cookies that are set on a redirect are sent on, each to its host")
    func middleware() async throws {
        let stubs = StubTransport()
            .stub(Stub(status: 302, headers: ["Location": "/b", "Set-Cookie": "id=1; Path=/"]), for: "a")
            .stub(Stub(status: 302, headers: ["Location": "https://other.example.com/c"]), for: "b")
            .stub(Stub(), for: "c")
        let cookies = CookieMiddleware()
        let transport = stubs.with(RedirectMiddleware(), cookies)
        _ = try await transport.send(URLRequest(url: try url("https://www.example.com/a")))
        #expect(stubs.requests.map { $0.headerFields["Cookie"] } == [nil, "id=1", nil])
        #expect(cookies.jar.cookies.map(\.name) == ["id"])
    }

    @Test("a request's own cookies stay before those of the jar")
    func ownCookies() async throws {
        var jar = CookieJar()
        jar.store(["id=1"], from: try url("https://www.example.com/"), now: Date())
        let stubs = StubTransport().stubRest(Stub())
        var request = URLRequest(url: try url("https://www.example.com/"))
        request.headerFields = ["Cookie": "own=2"]
        _ = try await stubs.with(CookieMiddleware(jar)).send(request)
        #expect(stubs.requests.first?.headerFields.values("Cookie") == ["own=2; id=1"])
    }
}
