import ReqcliNetworking
import RequestBuilding
import Testing

/// An environment supplies defaults, and a request overrides them.
@Suite struct EnvironmentTests {
    private let base = RequestBuilder().environment(.development)

    @Test("development is http on localhost:8080 with JSON headers, no local cache and 120 s")
    func development() throws {
        let request = try base.prepared()
        #expect(request.url.absoluteString == "http://localhost:8080")
        #expect(request.headers == ["Accept": "application/json", "X-Environment": "development"])
        #expect(RequestEnvironment.development.headers["Content-Type"] == "application/json")
        #expect(request.transfer.cachePolicy == .reloadIgnoringLocalCacheData)
        #expect(request.transfer.timeouts.total == .seconds(120))
    }

    @Test("staging and production use https and send their name", arguments: [RequestEnvironment.staging, .production])
    func sameShape(environment: RequestEnvironment) throws {
        let request = try RequestBuilder().environment(environment).prepared()
        #expect(request.url.scheme == "https")
        #expect(request.headers.map(\.name) == ["Accept", "X-Environment"])
        #expect(request.headers["X-Environment"] == environment.name)
    }

    @Test("an environment's Content-Type is sent only with a body; one the request sets is always sent")
    func contentTypeOnlyWithBody() throws {
        func type(_ builder: RequestBuilder) throws -> String? {
            try base.appending(builder).prepared().headers["Content-Type"]
        }
        #expect(try type(.get("a")) == nil)
        #expect(try type(RequestBuilder(path: "a").method(.delete)) == nil)
        #expect(try type(.post("a").body(Data("{}".utf8))) == "application/json")
        #expect(try type(.post("a").textBody("x")) == "text/plain; charset=utf-8")
        #expect(try type(.post("a").jsonBody(1).removingBody()) == nil)
        #expect(try type(.get("a").header("Content-Type", "text/csv")) == "text/csv")
        #expect(try type(.get("a").modifyRequest { $0.headers.set("Content-Type", "text/csv") }) == "text/csv")
    }

    @Test("history lists an environment's Content-Type if there is a body")
    func contentTypeInHistory() {
        func types(_ builder: RequestBuilder) -> [String?] {
            base.appending(builder).history().filter { $0.subject == .header("Content-Type") }
                .flatMap(\.standing).map(\.value)
        }
        #expect(types(.get("a")).isEmpty)
        #expect(types(.post("a").body(Data("{}".utf8))) == ["application/json"])
        #expect(types(.post("a").body(Data("{}".utf8)).removingBody()).isEmpty)
        #expect(types(.get("a").header("Content-Type", "text/csv")) == ["text/csv"])
    }

    @Test("an app can define its own environment, and a test can stub it")
    func ownEnvironment() throws {
        let stub = RequestEnvironment(name: "stub", scheme: "http", host: "stub.invalid", basePath: "api")
        let request = try RequestBuilder().environment(stub).appending(.get("users")).prepared()
        #expect(request.url.absoluteString == "http://stub.invalid/api/users")
    }

