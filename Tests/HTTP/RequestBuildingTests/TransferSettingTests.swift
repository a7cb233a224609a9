import Foundation
@_spi(Generated) import RequestBuilding
import Testing

/// Transfer settings are set one key at a time, and printing them shows no secret.
@Suite struct TransferSettingTests {
    private func settings(_ builder: RequestBuilder, over baseline: TransferSettings = TransferSettings()) throws
        -> TransferSettings
    {
        try builder.prepared(baseURL: URL(string: "http://h/"), over: baseline).transfer
    }

    @Test("an operator sets one transfer setting and leaves the others")
    func keys() throws {
        let account = Account(user: "ada", password: "s3cret")
        let builder = RequestBuilder().timeout(.seconds(5)).setting(.followsRedirects, false)
            .setting(.retryStatuses, [503, 429]).setting(.retryMethods, [.put, .get])
            .setting(.resolvedHosts, [ResolvedHost(host: "a", port: 1, address: "::1")])
            .setting(.netrcFile, "n").setting(.minimumTLSVersion, .tls13).setting(.httpVersion, .http10)
            .setting(.detours, [ConnectionDetour(port: 80, otherHost: "[::1]")])
            .setting(.noProxy, "a,.b").setting(.proxy, ProxySettings("http://p", account: account))
            .setting(.maximumTLSVersion, .tls12).setting(.proxyTunnel, true).setting(.proxyHeaders, ["X-A": "b"])
        var expected = TransferSettings()
        expected.timeouts.total = .seconds(5)
        expected.redirects.isFollowing = false
        expected.retry.statuses = [429, 503]
        expected.retry.methods = [.get, .put]
        expected.resolvedHosts = [ResolvedHost(host: "a", port: 1, address: "::1")]
        expected.netrc = .file("n")
        expected.tls.minimumVersion = .tls13
        expected.tls.maximumVersion = .tls12
        expected.version = .http10
        expected.detours = [ConnectionDetour(port: 80, otherHost: "[::1]")]
        expected.proxies = ProxySettings("http://p", account: account, isTunnel: true)
        expected.proxies.exceptions = "a,.b"
        expected.proxies.headers = ["X-A": "b"]
        #expect(try settings(builder) == expected)
        #expect(
            builder.operators.map(\.description) == [
                "timeout.total sets 5s", "redirects.follow sets false", "retry.on sets 503, 429",
                "retry.methods sets PUT, GET", "resolve sets a:1:[::1]", "netrc-file sets n", "tls.minVersion sets 1.3",
                "httpVersion sets 1.0", "connect-to sets :80:[::1]:",
                "noProxy sets a,.b", "proxy sets http://p, user ada", "tls.maxVersion sets 1.2",
                "proxytunnel sets true", "proxy-header sets X-A",
            ])
    }

    @Test("a later value wins, and the history lists the value it replaced")
    func laterWins() throws {
        let builder = RequestBuilder().setting(.totalTimeout, .milliseconds(250)).timeout(.seconds(3))
        #expect(try settings(builder).timeouts.total == .seconds(3))
        let part = try #require(builder.history().first)
        #expect(part.standing.map(\.value) == ["3s"])
        #expect(part.shadowed.map(\.value) == ["250ms"])
    }

    @Test("removing a setting restores its baseline value, and removing a limit leaves none")
    func removed() throws {
        var baseline = TransferSettings()
        baseline.redirects.maximum = 3
        baseline.retry.statuses = [500]
        baseline.timeouts.total = .seconds(9)
        let set = RequestBuilder().setting(.maximumRedirects, 7).setting(.retryStatuses, [418])
        #expect(try settings(set, over: baseline).redirects.maximum == 7)
        let removed = set.removingSetting(.maximumRedirects).removingSetting(.retryStatuses)
        #expect(try settings(removed, over: baseline) == baseline)
        #expect(try settings(removed.removingSetting(.totalTimeout), over: baseline).timeouts.total == nil)
        #expect(removed.operators.last?.description == "retry.on removes")
    }

    @Test("an explicit timeout of 60 s, the default of URLRequest, is kept")
    func sixtySeconds() throws {
        #expect(try settings(RequestBuilder().timeout(.seconds(60))).timeouts.total == .seconds(60))
        let environment = RequestEnvironment(name: "test", host: "h")
        #expect(try settings(RequestBuilder().environment(environment)).timeouts.total == .seconds(60))
    }

    @Test("a later proxy has nothing of an earlier one but its exceptions, and one without a URL is none")
    func proxies() throws {
        let first = ProxySettings("http://p", account: Account(user: "ada", password: "s3cret"), usesDigest: true)
        let builder = RequestBuilder().setting(.proxy, first).setting(.noProxy, "a")
        #expect(
            try settings(builder.setting(.proxy, ProxySettings("q"))).proxies
                == ProxySettings(
                    http: "q", https: "q", exceptions: "a"))
        let variables = ProxySettings(http: "http://v", https: "https://v", exceptions: "b")
        #expect(try settings(builder).proxies.completed(by: variables).http == "http://p")
        #expect(ProxySettings("").completed(by: variables) == ProxySettings(http: "", https: "", exceptions: "b"))
        #expect(ProxySettings().completed(by: variables) == variables)
        #expect("\(ProxySettings(""))" == "no proxy" && "\(first)" == "http://p, user ada, digest")
    }

    @Test("a key path sets one field, under the name that files have for it")
    func keyPaths() throws {
        let builder = RequestBuilder().timeout(.seconds(5)).setting(\.timeouts.total, .seconds(9))
            .setting(\.retry.times, 2).setting(\.redirects.isFollowing, false).setting(\.tls.key, nil)
            .setting(\.proxies.headers, ["X-Key": "s3cret"]).setting(\.retry, RetryPolicy(times: 1))
        let transfer = try settings(builder)
        #expect(transfer.timeouts.total == .seconds(9))
        #expect(transfer.retry.times == 1)
        #expect(!transfer.redirects.isFollowing)
        #expect(
            builder.operators.dropLast().map(\.description) == [
                "timeout.total sets 5s", "timeout.total sets 9s", "retry.times sets 2", "redirects.follow sets false",
                "tls.key removes", "proxy-header sets X-Key",
            ])
        #expect(builder.operators.last?.subject == .setting("retry"))
        let replaced = builder.history().first { $0.subject == .setting("timeout.total") }
        #expect(replaced?.shadowed.map(\.name) == ["timeout"])
    }

    @Test("no description of an operator shows a secret")
    func secretKeyPaths() {
        let url = "http://ada:s3cret@proxy"
        let builder = RequestBuilder().setting(\.proxies.http, url).setting(\.proxies.https, url)
            .setting(\.proxies, ProxySettings(url)).setting(
                \.challengeAccount, Account(user: "ada", password: "s3cret")
            )
            .setting(\.proxies.account, Account(user: "ada", password: "s3cret"))
            .setting(\.proxies.headers, ["X-Key": "s3cret"])
        #expect(builder.operators.allSatisfy { !"\($0) \($0.value ?? "")".contains("s3cret") })
        #expect(builder.operators.first?.value == "…")
    }

    @Test("a field and the key of the same name set the same")
    func names() throws {
        func equal<Value: Sendable>(
            _ path: any WritableKeyPath<TransferSettings, Value?> & Sendable, _ key: TransferSetting<Value>,
            _ value: Value
        ) throws {
            let pair = [RequestBuilder().setting(path, value), RequestBuilder().setting(key, value)]
            #expect(pair[0].operators.first?.subject == pair[1].operators.first?.subject)
            #expect(pair[0].operators.first?.value == pair[1].operators.first?.value)
            #expect(try settings(pair[0]) == settings(pair[1]))
        }
        try equal(\.timeouts.connect, .connectTimeout, .seconds(1))
        try equal(\.timeouts.firstByte, .firstByteTimeout, .seconds(2))
        try equal(\.timeouts.idle, .idleTimeout, .seconds(3))
        try equal(\.timeouts.total, .totalTimeout, .seconds(4))
        try equal(\.retry.times, .retryTimes, 3)
        try equal(\.decodesContent, .decodesContent, true)
        try equal(\.tls.authorities, .authorities, "a.pem")
        try equal(\.tls.certificate, .certificate, "c.pem")
        try equal(\.tls.key, .certificateKey, "k.pem")
        try equal(\.proxies.exceptions, .noProxy, "a,b")
        try equal(\.unixSocket, .unixSocket, "/s")
    }

    @Test("descriptions and dumps of transfer settings show no secret")
    func descriptions() throws {
        let account = Account(user: "ada", password: "s3cret")
        var request = try RequestBuilder.get("a").addingQueryItem("key", "s3cret").authorization(bearer: "s3cret")
            .body(Data("s3cret".utf8)).setting(.digestAccount, account).prepared(baseURL: URL(string: "http://h:1/b"))
        request.transfer.proxies = ProxySettings(http: "http://ada:s3cret@proxy:1", https: "ada:s3cret@proxy")
        let operators = RequestBuilder().setting(.digestAccount, account).operators
        for value in [request, request.transfer, request.transfer.proxies, account, operators] as [Any] {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] {
                #expect(
                    !text.contains("s3cret") && !text.contains(Data("s3cret".utf8).base64EncodedString()), "\(text)")
            }
        }
        #expect("\(request)" == "GET http://h:1/b/a")
        #expect("\(request.transfer.proxies)" == "http http://…@proxy:1, https …@proxy")
    }
}
