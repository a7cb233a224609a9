import ReqcliNetworking
import RequestBuilding
import Testing

/// A builder collects changes and makes them into a request at the end.
@Suite struct ImmutableBuilderTests {
    private let base = URL(string: "https://example.com/api")

    @Test(
        "path and base URL are joined correctly with and without slashes",
        arguments: [
            ("http://h", "users", "http://h/users"),
            ("http://h/", "users", "http://h/users"),
            ("http://h/api", "users", "http://h/api/users"),
            ("http://h/api/", "users", "http://h/api/users"),
            ("http://h/api//", "users/", "http://h/api/users/"),
            ("http://h/api", "", "http://h/api"),
            ("http://h/api/", "", "http://h/api/"),
            ("http://h", "", "http://h"),
            ("http://h/", "/users", "http://h/users"),
            ("http://h", "/", "http://h/"),
            ("http://h/a%2Fb", "c", "http://h/a%2Fb/c"),
        ])
    func joining(base: String, path: String, expected: String) throws {
        let request = try RequestBuilder(path: path).prepared(baseURL: URL(string: base))
        #expect(request.url.absoluteString == expected)
        let asOperator = try RequestBuilder(path: path).baseURL(base).prepared()
        #expect(asOperator.url.absoluteString == expected, "a base given after the path goes before it all the same")
    }

    @Test("the builder's scheme, host and port override those of the base URL")
    func baseIsLowest() throws {
        let request = try RequestBuilder(path: "a").host("other").port(81).prepared(baseURL: base)
        #expect(request.url.absoluteString == "https://other:81/api/a")
    }

