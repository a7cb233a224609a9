import Exchange
import ReqcliNetworking
import RequestBuilding
import Testing

@Suite struct NetrcTests {
    private static let text = """
        # comment with machine words
        machine one.example.com login me password secret
        macdef init
        machine evil.example.com login evil password evil

        machine two.example.com
            login "quoted user" password "a \\"b\\" c"
            account ignored
        machine one.example.com login second password second
        default login anonymous password guest
        """

    @Test(
        "the first netrc entry for a host wins, then the default entry",
        arguments: [
            ("one.example.com", "me:secret"), ("ONE.example.com", "me:secret"),
            ("two.example.com", "quoted user:a \"b\" c"),
            ("evil.example.com", "anonymous:guest"), ("other.example.com", "anonymous:guest"),
        ])
    func entries(host: String, expected: String) {
        let credentials = Netrc(text: Self.text).credentials(for: host)
        #expect(credentials.map { "\($0.user):\($0.password)" } == expected)
    }

    @Test(
        "among several logins and passwords, the same ones are used as in curl",
        arguments: [
            ("machine h login a password 1\nmachine h login b password 2", "a:1"),
            ("machine h login a password 1 login b password 2", "a:1"), ("machine h login a login b password 2", "b:2"),
            ("machine h password 1 login b", "b:1"), ("machine h login a\nmachine h login b password 2", "b:2"),
            ("machine h login a\ndefault login d password 9", "d:9"),
            ("machine h login a password 1 password 3", "a:1"), ("machine h password 1 password 2 login a", "a:2"),
            ("machine h login a", "a:"), ("machine h password 1", ":1"),
        ])
    func severalLogins(text: String, expected: String) {
        let credentials = Netrc(text: text).credentials(for: "h")
        #expect(credentials.map { "\($0.user):\($0.password)" } == expected)
    }

    @Test(
        "no entry, no credentials", arguments: ["", "machine", "machine a login", "login x password y", "garbage \""])
    func none(text: String) {
        #expect(Netrc(text: text).credentials(for: "b") == nil)
    }

    @Test("after a redirect, each host gets its own credentials")
    func middleware() async throws {
        let netrc = Netrc(text: "machine a.example login a password 1\nmachine b.example login b password 2")
        let stubs = StubTransport()
            .stubbing(Stub(status: 302, headers: ["Location": "https://b.example/next"]), for: "first").stubbingRest(
                Stub())
        let transport = stubs.with(RedirectMiddleware(), NetrcMiddleware(netrc))
        let url = try #require(URL(string: "https://a.example/first"))
        _ = try await transport.send(PreparedRequest(url: url))
        #expect(stubs.requests.map { $0.headers["Authorization"] } == ["Basic YTox", "Basic Yjoy"])
    }
}