    @Test("the environment is chosen once, as the base, and not per call")
    func chosenOnce() throws {
        func fetch(_ base: RequestBuilder) throws -> [String?] {
            try [base.appending(.get("/a")), base.appending(.post("/b"))].map { try $0.prepared().url.host }
        }
        #expect(try fetch(base) == ["localhost", "localhost"])
        #expect(
            try fetch(RequestBuilder().environment(.production)) == ["api.example.com", "api.example.com"])
    }

    @Test("a path from the root replaces the environment's path; scheme and host stay")
    func pathFromRoot() throws {
        let base = RequestBuilder().environment(
            RequestEnvironment(name: "e", scheme: "http", host: "h", port: 81, basePath: "/api"))
        for path in ["v3/user", "/v3/user"] {
            #expect(try base.path(fromRoot: path).prepared().url.absoluteString == "http://h:81/v3/user")
        }
        #expect(try base.appending(.get("v3/user")).prepared().url.absoluteString == "http://h:81/api/v3/user")
    }

    @Test("a path with a leading slash is not taken for one that drops the base path, nor for one below it")
    func doubtfulPath() throws {
        let error = #expect(throws: RequestBuildingError.self) {
            try RequestBuilder.get("/users").prepared(baseURL: URL(string: "http://h/api"))
        }
        #expect(error?.kind == .invalidPath)
        #expect(
            error?.description == "path: \"/users\" begins with a slash, but the base has a path, \"/api\": write "
                + "path(\"users\") for a path below it, or path(fromRoot: \"users\") to drop it")
        let origin = Origin(layer: "call")
        let longer = RequestBuilder().withOrigin(origin) { $0.path("/users").addingPathSegment("7") }
        let other = #expect(throws: RequestBuildingError.self) {
            try longer.prepared(baseURL: URL(string: "http://h/api"))
        }
        #expect(other?.kind == .invalidPath && other?.origin == origin)
        for base in ["http://h", "http://h/"] {
            let request = try RequestBuilder.get("/users").prepared(baseURL: URL(string: base))
            #expect(request.url.absoluteString == "http://h/users")
        }
    }

    @Test("adding a header keeps the environment's headers")
    func newHeader() throws {
        let request = try base.header("X-New", "1").prepared()
        #expect(request.headers.map(\.name) == ["Accept", "X-Environment", "X-New"])
    }

    @Test("a header of the same name replaces the earlier one and keeps its position")
    func laterHeaderWins() throws {
        let request = try base.header("accept", "text/html").header("ACCEPT", "text/plain").prepared()
        #expect(request.headers.map(\.name) == ["ACCEPT", "X-Environment"])
        #expect(request.headers.values("Accept") == ["text/plain"])
        #expect(request.urlRequest.value(forHTTPHeaderField: "Accept") == "text/plain")
    }

    @Test("setting several headers at once adds new ones and replaces existing ones")
    func severalHeaders() throws {
        let request = try base.headers(["Accept": "a/b", "X-New": "1", "x-new": "2"]).prepared()
        #expect(request.headers.values("Accept") == ["a/b"])
        #expect(request.headers.values("X-New") == ["1", "2"])
        #expect(request.headers["X-Environment"] == "development")
    }

    @Test("cache policy and timeout override the environment's")
    func cachePolicyAndTimeout() throws {
        let request = try base.cachePolicy(.returnCacheDataElseLoad).timeout(.seconds(0.25)).prepared()
        #expect(request.transfer.cachePolicy == .returnCacheDataElseLoad)
        #expect(request.transfer.timeouts.total == .seconds(0.25))
    }

    @Test("query items are percent-encoded and joined")
    func queryItems() throws {
        let request = try base.appending(.get("/v3/user"))
            .addingQueryItems([URLQueryItem(name: "a b", value: "1&2"), URLQueryItem(name: "c", value: "+=#é")])
            .prepared()
        #expect(request.url.absoluteString == "http://localhost:8080/v3/user?a%20b=1%262&c=%2B%3D%23%C3%A9")
    }

    @Test("an empty list of query items leaves no question mark")
    func emptyQuery() throws {
        let emptied = base.appending(.get("/a")).addingQueryItems([]).addingQueryItem("b", "c").removingQueryItem("b")
        #expect(try emptied.prepared().url.absoluteString == "http://localhost:8080/a")
    }

    @Test("the whole query is replaced by one operator, also that of a closure; nil leaves an item out")
    func wholeQuery() throws {
        let old = base.appending(.get("/a")).addingQueryItem("b", "1").modifyURLComponents {
            $0.percentEncodedQuery = "c=2&d"
        }
        let new = old.query([("city", "San Francisco"), ("page", nil), ("city", "b&c")])
        #expect(
            try new.prepared().url.absoluteString == "http://localhost:8080/a?city=San%20Francisco&city=b%26c")
        #expect(
            try new.queryItem("city", "x").prepared().url.absoluteString == "http://localhost:8080/a?city=x")
        let added = old.addingQuery([("b", "2"), ("page", nil), ("b", "3")])
        #expect(try added.prepared().url.query(percentEncoded: true)?.hasSuffix("&b=2&b=3") == true)
        #expect(try old.query([]).prepared().url.absoluteString == "http://localhost:8080/a")
    }

    @Test(
        "a raw query is sent byte for byte, and later items follow it",
        arguments: ["a=1+2&&b=%e9", "flag", "=", "&a", "?x/y:@!$'()*,;~", "%00%2f"])
    func rawQuery(_ text: String) throws {
        let raw = base.appending(.get("/")).queryItem("old", "1").addingQueryItem("a", "2").rawQuery(text)
            .addingPathSegment(
                "a")
        #expect(try raw.prepared().url.absoluteString == "http://localhost:8080/a?\(text)")
        let items = raw.queryItem("a", "é").removingQueryItem("flag").addingQueryItem("b", "3")
        #expect(try items.prepared().url.absoluteString == "http://localhost:8080/a?\(text)&a=%C3%A9&b=3")
        #expect(try items.rawQuery("").prepared().url.absoluteString == "http://localhost:8080/a")
        #expect(raw.history().first { $0.subject == .queryItem("old") }?.removal?.name == "rawQuery")
    }

    @Test(
        "a raw query with a character that a URL cannot hold is an error with the escape to write",
        arguments: [
            ("a b", "a space: write %20"), ("a#b", "\"#\": write %23"), ("a[]=1", "\"[\": write %5B"),
            ("100%", "\"%\": write %25"), ("%4g", "\"%\": write %25"), ("%é", "\"%\": write %25"),
            ("é", "U+00E9: write %C3%A9"), ("a\r\nb", "CR: write %0D"), ("\0", "NUL: write %00"),
        ])
    func rawQueryProblem(_ text: String, _ problem: String) {
        let error = #expect(throws: RequestBuildingError.self) {
            try base.appending(.get("/a")).rawQuery(text).prepared()
        }
        #expect(error?.kind == .invalidQuery && error?.reason == "the query has \(problem)")
    }

    @Test("a builder's environment can be read: the last one that was applied, or none")
    func readEnvironment() throws {
        #expect(base.appending(.get("/a")).host("other").environment == .development)
        #expect(base.appending(.get("/a")).environment(.staging).environment == .staging)
        #expect(
            base.appending(RequestBuilder().environment(.production).appending(.get("/a"))).environment == .production)
        #expect(RequestBuilder.get("/a").environment == nil)
    }

    @Test("body bytes are used as given")
    func bodyBytes() throws {
        let bytes = Data([0, 255, 13, 10, 0x40])
        #expect(try base.appending(.post("/a")).body(bytes).prepared().body == .data(bytes))
    }

    @Test("an invalid URL throws a descriptive error")
    func invalidURL() {
        var environment = RequestEnvironment.development
        environment.host = "not a host"
        let error = #expect(throws: RequestBuildingError.self) {
            try RequestBuilder().environment(environment).appending(.get("/a")).prepared()
        }
        #expect(error?.kind == .invalidHost)
        #expect(
            error?.description
                == "host (environment development): \"not a host\" is not a host name: expected letters, digits, \"-\" "
                + "and \"_\" between dots, or an address such as 127.0.0.1 or [::1]")
    }

    @Test("two requests from one builder do not affect each other")
    func noStaleState() throws {
        let shared = base.appending(.get("/v3/user"))
        var first = try shared.header("X-A", "1").addingQueryItem("q", "1").prepared()
        let second = try shared.prepared()
        first.headers.append("X-B", "2")
        #expect(second.url.absoluteString == "http://localhost:8080/v3/user")
        #expect(second.headers.map(\.name) == ["Accept", "X-Environment"])
        #expect(try shared.prepared().headers == second.headers)
    }
}
