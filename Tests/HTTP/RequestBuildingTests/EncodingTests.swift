import ReqcliNetworking
import RequestBuilding
import Testing

@Suite struct EncodingTests {
    @Test(
        "a path keeps its slashes and escapes; characters that are not allowed in a path are encoded",
        arguments: [
            ("/a%2Fb", "/a%2Fb"), ("/a b/é", "/a%20b/%C3%A9"), ("/100%", "/100%25"), ("/%zz%4", "/%25zz%254"),
            ("/a?b#c", "/a%3Fb%23c"), ("/a;v=1/(b)/@c:d,e&f='g'!$*+", "/a;v=1/(b)/@c:d,e&f='g'!$*+"),
            ("/[x]/{y}|\\\"<>^`", "/%5Bx%5D/%7By%7D%7C%5C%22%3C%3E%5E%60"), ("/a/../b/./c", "/a/../b/./c"),
            ("/\0\n", "/%00%0A"), ("//a", "//a"), ("/%E9", "/%E9"),
        ])
    func path(text: String, expected: String) throws {
        #expect(PercentEncoding.path(text) == expected)
        let url = try RequestBuilder(path: text).prepared(baseURL: URL(string: "http://h")).url
        #expect(url.absoluteString == "http://h" + expected)
    }

    @Test("percent-escapes are sent with uppercase hex digits")
    func uppercaseEscapes() throws {
        let url = try RequestBuilder(path: "a%2fb%zz").modifyURLComponents { $0.percentEncodedQuery = "q=%c3%a9&" }
            .prepared(baseURL: URL(string: "http://h/%e9")).url
        #expect(url.absoluteString == "http://h/%E9/a%2Fb%25zz?q=%C3%A9&")
    }

    @Test("an empty query leaves no question mark, even if a closure set it")
    func emptyQuery() throws {
        let builder = RequestBuilder().modifyURLComponents { $0.percentEncodedQuery = "" }
        #expect(try builder.prepared(baseURL: URL(string: "http://h/")).url.absoluteString == "http://h/")
    }

    @Test(
        "a path segment's value cannot add or escape segments",
        arguments: [
            ("a/b", "a%2Fb"), ("..", "%2E%2E"), (".", "%2E"), ("...", "..."), (".a", ".a"), ("a?b", "a%3Fb"),
            ("a#b", "a%23b"), ("%2F", "%252F"), ("é", "%C3%A9"), ("a b+c", "a%20b%2Bc"), ("\r\n", "%0D%0A"),
        ])
    func segment(value: String, expected: String) throws {
        #expect(PercentEncoding.segment(value) == expected)
        let request = try RequestBuilder().path(segments: ["x", value, "y"]).prepared(
            baseURL: URL(string: "http://h"))
        #expect(request.url.absoluteString == "http://h/x/\(expected)/y")
        let added = try RequestBuilder(path: "/x/").addingPathSegment(value).prepared(
            baseURL: URL(string: "http://h"))
        #expect(added.url.absoluteString == "http://h/x/\(expected)")
    }

    @Test(
        "a query item's name and value cannot start another item",
        arguments: [
            ("a+b", "a%2Bb"), ("a&b=c", "a%26b%3Dc"), ("#", "%23"), ("a b", "a%20b"), ("/?;:@!$'()*,[]", nil),
            ("%41", "%2541"), ("~-._", "~-._"),
        ])
    func query(value: String, expected: String?) throws {
        let expected = expected ?? "%2F%3F%3B%3A%40%21%24%27%28%29%2A%2C%5B%5D"
        let request = try RequestBuilder().addingQueryItem(value, value).prepared(baseURL: URL(string: "http://h/"))
        #expect(request.url.absoluteString == "http://h/?\(expected)=\(expected)")
    }

    @Test(
        "a host may be a name in any script, or an address with or without brackets",
        arguments: [
            ("example.com", "example.com"), ("bücher.example", "xn--bcher-kva.example"), ("日本.jp", "xn--wgv71a.jp"),
            ("::1", "[::1]"), ("[::1]", "[::1]"), ("fe80::1%eth0", "[fe80::1%25eth0]"),
            ("[fe80::1%25eth0]", "[fe80::1%25eth0]"), ("::ffff:1.2.3.4", "[::ffff:1.2.3.4]"),
            ("127.0.0.1", "127.0.0.1"),
            ("1:2:3:4:5:6:7:8", "[1:2:3:4:5:6:7:8]"), ("a_b.c-d.", "a_b.c-d."), ("::", "[::]"),
        ])
    func hosts(host: String, expected: String) throws {
        let builder = RequestBuilder().scheme("http").host(host).port(81)
        #expect(try builder.prepared().url.absoluteString == "http://\(expected):81")
    }

    @Test(
        "an invalid host is an error",
        arguments: [
            "", "a b", "a/b", "a@b", "h:80", "[::1", "::1]", "[zz]", "a..b", ".a", "a%20b", "1:2", "::1::", ":::",
            "1:2:3:4:5:6:7:8:9", "[::1]:80", "a\0b", "a?b", "a#b", "[]", "[", "%", "::%", "::1%", "::1%a/b",
            "\u{202E}x/",
            "1.2.3.4:5", "::256.1.1.1",
        ])
    func notHosts(host: String) {
        let error = #expect(throws: RequestBuildingError.self) {
            try RequestBuilder().scheme("http").host(host).prepared()
        }
        #expect(error?.kind == .invalidHost)
    }
}