    @Test("the last change to the URL wins, whichever operator made it")
    func oneTruth() throws {
        let builder = RequestBuilder(path: "a")
            .modifyURLComponents {
                $0.path = "/x/y z"
                $0.percentEncodedQuery = "a=1&b=2"
            }
            .queryItem("a", "3").addingPathSegment("p/q")
        #expect(
            try builder.prepared(baseURL: base).url.absoluteString == "https://example.com/x/y%20z/p%2Fq?a=3&b=2")
        #expect(try builder.path("b").prepared(baseURL: base).url.path == "/api/b")
    }

    @Test("changes to the request run after the URL is known")
    func requestChangesComeLast() throws {
        let request = try RequestBuilder()
            .modifyURLRequest { $0.setValue($0.url?.host, forHTTPHeaderField: "X-Host") }
            .host("late.example.com").scheme("https").prepared()
        #expect(request.headers["X-Host"] == "late.example.com")
    }

    @Test("every operator returns a new builder and leaves the original unchanged")
    func immutability() throws {
        let builder = RequestBuilder.get("a").header("X-A", "1")
        let before = builder.operators.map(\.description)
        let changed = builder.header("X-A", "2").addingQueryItem("b", "c").method(.put).body(Data("x".utf8)).path("d")
        #expect(builder.operators.map(\.description) == before)
        #expect(try builder.prepared(baseURL: base).headers["X-A"] == "1")
        #expect(try changed.prepared(baseURL: base).method.token == "PUT")
    }

    @Test("new operators can be written with modifyURLComponents and modifyURLRequest")
    func openDoors() throws {
        let builder = RequestBuilder.get("a").addingQueryItem("b", "c").removingQuery().cellular(false)
        let request = try builder.makeRequest(baseURL: base)
        #expect(request.url?.absoluteString == "https://example.com/api/a")
        #expect(request.allowsCellularAccess == false)
        #expect(builder.operators.last?.description == "cellular access sets false")
    }

    @Test("a closure sees the ordered headers and the body, and its changes are kept")
    func doorSeesEverything() throws {
        let request = try RequestBuilder.post("a").textBody("hello").addingHeader("X-B", "1").addingHeader("X-B", "2")
            .modifyRequest {
                #expect($0.headers.map(\.name) == ["Content-Type", "X-B", "X-B"])
                #expect($0.body == .data(Data("hello".utf8)))
                $0.headers.set("X-Signature", "signed")
            }
            .header("X-Z", "z").prepared(baseURL: base)
        #expect(request.headers.map(\.name) == ["Content-Type", "X-B", "X-B", "X-Signature", "X-Z"])
        #expect(request.body == .data(Data("hello".utf8)))
    }

    @Test("changing the URL in modifyURLRequest is an error that names modifyURLComponents")
    func doorKeepsURL() {
        let error = #expect(throws: RequestBuildingError.self) {
            try RequestBuilder.get("a").modifyURLRequest("signing") { $0.url = URL(string: "http://elsewhere/") }
                .prepared(baseURL: base)
        }
        #expect(
            error?.description == "signing: the closure changed the URL: change the URL with modifyURLComponents")
    }

    @Test("adding query items keeps existing ones of the same name")
    func queryItemsAppend() throws {
        let builder = RequestBuilder.get("a").addingQueryItem("tag", "a").addingQueryItem("x", "1")
            .addingQueryItem("tag", "b")
        #expect(try builder.prepared(baseURL: base).url.query == "tag=a&x=1&tag=b")
    }

    @Test("setting a query item replaces all items of its name at the first one's position")
    func queryItemSets() throws {
        let builder = RequestBuilder.get("a").addingQueryItem("tag", "a").addingQueryItem("x", "1")
            .addingQueryItem("tag", "b").queryItem("tag", "c")
        #expect(try builder.prepared(baseURL: base).url.query == "tag=c&x=1")
        #expect(
            try builder.queryItem("tag", values: ["d", "e"]).prepared(baseURL: base).url.query == "tag=d&tag=e&x=1")
    }

    @Test("city=San Francisco becomes city=San%20Francisco")
    func sanFrancisco() throws {
        let request = try RequestBuilder.get("users/search").addingQueryItem("city", "San Francisco")
            .addingQueryItem("maxResults", "100").prepared(baseURL: base)
        #expect(
            request.url.absoluteString == "https://example.com/api/users/search?city=San%20Francisco&maxResults=100")
    }

    @Test("a query item without a value is sent as its bare name")
    func bareName() throws {
        let builder = RequestBuilder.get("a").addingQueryItems([URLQueryItem(name: "flag", value: nil)])
        #expect(try builder.addingQueryItem("empty", "").prepared(baseURL: base).url.query == "flag&empty=")
    }

    @Test("each standard method is sent", arguments: HTTPMethod.standard)
    func methods(method: HTTPMethod) throws {
        #expect(try RequestBuilder().method(method).prepared(baseURL: base).method.token == method.token)
    }

    @Test("any other token is sent exactly as spelled", arguments: ["QUERY", "PURGE", "M-SEARCH", "purge", "x!#$%&'*"])
    func otherMethods(token: String) throws {
        #expect(try RequestBuilder().method(token).prepared(baseURL: base).method.token == token)
    }

    @Test(
        "an invalid method is rejected",
        arguments: [
            ("CONNECT", "method: CONNECT asks a proxy for a tunnel and can't be sent as a request"),
            ("connect", "method: CONNECT asks a proxy for a tunnel and can't be sent as a request"),
            ("get", "method: methods are case-sensitive: write GET, not get"),
            ("", "method: a method can't be empty"),
            (
                "GET /",
                "method: \"GET /\" is not a method: it contains a space; "
                    + "a method is letters, digits and !#$%&'*+-.^_`|~"
            ),
        ])
    func refusedMethods(token: String, message: String) {
        let error = #expect(throws: RequestBuildingError.self) {
            try RequestBuilder().method(token).prepared(baseURL: base)
        }
        #expect(error?.kind == .invalidMethod)
        #expect(error?.description == message)
    }

    @Test("adding a header repeats it, and setting a header replaces it")
    func addAndSet() throws {
        let added = RequestBuilder.get("a").addingHeader("X-A", "1").addingHeader("x-a", "2")
        #expect(try added.prepared(baseURL: base).headers == ["X-A": "1", "x-a": "2"])
        #expect(try added.header("X-A", "3").prepared(baseURL: base).headers == ["X-A": "3"])
        #expect(try added.removingHeader("X-a").prepared(baseURL: base).headers == [:])
    }

    @Test("a builder sets a body from Data and a timeout in seconds")
    func bodyAndTimeout() throws {
        let request = try RequestBuilder.post("a").body(Data("x".utf8)).timeout(.seconds(2.5)).prepared(baseURL: base)
        #expect(request.body == .data(Data("x".utf8)))
        #expect(request.transfer.timeouts.total == .seconds(2.5))
        #expect(request.headers.isEmpty, "bytes as given imply no Content-Type")
    }

    @Test("a builder encodes an Encodable body with the given encoder")
    func encodable() throws {
        struct User: Encodable { let firstName = "Ada" }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let builder = RequestBuilder.post("users")
        #expect(try builder.jsonBody(User()).prepared(baseURL: base).body == .data(Data(#"{"firstName":"Ada"}"#.utf8)))
        let request = try builder.jsonBody(User(), encoder: encoder).prepared(baseURL: base)
        #expect(request.body == .data(Data(#"{"first_name":"Ada"}"#.utf8)))
        #expect(request.headers == ["Content-Type": "application/json"])
    }

    @Test("get, post, jsonGet and jsonPost return builders that can be changed further")
    func factories() throws {
        #expect(try RequestBuilder.get("a").prepared(baseURL: base).method.token == "GET")
        #expect(try RequestBuilder.post("a").prepared(baseURL: base).method.token == "POST")
        #expect(
            try RequestBuilder.jsonGet("a").prepared(baseURL: base).headers == ["Accept": "application/json"])
        let post = try RequestBuilder.jsonPost("a", ["b": 1]).prepared(baseURL: base)
        #expect(post.headers == ["Accept": "application/json", "Content-Type": "application/json"])
        #expect(post.body == .data(Data(#"{"b":1}"#.utf8)))
    }
}

extension RequestBuilder {
    fileprivate func removingQuery() -> RequestBuilder {
        modifyURLComponents("removingQuery", subject: .other("query"), effect: .removes) { $0.query = nil }
    }

    fileprivate func cellular(_ isAllowed: Bool) -> RequestBuilder {
        modifyURLRequest("cellular", subject: .other("cellular access"), value: "\(isAllowed)") {
            $0.allowsCellularAccess = isAllowed
        }
    }
}
